/** The sides of a table as they lie on the page, and what the dice say of each. */

import { comesBack } from "../../verify/rules/sicbo-layout.ts";
import type { Commands, Views } from "../../wire/messages.ts";

type View = Views["sicbo"];
export type Side = Extract<Commands["sicbo"], { type: "bet" }>["side"];

/** One of the smaller places: a sum, or numbers that dice show. */
export interface Place {
  side: Side;
  /** The sum, or what the dice show; none for any triple. */
  numbers: readonly number[];
}

export type GroupName = "sums" | "triples" | "doubles" | "singles" | "pairs";

const NUMBERS = [1, 2, 3, 4, 5, 6] as const;
const SUMS = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] as const;

export const HALVES = ["SMALL", "BIG", "ODD", "EVEN"] as const satisfies readonly Side[];
export type Half = (typeof HALVES)[number];

export const GROUPS: readonly (readonly [GroupName, readonly Place[]])[] = [
  ["sums", SUMS.map((sum) => ({ side: `SUM${sum}`, numbers: [sum] }))],
  [
    "triples",
    [...NUMBERS.map((n): Place => ({ side: `LEO${n}`, numbers: [n, n, n] })), { side: "ANY_LEO", numbers: [] }],
  ],
  ["doubles", NUMBERS.map((n) => ({ side: `DICE${n}DB`, numbers: [n, n] }))],
  ["singles", NUMBERS.map((n) => ({ side: `DICE${n}SG`, numbers: [n] }))],
  [
    "pairs",
    NUMBERS.flatMap((low) =>
      NUMBERS.slice(low).map((high): Place => ({ side: `DICE${low}${high}` as Side, numbers: [low, high] })),
    ),
  ],
];

/** How a side stands. */
export interface OnSide {
  /** To one; of a single number when one, two or three dice show it. */
  odds: readonly number[];
  /** What everyone has on it together. */
  chips: number;
  players: number;
  /** One's own. */
  stake: number;
  won: boolean;
}

export function onSide(view: View, side: Side): OnSide {
  return {
    odds: view.odds[side] ?? [],
    ...everyones(view, side),
    stake: ownOn(view.stake, side),
    won: view.status === "FINISH" && comesBack(side, 1, view.dice) > 0,
  };
}

function everyones({ tally, sides }: View, side: Side): { chips: number; players: number } {
  if (side === "BIG") return { chips: tally.big, players: tally.players_big };
  if (side === "SMALL") return { chips: tally.small, players: tally.players_small };
  const on = sides[side];
  return { chips: on?.total ?? 0, players: on?.players ?? 0 };
}

function ownOn(stake: View["stake"], side: Side): number {
  if (side === "BIG") return stake.big;
  return side === "SMALL" ? stake.small : (stake.sides?.[side] ?? 0);
}

/** As `60:1`, in every language. */
export const shownOdds = (odds: readonly number[]): string => `${odds.join("/")}:1`;

/** All of one's own. */
export const ownTotal = (view: View): number => view.bets.reduce((sum, bet) => sum + bet.amount, 0);

/** Everyone's. */
export const allChips = ({ tally }: View): number => tally.big + tally.small + (tally.others ?? 0);
