import type { Events, Views } from "../../wire/messages.ts";
import { fullLines } from "./lines.ts";

type View = Views["bingo-duel"];
type Side = View["sides"][number];

/** The view after an event; null where it shows something of a board that was hidden. */
export function reduce(view: View, event: Events["bingo-duel"]): View | null {
  switch (event.type) {
    case "boards_dealt": {
      const [first, second] = event.boards;
      const hidden = event.hidden === true;
      return { ...view, sides: [dealt(view, 0, first, hidden), dealt(view, 1, second, hidden)] };
    }
    case "picked":
      return picked(view, event.seat, event.number);
    case "resigned":
    case "abandoned":
      return view.sides.every(isOpen) ? { ...view, turn: null } : null;
  }
}

function dealt(view: View, seat: 0 | 1, board: readonly number[], hidden: boolean): Side {
  const { size } = view;
  if (board.length === 0) {
    const side = view.sides[seat];
    // Spectators are told how many lines are full even where they may not see the numbers.
    return view.seat === null && hidden ? { ...side, lines: 0 } : side;
  }
  const rows = Array.from({ length: size }, (_, row) => board.slice(row * size, (row + 1) * size));
  return { board: rows, lines: 0 };
}

function picked(view: View, seat: number, number: number): View | null {
  const { size } = view;
  const numbers = [...view.picked, number];
  // A board that one does not see may be complete now, and is shown then.
  if (!view.sides.every(isOpen) && (view.seat === null || numbers.length >= leastToWin(size))) return null;
  const marked = new Set(numbers);
  const count = (side: Side): Side =>
    side.lines === null ? side : { ...side, lines: fullLines(side.board, marked).length };
  const sides: [Side, Side] = [count(view.sides[0]), count(view.sides[1])];
  const over = sides.some(({ lines }) => (lines ?? 0) >= size);
  return { ...view, picked: numbers, sides, turn: over ? null : 1 - seat };
}

function isOpen(side: Side): boolean {
  return side.board.every((row) => !row.includes(0));
}

/** Fewer numbers never make as many lines as a board has rows: both diagonals, and rows and columns
 * by halves, leave the most places out. */
function leastToWin(size: number): number {
  return size ** 2 - Math.floor((size + 2) ** 2 / 4) + 3;
}
