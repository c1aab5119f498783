/** Sic Bo, judged again. */

import type { Commands, Events } from "../../wire/messages.ts";
import { has, hasOnly, list, maybe, oneOf, orNull, type Shape, whole } from "../shapes.ts";
import { numbers, Refused, type Rules, toMs } from "./rules.ts";

type Side = "BIG" | "SMALL";
type Command = Commands["sicbo"] | { type: "close_betting" } | { type: "reveal" };
type Rolled = Extract<Events["sicbo"], { type: "rolled" }>;
/** In the order of the first bets, which an object would not keep. */
type Settled = { type: "settled"; payouts: Map<number, [bet: number, chips: number][]> };
type Event = Exclude<Events["sicbo"], { type: "settled" }> | Settled;

const BETS_MAX = 1000;
const ROUND_BETS_MAX = 100_000;
const HISTORY_MAX = 60;
const DAY_SECONDS = 86_400;

interface Options {
  betting_seconds: number;
  reveal_seconds: number;
  pause_seconds: number;
  bet_max: number;
}

interface Stake {
  big: number;
  small: number;
}

interface Tally extends Stake {
  players: number;
  players_big: number;
  players_small: number;
}

interface Bettor {
  stake: Stake;
  bets: { bet: number; side: Side; amount: number }[];
}

interface State {
  options: Options;
  round: number;
  openMs: number;
  closeMs: number;
  bets: number;
  betsBefore: number;
  history: readonly unknown[];
  closedAtMs: number | null;
  tally: Tally;
  bettors: Map<number, Bettor>;
  rolled: Rolled | null;
}

export const sicbo: Rules<State, Options, Command, Event> = {
  least: 0,
  most: 10_000,
  walkIn: true,
  timed: true,
  commands: { bet: { side: oneOf("BIG", "SMALL"), amount: whole, round: maybe(orNull(whole)) } },
  timers: { close_betting: {}, reveal: {} },
  events: ["bet_placed", "betting_closed", "rolled", "settled"],

  readOptions: (given) =>
    numbers(given, {
      betting_seconds: { otherwise: 30, least: 0, most: DAY_SECONDS, fraction: true, above: true },
      reveal_seconds: { otherwise: 3, least: 0, most: DAY_SECONDS, fraction: true },
      pause_seconds: { otherwise: 5, least: 0, most: DAY_SECONDS, fraction: true },
      bet_max: { otherwise: 1_000_000, least: 1, most: 10 ** 12 },
    }),

  start({ options, round, atMs, carry }) {
    const { bets, history } = readCarry(carry);
    return {
      options,
      round,
      openMs: atMs,
      closeMs: atMs + toMs(options.betting_seconds),
      bets,
      betsBefore: bets,
      history,
      closedAtMs: null,
      tally: { big: 0, small: 0, players: 0, players_big: 0, players_small: 0 },
      bettors: new Map(),
      rolled: null,
    };
  },

  decide(state, seat, command, { atMs, chance, drawn }) {
    const takesBets = state.closedAtMs === null;
    if (seat !== null && command.type === "bet") return [betPlaced(state, seat, command, atMs)];
    if (seat === null && command.type === "close_betting" && takesBets) {
      return [{ type: "betting_closed", at_ms: atMs, tally: state.tally }];
    }
    if (seat === null && command.type === "reveal" && !takesBets && state.rolled === null) {
      const [one = 0, two = 0, three = 0] = chance.below("dice", [6, 6, 6]).map((n) => n + 1);
      drawn.dice += 1;
      const sum = one + two + three;
      const result = sum === 3 || sum === 18 ? "NONE" : sum > 10 ? "BIG" : "SMALL";
      const rolled: Rolled = { type: "rolled", dice: [one, two, three], sum, result };
      return state.bettors.size === 0 ? [rolled] : [rolled, settled(state, result)];
    }
    throw new Refused("illegal_command");
  },

  apply(state, event) {
    switch (event.type) {
      case "bet_placed": {
        const bets = state.bettors.get(event.seat)?.bets ?? [];
        bets.push({ bet: event.bet, side: event.side, amount: event.amount });
        state.bettors.set(event.seat, { stake: event.stake as Stake, bets });
        state.tally = event.tally as Tally;
        state.bets = event.bet;
        break;
      }
      case "betting_closed":
        state.closedAtMs = event.at_ms;
        break;
      case "rolled":
        state.rolled = event;
        break;
      case "settled": // What was paid changes nothing that is decided later.
    }
  },

  outcome(state) {
    if (state.rolled === null) return null;
    const pauseMs = Math.max(1, toMs(state.options.pause_seconds));
    return { winners: [], reason: state.rolled.result.toLowerCase(), again_ms: pauseMs };
  },

  join: () => [],
  leave: () => [],

  timer(state) {
    if (state.closedAtMs === null) return { dueMs: state.closeMs, command: "close_betting" };
    if (state.rolled !== null) return null;
    return { dueMs: state.closedAtMs + toMs(state.options.reveal_seconds), command: "reveal" };
  },

  carry({ bets, history, rolled, round, openMs, closeMs, tally }) {
    if (rolled === null) return { bets, history };
    const { dice, sum, result } = rolled;
    const past = { round, open_ms: openMs, close_ms: closeMs, tally, dice, sum, result };
    return { bets, history: [...history, past].slice(-HISTORY_MAX) };
  },
};

