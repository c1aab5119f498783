/** What the rules of a game are here: they decide a command again, as the hall has decided it. */

import type { Outcome } from "../../wire/messages.ts";
import type { Chance } from "../chance.ts";
import type { Fields, Shape } from "../shapes.ts";
import type { DrawCounts } from "../verdict.ts";

export interface Typed {
  readonly type: string;
}

export interface Timer {
  dueMs: number;
  command: string;
}

export interface Start<O> {
  options: O;
  seats: readonly number[];
  round: number;
  atMs: number;
  carry: unknown;
  rated: boolean;
}

/** Time and chance, and where each draw is counted. */
export interface Context {
  atMs: number;
  chance: Chance;
  drawn: DrawCounts;
}

export interface Rules<S, O, C extends Typed, E extends Typed> {
  /** How many players begin a round; 0: it begins by itself. */
  least: number;
  most: number;
  /** Whether people are seated by their first command of a round. */
  walkIn: boolean;
  /** Whether the journal tells when a timer was due. */
  timed: boolean;
  /** What a seat may send, and what a timer may, by type: the other fields. */
  commands: Readonly<Record<string, Shape>>;
  timers: Readonly<Record<string, Shape>>;
  events: readonly E["type"][];
  /** With the defaults for what is left out. Throws Refused. */
  readOptions(options: Fields): O;
  start(start: Start<O>): S;
  begin?(state: S, context: Context): E[];
  /** Long work for this command in small steps; `decide` then finds it done. */
  prepare?(state: S, command: C, context: Context): Generator<void, void>;
  /** The events that the command causes, their fields in the written order. Throws Refused. */
  decide(state: S, seat: number | null, command: C, context: Context): E[];
  /** Changes the state. */
  apply(state: S, event: E): void;
  outcome(state: S): Outcome | null;
  join?(state: S, seat: number, context: Context): E[];
  leave(state: S, seat: number): E[];
  timer(state: S): Timer | null;
  /** The seats that a round counts for; without it, all. */
  tookPart?(state: S): ReadonlySet<number>;
  carry?(state: S): unknown;
}

/** Any game's rules, for the table, which does not look inside. */
export type AnyRules = Rules<any, any, any, any>;

export class Refused extends Error {
  readonly refusal: string;

  constructor(refusal: string) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Options with defaults, each within its bounds. Throws Refused. */
export function numbers<D extends Readonly<Record<string, Bounds>>>(
  options: Fields,
  fields: D,
): { [K in keyof D]: number } {
  if (Object.keys(options).some((name) => !Object.hasOwn(fields, name))) throw new Refused("bad_options");
  const read = Object.entries(fields).map(([name, { otherwise, least, most, fraction, above }]) => {
    const value = options[name] === undefined ? otherwise : options[name];
    const fits =
      typeof value === "number" &&
      (fraction || Number.isInteger(value)) &&
      (above ? value > least : value >= least) &&
      value <= most;
    if (!fits) throw new Refused("bad_options");
    return [name, value];
  });
  return Object.fromEntries(read) as { [K in keyof D]: number };
}

export interface Bounds {
  otherwise: number;
  least: number;
  most: number;
  fraction?: true;
  /** Whether `least` itself is too little. */
  above?: true;
}

/** As the hall rounds: a half goes to the even neighbour. */
export function toMs(seconds: number): number {
  const ms = seconds * 1000;
  const down = Math.floor(ms);
  if (ms - down !== 0.5) return Math.round(ms);
  return down % 2 === 0 ? down : down + 1;
}

/** A clock of less than a millisecond is still a clock; 0 is none. */
export function moveMs(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, toMs(seconds));
}
