/** Two-player Bingo, judged again. */

import type { Commands, Events, Outcome } from "../../wire/messages.ts";
import { whole } from "../shapes.ts";
import { numbers, Refused, type Rules } from "./rules.ts";

interface State {
  size: number;
  rated: boolean;
  boards: readonly [readonly number[], readonly number[]];
  picked: Set<number>;
  turn: number;
  quitter: { seat: number; how: string } | null;
}

export const bingoDuel: Rules<State, { size: number }, Commands["bingo-duel"], Events["bingo-duel"]> = {
  least: 2,
  most: 2,
  walkIn: false,
  timed: true,
  commands: { pick: { number: whole }, resign: {} },
  timers: {},
  events: ["boards_dealt", "picked", "resigned", "abandoned"],

  readOptions: (given) => numbers(given, { size: { otherwise: 7, least: 3, most: 20 } }),

  start({ options, rated }) {
    return { size: options.size, rated, boards: [[], []], picked: new Set(), turn: 1, quitter: null };
  },

  begin(state, { chance, drawn }) {
    const every = Array.from({ length: state.size ** 2 }, (_, n) => n + 1);
    drawn.boards += 2;
    const boards: [number[], number[]] = [chance.shuffled("board:0", every), chance.shuffled("board:1", every)];
    return [{ type: "boards_dealt", boards, ...(state.rated && { hidden: true }) }];
  },

  decide(state, seat, command) {
    if (seat === null) throw new Refused("illegal_command");
    if (command.type === "resign") return [{ type: "resigned", seat }];
    if (command.type !== "pick") throw new Refused("illegal_command");
    if (seat !== state.turn) throw new Refused("not_your_turn");
    if (command.number < 1 || command.number > state.size ** 2) throw new Refused("no_such_number");
    if (state.picked.has(command.number)) throw new Refused("already_picked");
    return [{ type: "picked", seat, number: command.number }];
  },

  apply(state, event) {
    switch (event.type) {
      case "boards_dealt":
        state.boards = event.boards;
        break;
      case "picked":
        state.picked.add(event.number);
        state.turn = 1 - event.seat;
        break;
      case "resigned":
      case "abandoned":
        state.quitter = { seat: event.seat, how: event.type };
    }
  },

  outcome(state): Outcome | null {
    const { size, quitter } = state;
    const lines = [fullLines(state, 0), fullLines(state, 1)] as const;
    if (quitter !== null) {
      const own = Math.min(lines[quitter.seat === 0 ? 0 : 1], size - 1);
      const scores = quitter.seat === 0 ? { 0: own, 1: size } : { 0: size, 1: own };
      return { winners: [1 - quitter.seat], reason: quitter.how, scores };
    }
    const winners = [0, 1].filter((seat) => (lines[seat] ?? 0) >= size);
    if (winners.length === 0) return null;
    const scores = { 0: lines[0], 1: lines[1] };
    return winners.length === 2 ? { winners: [], reason: "draw", scores } : { winners, reason: "bingo", scores };
  },

  leave: (_, seat) => [{ type: "abandoned", seat }],
  timer: () => null,
};

/** How many rows, columns and diagonals of a seat's board are picked in full. */
function fullLines({ size, boards, picked }: State, seat: 0 | 1): number {
  const board = boards[seat];
  const places = Array.from({ length: size }, (_, n) => n);
  const lines = [
    ...places.map((row) => places.map((column) => row * size + column)),
    ...places.map((column) => places.map((row) => row * size + column)),
    places.map((n) => n * size + n),
    places.map((n) => n * size + size - 1 - n),
  ];
  return lines.filter((line) => line.every((n) => picked.has(board[n] ?? 0))).length;
}
