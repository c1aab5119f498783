/** Sic Bo, judged again. */

import type { Commands, Events } from "../../wire/messages.ts";
import { has, hasOnly, list, maybe, oneOf, orNull, type Shape, whole } from "../shapes.ts";
import { numbers, Refused, type Rules, toMs } from "./rules.ts";
import { comesBack, SIDES, type Side } from "./sicbo-layout.ts";

type OneBet = { side: Side; amount: number };
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

/** On the sides beside BIG and SMALL only where there is something, as the hall writes it. */
interface Stake {
  big: number;
  small: number;
  sides?: Readonly<Record<Side, number>>;
}

interface Tally {
  big: number;
  small: number;
  players: number;
  players_big: number;
  players_small: number;
  others?: number;
}

const NO_STAKE: Stake = { big: 0, small: 0 };

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
  /** What lies on the sides beside BIG and SMALL. */
  sides: Readonly<Record<Side, { total: number; players: number }>>;
  bettors: Map<number, Bettor>;
  rolled: Rolled | null;
}

const ONE_BET: Shape = { side: oneOf(...SIDES), amount: whole };

function severalBets(value: unknown): boolean {
  if (!list((bet) => hasOnly(bet, ONE_BET))(value)) return false;
  const { length } = value as unknown[];
  return length >= 1 && length <= BETS_MAX;
}

export const sicbo: Rules<State, Options, Command, Event> = {
  least: 0,
  most: 10_000,
  walkIn: true,
  timed: true,
  commands: {
    bet: { ...ONE_BET, round: maybe(orNull(whole)) },
    place_bets: { bets: severalBets, round: maybe(orNull(whole)) },
  },
  timers: { close_betting: {}, reveal: {} },
  events: ["bet_placed", "bets_placed", "betting_closed", "rolled", "settled"],

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
      sides: {},
      bettors: new Map(),
      rolled: null,
    };
  },

  decide(state, seat, command, { atMs, chance, drawn }) {
    const takesBets = state.closedAtMs === null;
    if (seat !== null && command.type === "bet") {
      const { side, amount, round } = command;
      const totals = withBets(state, seat, [command], round, atMs);
      return [{ type: "bet_placed", seat, bet: state.bets + 1, side, amount, ...totals }];
    }
    if (seat !== null && command.type === "place_bets") {
      const bets = command.bets.map(({ side, amount }) => ({ side, amount }));
      return [
        { type: "bets_placed", seat, bet: state.bets + 1, bets, ...withBets(state, seat, bets, command.round, atMs) },
      ];
    }
    if (seat === null && command.type === "close_betting" && takesBets) {
      const closed: Event = { type: "betting_closed", at_ms: atMs, tally: state.tally };
      return [Object.keys(state.sides).length === 0 ? closed : { ...closed, sides: state.sides }];
    }
    if (seat === null && command.type === "reveal" && !takesBets && state.rolled === null) {
      const [one = 0, two = 0, three = 0] = chance.below("dice", [6, 6, 6]).map((n) => n + 1);
      drawn.dice += 1;
      const sum = one + two + three;
      const result = sum === 3 || sum === 18 ? "NONE" : sum > 10 ? "BIG" : "SMALL";
      const rolled: Rolled = { type: "rolled", dice: [one, two, three], sum, result };
      return state.bettors.size === 0 ? [rolled] : [rolled, settled(state, rolled.dice)];
    }
    throw new Refused("illegal_command");
  },

  apply(state, event) {
    switch (event.type) {
      case "bet_placed":
        record(state, event.seat, event.bet, [event]);
        break;
      case "bets_placed":
        record(state, event.seat, event.bet, event.bets);
        break;
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

const TALLY: Shape = {
  big: whole,
  small: whole,
  players: whole,
  players_big: whole,
  players_small: whole,
  others: maybe(whole),
};
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
  return { bets: carry.bets as number, history: carry.history as unknown[] };
}

/** What the seat and everyone have bet then. Throws Refused. */
function withBets(
  state: State,
  seat: number,
  wanted: readonly OneBet[],
  round: number | null = null,
  atMs: number,
): { stake: Stake; tally: Tally } {
  if (round !== null && (round < 1 || round > state.round)) throw new Refused("round_not_found");
  const closed = state.closedAtMs !== null || atMs >= state.closeMs;
  if (closed || (round !== null && round !== state.round)) throw new Refused("bet_window_closed");
  const before = state.bettors.get(seat);
  if ((before?.bets.length ?? 0) + wanted.length > BETS_MAX) throw new Refused("too_many");
  if (state.bets - state.betsBefore + wanted.length > ROUND_BETS_MAX) throw new Refused("too_many");
  let stake = before?.stake ?? NO_STAKE;
  let tally = { ...state.tally, players: state.tally.players + Number(before === undefined) };
  for (const { side, amount } of wanted) {
    if (amount < 1 || amount > state.options.bet_max) throw new Refused("invalid_amount");
    tally = tallyWith(tally, stake, side, amount);
    stake = stakeWith(stake, side, amount);
  }
  return { stake, tally };
}

function record(state: State, seat: number, first: number, placed: readonly OneBet[]): void {
  const bettor = state.bettors.get(seat) ?? { stake: NO_STAKE, bets: [] };
  if (bettor.bets.length === 0) state.tally = { ...state.tally, players: state.tally.players + 1 };
  for (const [place, { side, amount }] of placed.entries()) {
    if (side !== "BIG" && side !== "SMALL") {
      const { total, players } = state.sides[side] ?? { total: 0, players: 0 };
      const isNew = bettor.stake.sides?.[side] === undefined;
      state.sides = { ...state.sides, [side]: { total: total + amount, players: players + Number(isNew) } };
    }
    state.tally = tallyWith(state.tally, bettor.stake, side, amount);
    bettor.stake = stakeWith(bettor.stake, side, amount);
    bettor.bets.push({ bet: first + place, side, amount });
  }
  state.bettors.set(seat, bettor);
  state.bets += placed.length;
}

function stakeWith({ big, small, sides }: Stake, side: Side, amount: number): Stake {
  if (side === "BIG") big += amount;
  else if (side === "SMALL") small += amount;
  else sides = { ...sides, [side]: (sides?.[side] ?? 0) + amount };
  return sides === undefined ? { big, small } : { big, small, sides };
}

/** Without counting the player, who may have other bets. */
function tallyWith(all: Tally, own: Stake, side: Side, amount: number): Tally {
  const sum = { ...all };
  if (side === "BIG") {
    sum.big += amount;
    sum.players_big += Number(own.big === 0);
  } else if (side === "SMALL") {
    sum.small += amount;
    sum.players_small += Number(own.small === 0);
  } else {
    sum.others = (all.others ?? 0) + amount;
  }
  return sum;
}

function settled(state: State, dice: readonly number[]): Settled {
  const payouts: Settled["payouts"] = new Map();
  for (const [seat, { bets }] of state.bettors) {
    payouts.set(
      seat,
      bets.map(({ bet, side, amount }) => [bet, comesBack(side, amount, dice)]),
    );
  }
  return { type: "settled", payouts };
}
