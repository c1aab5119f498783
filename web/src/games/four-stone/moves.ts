/** Where stones lie and where they may go. */

import type { Commands, Views } from "../../wire/messages.ts";

type Board = Views["four-stone"]["board"];
export type Move = Extract<Commands["four-stone"], { type: "move" }>;
/** As `[x, y]`, y downwards. */
export type Place = Move["from"];

export const SIZE = 4;
const STEPS = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
] as const;

export function samePlace(one: Place, other: Place): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

export function stonesOf(board: Board, seat: number): Place[] {
  return board.flatMap((row, y) => row.flatMap((stone, x): Place[] => (stone === seat + 1 ? [[x, y]] : [])));
}

/** The free places beside, above and below this one. */
export function targetsOf(board: Board, [x, y]: Place): Place[] {
  return STEPS.map(([right, down]): Place => [x + right, y + down]).filter(
    ([column, row]) => board[row]?.[column] === 0,
  );
}

export function movesOf(board: Board, seat: number): Move[] {
  return stonesOf(board, seat).flatMap((from) =>
    targetsOf(board, from).map((to): Move => ({ type: "move", from, to })),
  );
}
