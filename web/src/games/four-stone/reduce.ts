import type { Events, Views } from "../../wire/messages.ts";
import { deadlineMs } from "../clock.ts";
import type { Sight } from "../game.ts";
import { movesOf, samePlace, stonesOf } from "./moves.ts";

type View = Views["four-stone"];
type Event = Events["four-stone"];

/** Whoever has fewer stones has lost. */
const FEWEST = 2;
/** A position that is there for this time ends the game. */
const DRAWN = 3;

/** How often each position was there up to a view, since the last stone fell: what was before that
 * never comes back. */
type Positions = ReadonlyMap<string, number>;
const counted = new WeakMap<View, Positions>();

export function reduce(view: View, event: Event, sight: Sight<"four-stone">): View | null {
  return event.type === "moved" ? moved(view, event, sight.options.move_seconds) : over(view);
}

function over(view: View): View {
  return { ...view, turn: null, deadline_ms: null };
}

function moved(view: View, event: Extract<Event, { type: "moved" }>, moveSeconds: number | undefined): View | null {
  const { seat, from, to, taken, at_ms } = event;
  const before: Positions | null = taken.length > 0 ? new Map() : positionsUpTo(view);
  if (before === null) return null;
  const emptied = [from, ...taken];
  const board = view.board.map((row, y) =>
    row.map((stone, x) => {
      if (samePlace(to, [x, y])) return seat + 1;
      return emptied.some((place) => samePlace(place, [x, y])) ? 0 : stone;
    }),
  );
  const turn = 1 - seat;
  const position = positionOf(board, turn);
  const times = (before.get(position) ?? 0) + 1;
  const next: View = {
    board,
    turn,
    last: { from, to, taken },
    times,
    deadline_ms: deadlineMs(at_ms, moveSeconds),
  };
  const lost = stonesOf(board, turn).length < FEWEST || movesOf(board, turn).length === 0;
  if (lost || times === DRAWN) return over(next);
  counted.set(next, new Map([...before, [position, times]]));
  return next;
}

/** Null if nobody knows: the hall has sent this view in mid-game. */
function positionsUpTo(view: View): Positions | null {
  const isFirst = view.last === null || view.last.taken.length > 0;
  return counted.get(view) ?? (isFirst ? new Map([[positionOf(view.board, view.turn), 1]]) : null);
}

function positionOf(board: View["board"], turn: number | null): string {
  return `${board.flat().join("")}:${turn}`;
}