const TALLY: Shape = { big: whole, small: whole, players: whole, players_big: whole, players_small: whole };
const PAST: Shape = {
  round: whole,
  open_ms: whole,
  close_ms: whole,
  tally: (value) => hasOnly(value, TALLY),
  dice: (value) => list(whole)(value) && (value as number[]).length === 3,
  sum: whole,
  result: oneOf("BIG", "SMALL", "NONE"),
};

function readCarry(carry: unknown): { bets: number; history: readonly unknown[] } {
  if (carry === undefined || carry === null) return { bets: 0, history: [] };
  if (!has(carry, { bets: whole, history: list((past) => hasOnly(past, PAST)) })) throw new Refused("illegal_command");
  return { bets: carry["bets"] as number, history: carry["history"] as unknown[] };
}

function betPlaced(state: State, seat: number, bet: Commands["sicbo"], atMs: number): Event {
  const { round = null, side, amount } = bet;
  if (round !== null && (round < 1 || round > state.round)) throw new Refused("round_not_found");
  const closed = state.closedAtMs !== null || atMs >= state.closeMs;
  if (closed || (round !== null && round !== state.round)) throw new Refused("bet_window_closed");
  if (amount < 1 || amount > state.options.bet_max) throw new Refused("invalid_amount");
  const before = state.bettors.get(seat);
  if (before !== undefined && before.bets.length >= BETS_MAX) throw new Refused("too_many");
  if (state.bets - state.betsBefore >= ROUND_BETS_MAX) throw new Refused("too_many");
  const own = before?.stake ?? { big: 0, small: 0 };
  const [big, small] = side === "BIG" ? [amount, 0] : [0, amount];
  const all = state.tally;
  return {
    type: "bet_placed",
    seat,
    bet: state.bets + 1,
    side,
    amount,
    stake: { big: own.big + big, small: own.small + small },
    tally: {
      big: all.big + big,
      small: all.small + small,
      players: all.players + (before === undefined ? 1 : 0),
      players_big: all.players_big + (own.big === 0 && big > 0 ? 1 : 0),
      players_small: all.players_small + (own.small === 0 && small > 0 ? 1 : 0),
    },
  };
}

function settled(state: State, result: string): Settled {
  const payouts: Settled["payouts"] = new Map();
  for (const [seat, { bets }] of state.bettors) {
    payouts.set(
      seat,
      bets.map(({ bet, side, amount }) => [bet, side === result ? 2 * amount : 0]),
    );
  }
  return { type: "settled", payouts };
}
