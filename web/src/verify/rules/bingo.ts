/** Called Bingo, judged again. */

import type { Commands, Events, Outcome } from "../../wire/messages.ts";
import type { Chance } from "../chance.ts";
import { truth } from "../shapes.ts";
import { type Bounds, numbers, Refused, type Rules } from "./rules.ts";

type Command = Commands["bingo"] | { type: "call" };
type Event = Events["bingo"];

const NUMBERS = 75;
const COLUMN = 15;
const CENTRE = 12;
const SECONDS: Record<"pause_seconds" | "ready_seconds", Bounds> = {
  pause_seconds: { otherwise: 1, least: 0, most: 3600, fraction: true },
  ready_seconds: { otherwise: 10, least: 0, most: 3600, fraction: true, above: true },
};

interface Options {
  free_centre: boolean;
}

interface State {
  options: Options;
  seats: Set<number>;
  /** By seat, each column by column; empty until a round starts. */
  cards: Map<number, readonly number[]>;
  playing: Set<number>;
  /** In which the numbers are called; null before the first. */
  order: number[] | null;
  called: number[];
  how: string | null;
  winner: number | null;
  /** The cards that were drawn ahead of being dealt. */
  drawn: Map<number, number[]>;
}

export const bingo: Rules<State, Options, Command, Event> = {
  least: 0,
  most: 10_000,
  walkIn: false,
  // Who was ready, and so when the next number was due, is in no journal.
  timed: false,
  commands: { ready: {}, claim: {}, start: {} },
  timers: { call: {} },
  events: ["joined", "parted", "cards_dealt", "called", "bingo_claimed", "all_called"],

  readOptions(given) {
    const { free_centre = true, ...seconds } = given;
    if (!truth(free_centre)) throw new Refused("bad_options");
    numbers(seconds, SECONDS);
    return { free_centre: free_centre === true };
  },

  start({ options, seats }) {
    return {
      options,
      seats: new Set(seats),
      cards: new Map(),
      playing: new Set(),
      order: null,
      called: [],
      how: null,
      winner: null,
      drawn: new Map(),
    };
  },

  *prepare(state, command, { chance }) {
    if (command.type !== "start") return;
    for (const seat of state.seats) {
      state.drawn.set(seat, dealtCard(chance, seat, state.options.free_centre));
      yield;
    }
  },

  decide(state, seat, command, { atMs, chance, drawn }) {
    if (command.type === "start" && seat !== null) {
      if (state.cards.size > 0) throw new Refused("round_running");
      const seats = [...state.seats].sort((one, other) => one - other);
      drawn.cards += seats.length;
      const cards = seats.map((n) => [n, state.drawn.get(n) ?? []] as const);
      return [{ type: "cards_dealt", at_ms: atMs, count: seats.length, cards: Object.fromEntries(cards) }];
    }
    if (command.type === "claim" && seat !== null) {
      if (state.cards.size === 0) throw new Refused("no_round");
      if (!state.playing.has(seat)) throw new Refused("no_card");
      if (!hasBingo(state.cards.get(seat) ?? [], new Set([0, ...state.called]))) throw new Refused("no_bingo");
      return [{ type: "bingo_claimed", seat }];
    }
    if (command.type === "call" && seat === null && state.cards.size > 0) {
      if (state.called.length === NUMBERS) return [{ type: "all_called" }];
      state.order ??= chance.shuffled(
        "calls",
        Array.from({ length: NUMBERS }, (_, n) => n + 1),
      );
      drawn.calls += 1;
      const number = state.order[state.called.length] ?? 0;
      return [{ type: "called", number, at_ms: atMs }];
    }
    throw new Refused("illegal_command");
  },

  apply(state, event) {
    switch (event.type) {
      case "joined":
        state.seats.add(event.seat);
        break;
      case "parted":
        state.seats.delete(event.seat);
        state.playing.delete(event.seat);
        if (state.cards.size > 0 && state.playing.size === 0) state.how = "abandoned";
        break;
      case "cards_dealt":
        state.cards = new Map(Object.entries(event.cards).map(([seat, card]) => [Number(seat), card]));
        state.playing = new Set(state.cards.keys());
        break;
      case "called":
        state.called.push(event.number);
        break;
      case "bingo_claimed":
        state.how = "bingo";
        state.winner = event.seat;
        break;
      case "all_called":
        state.how = "all_called";
    }
  },

  outcome(state): Outcome | null {
    if (state.how === null) return null;
    return { winners: state.winner === null ? [] : [state.winner], reason: state.how, again_ms: 0 };
  },

  join: (_, seat) => [{ type: "joined", seat }],
  leave: (_, seat) => [{ type: "parted", seat }],

  timer(state) {
    if (state.cards.size === 0 || state.how !== null) return null;
    return { dueMs: 0, command: "call" };
  },

  tookPart: (state) => new Set(state.cards.keys()),
};

/** The card of a seat: five numbers of each column, drawn by their place among the rest. */
export function dealtCard(chance: Chance, seat: number, freeCentre: boolean): number[] {
  const sizes = Array.from({ length: 25 }, (_, n) => COLUMN - (n % 5));
  const places = chance.below(`card:${seat}`, sizes);
  const card = [0, 1, 2, 3, 4].flatMap((column) => {
    const left = Array.from({ length: COLUMN }, (_, n) => column * COLUMN + n + 1);
    const own = places.slice(column * 5, column * 5 + 5).flatMap((place) => left.splice(place, 1));
    return own.sort((one, other) => one - other);
  });
  if (freeCentre) card[CENTRE] = 0;
  return card;
}

/** Whether a row, a column or a diagonal is called in full; a free centre is the number 0. */
export function hasBingo(card: readonly number[], called: ReadonlySet<number>): boolean {
  const five = [0, 1, 2, 3, 4];
  const lines = [
    ...five.map((column) => five.map((row) => column * 5 + row)),
    ...five.map((row) => five.map((column) => column * 5 + row)),
    five.map((n) => n * 6),
    five.map((n) => n * 4 + 4),
  ];
  return lines.some((line) => line.every((place) => called.has(card[place] ?? -1)));
}
