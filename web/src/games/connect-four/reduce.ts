import type { Events, Views } from "../../wire/messages.ts";
import { deadlineMs } from "../clock.ts";
import type { Sight } from "../game.ts";

type View = Views["connect-four"];
type Event = Events["connect-four"];
type Spot = View["line"][number];

/** How the lines of a board run: right, down, and both ways aslant. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

export function reduce(view: View, event: Event, sight: Sight<"connect-four">): View {
  switch (event.type) {
    case "dropped":
      return dropped(view, event, sight.options.move_seconds);
    case "draw_offered":
      return { ...view, offer: event.seat };
    case "draw_answered":
      return event.accepted ? over(view) : { ...view, offer: null };
    case "resigned":
    case "timed_out":
    case "abandoned":
      return over(view);
  }
}

/** The row on which a stone would come to lie in this column; -1 if the column is full. */
export function landingRow(board: View["board"], column: number): number {
  return board.findLastIndex((row) => row[column] === 0);
}

function over(view: View): View {
  return { ...view, turn: null, offer: null, deadline_ms: null };
}

function dropped(view: View, event: Extract<Event, { type: "dropped" }>, moveSeconds: number | undefined): View {
  const { column, seat, at_ms } = event;
  const row = landingRow(view.board, column);
  const board = view.board.with(row, (view.board[row] ?? []).with(column, seat + 1));
  const line = stonesInLines(board, seat + 1, view.length);
  const next: View = {
    ...view,
    board,
    turn: 1 - seat,
    last: { column, row },
    line,
    offer: view.offer === 1 - seat ? null : view.offer,
    deadline_ms: deadlineMs(at_ms, moveSeconds),
  };
  const full = board[0]?.every((stone) => stone !== 0);
  return line.length > 0 || full ? over(next) : next;
}

/** Every stone of this kind that is part of a line, row by row. */
function stonesInLines(board: View["board"], kind: number, length: number): Spot[] {
  const isKind = (column: number, row: number) => board[row]?.[column] === kind;
  const spots = board.flatMap((cells, row) => cells.map((_, column): Spot => ({ column, row })));
  const found = new Set<string>();
  for (const { column, row } of spots) {
    for (const [right, down] of DIRECTIONS) {
      const run = Array.from({ length }, (_, n) => [column + n * right, row + n * down] as const);
      if (!run.every(([x, y]) => isKind(x, y))) continue;
      for (const place of run) found.add(place.join());
    }
  }
  return spots.filter(({ column, row }) => found.has([column, row].join()));
}
