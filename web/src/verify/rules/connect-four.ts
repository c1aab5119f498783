/** Connect Four, judged again. */

import type { Commands, Events, Outcome } from "../../wire/messages.ts";
import { truth, whole } from "../shapes.ts";
import { moveMs, numbers, Refused, type Rules } from "./rules.ts";

type Command = Commands["connect-four"] | { type: "time_up" };
type Event = Events["connect-four"];

interface Options {
  columns: number;
  rows: number;
  length: number;
  move_seconds: number;
}

interface State {
  options: Options;
  /** By column from the left, each from the bottom up: the seats whose stones lie there. */
  stones: number[][];
  turn: number;
  offer: number | null;
  movedAtMs: number;
  outcome: Outcome | null;
}

export const connectFour: Rules<State, Options, Command, Event> = {
  least: 2,
  most: 2,
  walkIn: false,
  timed: true,
  commands: { drop: { column: whole }, resign: {}, offer_draw: {}, answer_draw: { accept: truth } },
  timers: { time_up: {} },
  events: ["dropped", "resigned", "draw_offered", "draw_answered", "timed_out", "abandoned"],

  readOptions(given) {
    const options = numbers(given, {
      columns: { otherwise: 7, least: 3, most: 12 },
      rows: { otherwise: 6, least: 3, most: 12 },
      length: { otherwise: 4, least: 3, most: 12 },
      move_seconds: { otherwise: 0, least: 0, most: 86_400, fraction: true },
    });
    if (options.length > Math.max(options.columns, options.rows)) throw new Refused("bad_options");
    return options;
  },

  start({ options, atMs }) {
    const stones = Array.from({ length: options.columns }, () => []);
    return { options, stones, turn: 0, offer: null, movedAtMs: atMs, outcome: null };
  },

  decide(state, seat, command, { atMs }) {
    if (seat === null) {
      const due = this.timer(state);
      if (due === null || atMs < due.dueMs) throw new Refused("time_not_up");
      return [{ type: "timed_out", seat: state.turn }];
    }
    switch (command.type) {
      case "drop":
        checkDrop(state, seat, command.column);
        return [{ type: "dropped", seat, column: command.column, at_ms: atMs }];
      case "resign":
        return [{ type: "resigned", seat }];
      case "offer_draw":
        if (state.offer !== null) throw new Refused("offer_pending");
        return [{ type: "draw_offered", seat }];
      case "answer_draw":
        if (state.offer !== 1 - seat) throw new Refused("no_offer");
        return [{ type: "draw_answered", seat, accepted: command.accept }];
      default:
        throw new Refused("illegal_command");
    }
  },

  apply(state, event) {
    switch (event.type) {
      case "dropped":
        place(state, event.seat, event.column);
        state.movedAtMs = event.at_ms;
        break;
      case "draw_offered":
        state.offer = event.seat;
        break;
      case "draw_answered":
        state.offer = null;
        if (event.accepted) state.outcome = { winners: [], reason: "agreed" };
        break;
      case "resigned":
        state.outcome = { winners: [1 - event.seat], reason: "resigned" };
        break;
      case "timed_out":
        state.outcome = { winners: [1 - event.seat], reason: "time" };
        break;
      case "abandoned":
        state.outcome = { winners: [1 - event.seat], reason: "left" };
    }
  },

  outcome: (state) => state.outcome,
  leave: (_, seat) => [{ type: "abandoned", seat }],

  timer(state) {
    const ms = moveMs(state.options.move_seconds);
    if (ms === 0 || state.outcome !== null) return null;
    return { dueMs: state.movedAtMs + ms, command: "time_up" };
  },
};

function checkDrop(state: State, seat: number, column: number): void {
  if (seat !== state.turn) throw new Refused("not_your_turn");
  const stones = state.stones[column];
  if (stones === undefined) throw new Refused("no_such_column");
  if (stones.length === state.options.rows) throw new Refused("column_full");
}

function place(state: State, seat: number, column: number): void {
  const { stones, options } = state;
  const height = stones[column]?.push(seat) ?? 0;
  state.turn = 1 - seat;
  if (state.offer === 1 - seat) state.offer = null;
  if (makesLine(state, seat, column, height - 1)) {
    state.outcome = { winners: [seat], reason: "line" };
  } else if (stones.every((each) => each.length === options.rows)) {
    state.outcome = { winners: [], reason: "board_full" };
  }
}

/** Whether a line runs through this stone: no other can have come to be. */
function makesLine({ stones, options }: State, seat: number, column: number, row: number): boolean {
  const run = (right: number, up: number): number => {
    let count = 0;
    while (stones[column + right * (count + 1)]?.[row + up * (count + 1)] === seat) count++;
    return count;
  };
  const ways: [number, number][] = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ];
  return ways.some(([right, up]) => run(right, up) + 1 + run(-right, -up) >= options.length);
}
