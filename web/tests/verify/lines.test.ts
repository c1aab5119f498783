import { expect, test } from "vitest";
import { hasBingo } from "../../src/verify/rules/bingo.ts";

const CARD = Array.from({ length: 25 }, (_, place) => place + 1);
/** Column by column, as a card is written. */
const LINES = [
  ...[0, 5, 10, 15, 20].map((first) => [0, 1, 2, 3, 4].map((n) => first + n)),
  ...[0, 1, 2, 3, 4].map((first) => [0, 5, 10, 15, 20].map((n) => first + n)),
  [0, 6, 12, 18, 24],
  [4, 8, 12, 16, 20],
].map((places) => places.map((place) => place + 1));

test("each of the twelve lines is a bingo, and none of them without one of its numbers", () => {
  expect(LINES).toHaveLength(12);
  for (const line of LINES) {
    expect(hasBingo(CARD, new Set(line))).toBe(true);
    for (const missing of line) {
      expect(hasBingo(CARD, new Set(line.filter((number) => number !== missing)))).toBe(false);
    }
  }
});
