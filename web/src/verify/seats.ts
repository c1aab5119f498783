/** Where a table stands between two rows, and who sits at it. */

import type { Outcome } from "../wire/messages.ts";
import { type Opened, type Person, personIn, personsIn } from "./house.ts";
import { type AnyRules, Refused, type Typed } from "./rules/rules.ts";
import type { Fields } from "./shapes.ts";

export interface TableState {
  opened: Opened;
  options: unknown;
  chairs: Map<number, Person>;
  /** Who may act, by player. One who left keeps the chair in the round's record, and no more. */
  seatOf: Map<number, number>;
  reserved: Person[];
  /** The game's own state; null until it starts. */
  game: unknown;
  gone: Set<number>;
  rematch: Set<number>;
  nextOptions: Fields | null;
  over: boolean;
  againMs: number | null;
  endedAtMs: number;
  closed: boolean;
}

export function openedState(opened: Opened, rules: AnyRules): TableState {
  const chairs = (opened.chairs ?? []).map(({ seat, person }) => [seat, personIn(person)] as const);
  return {
    opened,
    options: rules.readOptions(opened.options as Fields),
    chairs: new Map(chairs),
    seatOf: new Map(chairs.map(([seat, person]) => [person.player, seat])),
    reserved: personsIn(opened.reserved),
    game: null,
    gone: new Set(),
    rematch: new Set(),
    nextOptions: null,
    over: false,
    againMs: null,
    endedAtMs: 0,
    closed: false,
  };
}

export function ascending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}

export function sits(state: TableState, seat: number): boolean {
  const person = state.chairs.get(seat);
  return person !== undefined && state.seatOf.get(person.player) === seat;
}

/** Whether anyone but bots may act. */
export function hasPeople(state: TableState): boolean {
  return [...state.seatOf.values()].some((seat) => state.chairs.get(seat)?.bot === undefined);
}

/** The seat that this player gets. Throws Refused. */
export function freeSeat(state: TableState, rules: AnyRules, player: number, wish: number | null): number {
  for (const seat of state.gone) if (state.chairs.get(seat)?.player === player) return seat;
  const held = state.reserved.filter((each) => each.player !== player && !state.seatOf.has(each.player));
  if (state.chairs.size + held.length >= rules.most) throw new Refused("table_full");
  if (wish === null) {
    let seat = state.chairs.size;
    if (state.chairs.has(seat)) for (seat = 0; state.chairs.has(seat); seat++);
    return seat;
  }
  if (state.opened.drawn !== false && state.game === null) throw new Refused("seats_drawn");
  if (state.chairs.has(wish) || wish < 0 || wish >= rules.most) throw new Refused("seat_taken");
  return wish;
}

/** How each of the hall's own events but `opened`, which begins a new state, changes it. */
export function record(state: TableState, event: Typed & Fields, rules: AnyRules): void {
  const seat = event.seat as number;
  switch (event.type) {
    case "seated": {
      const person = event.person as Person;
      state.chairs.set(seat, person);
      state.seatOf.set(person.player, seat);
      state.gone.delete(seat);
      break;
    }
    case "seats_drawn":
      drawSeats(state, event.order as number[]);
      break;
    case "started": {
      const { opened, options } = state;
      const [atMs, seats] = [event.at_ms as number, ascending(state.chairs.keys())];
      const { round, carry, rated = false } = opened;
      state.reserved = [];
      state.game = rules.start({ options, seats, round, atMs, carry, rated });
      break;
    }
    case "left":
      leave(state, seat, rules);
      break;
    case "rematch_wanted":
      state.rematch.add(seat);
      break;
    case "reservations_lapsed":
      state.reserved = [];
      break;
    case "options_set":
      state.nextOptions = event.options as Fields;
      break;
    case "round_ended":
      end(state, event, (event.outcome as Outcome).again_ms ?? null);
      break;
    case "round_voided":
      end(state, event, (event.again_ms as number | undefined) ?? null);
      break;
    case "closed":
      state.closed = true;
      break;
    default:
      rules.apply(state.game, event);
  }
}

function drawSeats(state: TableState, order: readonly number[]): void {
  const people = ascending(state.chairs.keys()).map((seat) => state.chairs.get(seat) as Person);
  const moved = people.map((person, n) => [order[n] as number, person] as const);
  state.chairs = new Map(moved.toSorted(([one], [other]) => one - other));
  state.seatOf = new Map(moved.map(([seat, person]) => [person.player, seat]));
}

function leave(state: TableState, seat: number, rules: AnyRules): void {
  state.seatOf.delete(state.chairs.get(seat)?.player ?? -1);
  const everyone = rules.tookPart === undefined;
  const counts = state.game === null ? false : everyone || rules.tookPart?.(state.game).has(seat);
  if (counts) state.gone.add(seat);
  // The round does not count for it, so the chair is free for the next who comes.
  else state.chairs.delete(seat);
}

function end(state: TableState, event: Fields, againMs: number | null): void {
  state.over = true;
  state.againMs = againMs;
  state.endedAtMs = event.at_ms as number;
}
