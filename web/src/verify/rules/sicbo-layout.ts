/** The sides of Sic Bo and what each pays, by rules of the page's own. */

export type Side = string;

/** The odds to one with which a throw wins; 0 if it loses. */
type Odds = (dice: readonly number[]) => number;

const NUMBERS = [1, 2, 3, 4, 5, 6];
/** Of a sum, and of the one that is as rare: together they make 21. */
const SUM_ODDS: Readonly<Record<number, number>> = { 4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6 };

const sum = (dice: readonly number[]) => dice.reduce((all, each) => all + each, 0);
const shown = (dice: readonly number[], number: number) => dice.filter((each) => each === number).length;
const isTriple = (dice: readonly number[]) => new Set(dice).size === 1;
const within =
  (least: number, most: number): Odds =>
  (dice) =>
    sum(dice) >= least && sum(dice) <= most ? 1 : 0;
const remainder =
  (rest: number): Odds =>
  (dice) =>
    !isTriple(dice) && sum(dice) % 2 === rest ? 1 : 0;

const LAYOUT: ReadonlyMap<Side, Odds> = new Map<Side, Odds>([
  ["BIG", within(11, 17)],
  ["SMALL", within(4, 10)],
  ["ODD", remainder(1)],
  ["EVEN", remainder(0)],
  ["ANY_LEO", (dice) => (isTriple(dice) ? 30 : 0)],
  ...NUMBERS.flatMap((one): [Side, Odds][] => [
    [`LEO${one}`, (dice) => (shown(dice, one) === 3 ? 180 : 0)],
    [`DICE${one}SG`, (dice) => shown(dice, one)],
    [`DICE${one}DB`, (dice) => (shown(dice, one) > 1 ? 10 : 0)],
    ...NUMBERS.slice(one).map((other): [Side, Odds] => [
      `DICE${one}${other}`,
      (dice) => (dice.includes(one) && dice.includes(other) ? 5 : 0),
    ]),
  ]),
  ...Object.entries(SUM_ODDS).flatMap(([low, odds]): [Side, Odds][] =>
    [Number(low), 21 - Number(low)].map((total) => [`SUM${total}`, (dice) => (sum(dice) === total ? odds : 0)]),
  ),
]);

export const SIDES: readonly Side[] = [...LAYOUT.keys()];

/** What a stake brings: nothing, or itself with its odds. */
export function comesBack(side: Side, stake: number, dice: readonly number[]): number {
  const odds = LAYOUT.get(side)?.(dice) ?? 0;
  return odds === 0 ? 0 : stake * (1 + odds);
}
