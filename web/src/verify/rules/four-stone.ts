/** Four Stone, judged again. */

import type { Commands, Events, Outcome } from "../../wire/messages.ts";
import { place } from "../shapes.ts";
import { moveMs, numbers, Refused, type Rules } from "./rules.ts";

type Command = Commands["four-stone"] | { type: "time_up" };
type Event = Events["four-stone"];
type Place = [number, number];

const SIZE = 4;
const EMPTY = 0;
const STEPS: Place[] = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
];

interface State {
  moveMs: number;
  movedAtMs: number;
  /** Row by row from the top: 0 is empty, 1 a stone of seat 0, 2 one of seat 1. */
  board: number[];
  turn: number;
  /** How often each position has been there. */
  times: Map<string, number>;
  outcome: Outcome | null;
}

export const fourStone: Rules<State, { move_seconds: number }, Command, Event> = {
  least: 2,
  most: 2,
  walkIn: false,
  timed: true,
  commands: { move: { from: place, to: place }, resign: {} },
  timers: { time_up: {} },
  events: ["moved", "resigned", "timed_out", "abandoned"],

  readOptions(given) {
    return numbers(given, { move_seconds: { otherwise: 0, least: 0, most: 86_400, fraction: true } });
  },

  start({ options, atMs }) {
    const board = Array.from({ length: SIZE * SIZE }, (_, n) => (n < SIZE ? 2 : n >= 12 ? 1 : EMPTY));
    const times = new Map([[position(board, 0), 1]]);
    return { moveMs: moveMs(options.move_seconds), movedAtMs: atMs, board, turn: 0, times, outcome: null };
  },

  decide(state, seat, command, { atMs }) {
    if (seat === null) {
      const due = this.timer(state);
      if (due === null || atMs < due.dueMs) throw new Refused("time_not_up");
      return [{ type: "timed_out", seat: state.turn }];
    }
    if (command.type === "resign") return [{ type: "resigned", seat }];
    if (command.type !== "move") throw new Refused("illegal_command");
    const { from, to } = command;
    checkMove(state, seat, from, to);
    return [{ type: "moved", seat, from, to, taken: taken(state.board, seat, from, to), at_ms: atMs }];
  },

  apply(state, event) {
    switch (event.type) {
      case "moved":
        record(state, event.seat, event.from, event.to, event.taken);
        state.movedAtMs = event.at_ms;
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
    if (state.moveMs === 0 || state.outcome !== null) return null;
    return { dueMs: state.movedAtMs + state.moveMs, command: "time_up" };
  },
};

const onBoard = ([x, y]: Place): boolean => x >= 0 && x < SIZE && y >= 0 && y < SIZE;
const at = ([x, y]: Place): number => SIZE * y + x;
const position = (board: readonly number[], turn: number): string => `${board.join("")}:${turn}`;

function checkMove({ board, turn }: State, seat: number, from: Place, to: Place): void {
  if (seat !== turn) throw new Refused("not_your_turn");
  if (!onBoard(from) || !onBoard(to)) throw new Refused("no_such_place");
  if (board[at(from)] !== seat + 1) throw new Refused("not_your_stone");
  if (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]) !== 1) throw new Refused("not_adjacent");
  if (board[at(to)] !== EMPTY) throw new Refused("place_taken");
}

/** The enemies that fall in the row and the column of the stone that moves, row by row. */
function taken(before: readonly number[], seat: number, from: Place, to: Place): Place[] {
  const board = [...before];
  board[at(from)] = EMPTY;
  board[at(to)] = seat + 1;
  const own = (place: Place): boolean => board[at(place)] === seat + 1;
  const enemy = (place: Place): boolean => board[at(place)] === 2 - seat;
  const fallen = new Map<number, Place>();
  const row = [0, 1, 2, 3].map((x): Place => [x, to[1]]);
  const column = [0, 1, 2, 3].map((y): Place => [to[0], y]);
  for (const line of [row, row.toReversed(), column, column.toReversed()]) {
    const [first, second, third, fourth] = line as [Place, Place, Place, Place];
    if (own(first) && own(second) && enemy(third) && !enemy(fourth)) fallen.set(at(third), third);
    if (!enemy(first) && own(second) && own(third) && enemy(fourth)) fallen.set(at(fourth), fourth);
  }
  return [...fallen].toSorted(([one], [other]) => one - other).map(([, place]) => place);
}

function record(state: State, seat: number, from: Place, to: Place, fallen: readonly Place[]): void {
  const { board, times } = state;
  board[at(from)] = EMPTY;
  board[at(to)] = seat + 1;
  for (const place of fallen) board[at(place)] = EMPTY;
  state.turn = 1 - seat;
  const now = position(board, state.turn);
  const count = (times.get(now) ?? 0) + 1;
  times.set(now, count);
  if (board.filter((stone) => stone === 2 - seat).length < 2) {
    state.outcome = { winners: [seat], reason: "one_stone" };
  } else if (!canMove(board, 2 - seat)) {
    state.outcome = { winners: [seat], reason: "no_move" };
  } else if (count === 3) {
    state.outcome = { winners: [], reason: "repetition" };
  }
}

function canMove(board: readonly number[], colour: number): boolean {
  return board.some((stone, n) => {
    const [x, y] = [n % SIZE, Math.floor(n / SIZE)];
    const beside = STEPS.map(([right, down]): Place => [x + right, y + down]).filter(onBoard);
    return stone === colour && beside.some((place) => board[at(place)] === EMPTY);
  });
}
