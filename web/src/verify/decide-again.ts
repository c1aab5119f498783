/** Every command of a journal, decided again with the secrets that were told. */

import { hexToBytes } from "@noble/hashes/utils.js";
import { Chance } from "./chance.ts";
import { type Person, personIn } from "./house.ts";
import { type Log, type LogRow, ownOf, type Round, textOf } from "./log.ts";
import { type AnyRules, Refused } from "./rules/rules.ts";
import { sits } from "./seats.ts";
import { type Draws, type Event, Table } from "./table.ts";
import { type DrawCounts, Found } from "./verdict.ts";
import { encode, sameButNumbers, shortened } from "./written.ts";

const BY_HALL = new Set(["sit", "set_options", "void", "close"]);

/** A draw of a round whose secret the journal does not tell. */
class Untold extends Error {}

class ToldDraws implements Draws {
  readonly #chances = new Map<number, Chance>();

  constructor(readonly rounds: ReadonlyMap<number, Round>) {}

  secret(round: number): string {
    const secret = secretOf(this.rounds.get(round));
    if (secret === null) throw new Untold();
    return this.rounds.get(round)?.secret?.toLowerCase() ?? "";
  }

  chance(round: number): Chance {
    const known = this.#chances.get(round);
    if (known !== undefined) return known;
    const chance = new Chance(hexToBytes(this.secret(round)));
    this.#chances.set(round, chance);
    return chance;
  }

  commitment(round: number): string {
    return this.rounds.get(round)?.opened.commitment ?? "";
  }
}

/** The secret that was told at the end of a round, if it is one. */
export function secretOf(round: Round | undefined): Uint8Array | null {
  const secret = round?.secret ?? null;
  return secret !== null && /^(?:[0-9a-f]{2})*$/i.test(secret) ? hexToBytes(secret) : null;
}

/** Takes the rows of a journal in order; each must be what its command causes. */
export class DecideAgain {
  readonly drawn: DrawCounts = { seats: 0, boards: 0, cards: 0, calls: 0, dice: 0 };
  readonly #rules: AnyRules;
  readonly #table: Table;

  constructor(log: Log, rules: AnyRules) {
    this.#rules = rules;
    this.#table = new Table(rules, new ToldDraws(log.rounds), this.drawn);
  }

  /** Begins with a row that is not the table's first: with what it opened. Throws Found. */
  takeFirst(row: LogRow): void {
    const start = row.events.findIndex((event) => event.type === "opened");
    const [opened, started, ...others] = row.events.slice(start) as [Event, ...Event[]];
    this.#table.take(opened);
    const starts = started === undefined || encode(started) === encode({ type: "started", at_ms: row.at_ms });
    if (opened.drawn !== false || !starts) throw new Found(row.seq, { code: "not_how_rounds_open" });
    if (started === undefined) return;
    this.#table.take(started);
    const begun = guarded(row, () => this.#table.begun(row.at_ms));
    if (encode(others) !== encode(begun)) throw new Found(row.seq, { code: "not_how_rounds_begin" });
    for (const event of begun) this.#table.take(event);
  }

  /** Goes on with the next row, in small steps. Throws Found. */
  *take(row: LogRow, line: Uint8Array): Generator<void, void> {
    this.#checkSender(row);
    const opened = row.events.find((event) => event.type === "opened");
    const roundBefore = this.#table.state?.opened.round ?? 1;
    const walksIn = this.#walksIn(row);
    const seat = walksIn === null ? row.seat : null;
    const chain = (opened?.previous ?? "") as string;
    const steps = this.#table.decide(seat, row.command, row.at_ms, chain, walksIn);
    let step = guarded(row, () => steps.next());
    while (step.done !== true) {
      yield;
      step = guarded(row, () => steps.next());
    }
    compare(row, step.value, line);
    const round = this.#table.state?.opened.round;
    if (row.round !== roundBefore && row.round !== round) {
      throw new Found(row.seq, { code: "other_round", round: row.round });
    }
  }

  #checkSender(row: LogRow): void {
    const { seq, seat, command } = row;
    const { state } = this.#table;
    if (state === null) {
      if (seat !== null || command.type !== "open") throw new Found(seq, { code: "not_first" });
    } else if (seat !== null) {
      if (!sits(state, seat) && this.#walksIn(row) === null) throw new Found(seq, { code: "nobody_sits", seat });
      const ofSeat = command.type === "leave" || command.type === "rematch";
      if (!ofSeat && !ownOf(this.#rules.commands, command.type)) throw new Found(seq, { code: "not_of_a_seat" });
    } else if (["next_round", "expire"].includes(command.type) || ownOf(this.#rules.timers, command.type)) {
      this.#checkTimer(row);
    } else if (!BY_HALL.has(command.type)) {
      throw new Found(seq, { code: "not_of_the_hall" });
    }
  }

  #checkTimer({ seq, command, at_ms }: LogRow): void {
    const timer = this.#table.timer();
    if (timer === null || timer.command !== command.type) throw new Found(seq, { code: "no_timer" });
    if (at_ms < timer.dueMs && this.#rules.timed) throw new Found(seq, { code: "too_early" });
  }

  /** Who was seated by this very command, where people walk in. */
  #walksIn({ seat, events }: LogRow): Person | null {
    const { state } = this.#table;
    if (state === null || !this.#rules.walkIn || seat === null || sits(state, seat)) return null;
    const [first] = events;
    if (first?.type !== "seated" || first.seat !== seat) return null;
    const person = personIn(first.person);
    // Someone who sits there already cannot walk in again.
    return state.seatOf.has(person.player) ? null : person;
  }
}

function guarded<T>(row: LogRow, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refused) throw new Found(row.seq, { code: "refused", refusal: error.refusal });
    if (error instanceof Untold) throw new Found(row.seq, { code: "untold" });
    throw error;
  }
}

/** The bytes count, too: what is written otherwise might read otherwise elsewhere. */
function compare(row: LogRow, decided: readonly Event[], line: Uint8Array): void {
  const right = encode({ ...row, events: decided });
  const found = textOf(line) ?? "";
  const hasOptions = [row.command, ...decided].some((each) => each.options !== undefined);
  if (right === found || (hasOptions && sameButNumbers(right, found))) return;
  for (let place = 0; place < Math.max(decided.length, row.events.length); place++) {
    const [one, other] = [decided, row.events].map((events) => events[place]);
    if (sameValue(one, other)) continue;
    const shown = [one, other].map((event) => shortened(event === undefined ? "" : encode(event)));
    throw new Found(row.seq, { code: "differs", event: place + 1, right: shown[0] ?? "", found: shown[1] ?? "" });
  }
  throw new Found(row.seq, { code: "written_otherwise" });
}

function sameValue(one: Event | undefined, other: Event | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  // Both as an object gives them: the order of numbers as names is lost in what was read.
  return encode(JSON.parse(encode(one))) === encode(other);
}
