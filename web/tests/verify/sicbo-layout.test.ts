import { expect, it } from "vitest";
import { comesBack, SIDES } from "../../src/verify/rules/sicbo-layout.ts";

const SPOTS = [1, 2, 3, 4, 5, 6];
const THROWS = SPOTS.flatMap((one) => SPOTS.flatMap((two) => SPOTS.map((three) => [one, two, three])));
/** What a chip on a side brings in all 216 throws together, worked out by hand. */
const BROUGHT: Readonly<Record<string, number>> = {
  BIG: 107 * 2,
  SMALL: 107 * 2,
  ODD: 105 * 2,
  EVEN: 105 * 2,
  ANY_LEO: 6 * 31,
  ...all("LEO", "", 181),
  ...all("DICE", "SG", 75 * 2 + 15 * 3 + 4),
  ...all("DICE", "DB", 16 * 11),
  ...Object.fromEntries(SPOTS.flatMap((one) => SPOTS.slice(one).map((two) => [`DICE${one}${two}`, 30 * 6]))),
  ...sums([3 * 61, 6 * 31, 10 * 18, 15 * 13, 21 * 9, 25 * 7, 27 * 7]),
};

function all(before: string, after: string, brought: number) {
  return Object.fromEntries(SPOTS.map((number) => [`${before}${number}${after}`, brought]));
}

function sums(brought: readonly number[]) {
  return Object.fromEntries([...brought, ...brought.toReversed()].map((each, place) => [`SUM${place + 4}`, each]));
}

it("has each of the 52 sides", () => {
  expect(SIDES.length).toBe(52);
  expect(SIDES.toSorted()).toEqual(Object.keys(BROUGHT).toSorted());
});

it.each(SIDES)("pays %s as the table says", (side) => {
  const brought = THROWS.reduce((sum, dice) => sum + comesBack(side, 1, dice), 0);
  expect(brought).toBe(BROUGHT[side]);
});
