/** A table's journal as it is exported: its lines, their rows, and what they say of the rounds. */

import type { Trailer } from "../wire/messages.ts";
import { COMMANDS, EVENTS, type Opened } from "./house.ts";
import { RULES } from "./rules/index.ts";
import type { AnyRules, Typed } from "./rules/rules.ts";
import { type Fields, has, hasOnly, isFields, orNull, type Shape, text, whole } from "./shapes.ts";
import { Found } from "./verdict.ts";

export interface LogRow {
  table: number;
  seq: number;
  round: number;
  at_ms: number;
  seat: number | null;
  command: Typed & Fields;
  events: (Typed & Fields)[];
}

export interface Round {
  opened: Opened;
  /** Null until it is told. */
  secret: string | null;
  endedSeq: number;
  voided: boolean;
}

/** A journal that could be read. Whether it is true is another question. */
export interface Log {
  game: string;
  /** Null for a game that the page does not know. */
  rules: AnyRules | null;
  rows: LogRow[];
  lines: Uint8Array[];
  trailer: Trailer | null;
  /** By their numbers, in the order in which they opened. */
  rounds: Map<number, Round>;
  closed: boolean;
  /** Whether rows follow that show only what a spectator may see. */
  filtered: boolean;
}

const LINE_BREAK = 10;
const CARRIAGE_RETURN = 13;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a line; null if it is none. */
export function textOf(line: Uint8Array): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}

/** Reads a journal row by row, and yields after each. Throws Found if it is none. */
export function* readLog(journal: Uint8Array): Generator<void, Log> {
  const lines = splitLines(journal);
  const last = lines.at(-1);
  const trailer = last === undefined ? null : readTrailer(last);
  if (trailer !== null) lines.pop();
  const [first] = lines;
  if (first === undefined) throw new Found(0, { code: "no_rows" });
  const game = gameName(first);
  const rules = RULES.get(game) ?? null;
  const rows: LogRow[] = [];
  let filtered = false;
  for (const line of lines) {
    const read = parsed(line);
    if (!isRow(read, rules)) {
      filtered = rows.length > 0 && has(read, { filtered: (value) => value === true });
      if (filtered) break;
      throw new Found((rows.at(-1)?.seq ?? -1) + 1, { code: "not_a_row", line: rows.length + 1 });
    }
    rows.push(read);
    yield;
  }
  const closed = rows.some((row) => row.events.some((event) => event.type === "closed"));
  return { game, rules, rows, lines: lines.slice(0, rows.length), trailer, rounds: roundsIn(rows), closed, filtered };
}

function splitLines(journal: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < journal.length; ) {
    const found = journal.indexOf(LINE_BREAK, start);
    const stop = found < 0 ? journal.length : found;
    let end = stop;
    while (end > start && journal[end - 1] === CARRIAGE_RETURN) end--;
    const line = journal.subarray(start, end);
    if (line.some((byte) => byte !== 32 && byte !== 9)) lines.push(line);
    start = stop + 1;
  }
  return lines;
}

function parsed(line: Uint8Array): unknown {
  const written = textOf(line);
  if (written === null) return null;
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return null;
  }
}

function readTrailer(line: Uint8Array): Trailer | null {
  const read = parsed(line);
  return hasOnly(read, { head: whole, hash: text }) ? (read as unknown as Trailer) : null;
}

function gameName(line: Uint8Array): string {
  const read = parsed(line);
  if (!isFields(read) || !Array.isArray(read.events)) throw new Found(0, { code: "not_a_row", line: 1 });
  const opened = read.events.find((event) => isFields(event) && event.type === "opened");
  if (opened === undefined) throw new Found(0, { code: "no_opening" });
  return String(opened.game);
}

function isRow(value: unknown, rules: AnyRules | null): value is LogRow {
  if (!has(value, { table: whole, seq: whole, round: whole, at_ms: whole, seat: orNull(whole) })) return false;
  const { command, events } = value;
  return isCommand(command, rules) && Array.isArray(events) && events.every((event) => isEvent(event, rules));
}

function isCommand(value: unknown, rules: AnyRules | null): boolean {
  if (!has(value, { type: text })) return false;
  const { type, ...fields } = value as Typed & Fields;
  const shape = ownOf(COMMANDS, type) ?? (rules && (ownOf(rules.commands, type) ?? ownOf(rules.timers, type)));
  if (shape) return hasOnly(fields, shape);
  return rules === null;
}

function isEvent(value: unknown, rules: AnyRules | null): boolean {
  if (!has(value, { type: text })) return false;
  const { type } = value as Typed & Fields;
  const shape = ownOf<Shape>(EVENTS, type);
  if (shape) return has(value, shape);
  return rules === null || rules.events.includes(type);
}

/** By a name from a journal, which might be any: `constructor` too. */
export function ownOf<T>(named: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}

function roundsIn(rows: readonly LogRow[]): Map<number, Round> {
  const rounds = new Map<number, Round>();
  let current: Round | null = null;
  for (const row of rows) {
    for (const event of row.events) {
      if (event.type === "opened") {
        const opened = event as unknown as Opened;
        current = { opened, secret: null, endedSeq: 0, voided: false };
        rounds.set(opened.round, current);
        // Before the first `opened` stands the end of a round that is not in this journal.
      } else if ((event.type === "round_ended" || event.type === "round_voided") && current !== null) {
        current.secret = event.secret as string;
        current.endedSeq = row.seq;
        current.voided = event.type === "round_voided";
      }
    }
  }
  return rounds;
}

/** The last row in which a secret was told; 0 if there is none. */
export function lastTold(log: Log): number {
  return [...log.rounds.values()].reduce((last, round) => Math.max(last, round.endedSeq), 0);
}

/** The round whose play the journal shows without its end. */
export function runningRound(log: Log): number | null {
  const [number, round] = [...log.rounds].at(-1) ?? [0, null];
  // One row can end a round and open the next; nothing of that one has been played.
  const hasEnd = log.closed || round?.secret != null || lastTold(log) === log.rows.at(-1)?.seq;
  return hasEnd ? null : number;
}
