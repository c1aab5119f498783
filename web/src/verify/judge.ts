/** A finished journal, judged again in the browser, so that nobody has to believe the hall. */

import { Chance, chained, commitmentTo } from "./chance.ts";
import { DecideAgain, secretOf } from "./decide-again.ts";
import { type Log, lastTold, readLog, runningRound } from "./log.ts";
import { ascending } from "./seats.ts";
import { type Check, Found, type Note, type Problem, type ProblemWhat, type Told, type Verdict } from "./verdict.ts";
import { encode } from "./written.ts";

export interface JudgeOptions {
  /** The hash that one was told when a round ended, or who knows it of this table and its rounds. */
  toldHash?: string | Lookup | undefined;
  /** Called now and then with the part that is done, from 0 to 1. */
  onProgress?: ((part: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

type Lookup = (table: number, rounds: readonly number[]) => string | undefined;

const WORK_MS = 20;

/** What a journal is worth: the lines of `/api/tables/ID/journal`, byte by byte. */
export async function judge(lines: Uint8Array | string, options: JudgeOptions = {}): Promise<Verdict> {
  const journal = typeof lines === "string" ? new TextEncoder().encode(lines) : lines;
  const steps = judged(journal, options.toldHash);
  let pause = performance.now() + WORK_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < pause) continue;
    options.onProgress?.(step.value);
    // A page that computes for long must stay usable.
    await new Promise((resolve) => setTimeout(resolve));
    options.signal?.throwIfAborted();
    pause = performance.now() + WORK_MS;
  }
}

/** Judges in small steps; each gives the part that is done. */
function* judged(journal: Uint8Array, toldHash: string | Lookup | undefined): Generator<number, Verdict> {
  try {
    const reading = readLog(journal);
    let read = reading.next();
    while (read.done !== true) {
      yield 0;
      read = reading.next();
    }
    const { rows, rounds } = read.value;
    const told = typeof toldHash === "function" ? toldHash(rows[0]?.table ?? 0, [...rounds.keys()]) : toldHash;
    return yield* new Judge(read.value, told ?? null).verdict();
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { ok: false, checks: [], problems: [error.problem], notes: [], told: null };
  }
}

class Judge {
  readonly #checks: Check[] = [];
  readonly #problems: Problem[] = [];
  readonly #notes: Note[] = [];
  /** The chain's hash before the first row, and after each. */
  readonly #hashes: string[] = [];

  constructor(
    readonly log: Log,
    readonly toldHash: string | null,
  ) {}

  *verdict(): Generator<number, Verdict> {
    const { log } = this;
    const first = log.rows[0]?.seq ?? 0;
    this.#checkFinished();
    const inOrder = this.#checkOrder();
    yield* this.#chain();
    this.#checkChain();
    this.#checkSecrets();
    if (log.rules === null) this.#checkSeatsAlone();
    // Rows that are missing or out of order would only give more problems of the same kind.
    else if (inOrder) yield* this.#decideAgain(new DecideAgain(log, log.rules));
    if (first > 1) this.#notes.push({ code: "begins_later", row: first });
    const ok = this.#problems.length === 0;
    return { ok, checks: this.#checks, problems: this.#problems, notes: this.#notes, told: this.#told() };
  }

  #found(seq: number, what: ProblemWhat): void {
    this.#problems.push({ seq, ...what });
  }

  #checkFinished(): void {
    const { log } = this;
    const round = runningRound(log);
    if (log.filtered) this.#found(0, { code: "filtered", after: log.rows.at(-1)?.seq ?? 0 });
    else if (round !== null) this.#found(0, { code: "running", round });
  }

  #checkOrder(): boolean {
    const { rows } = this.log;
    const before = this.#problems.length;
    if ((rows[0]?.seq ?? 0) < 1) this.#found(0, { code: "numbered_from_1" });
    rows.forEach((row, n) => {
      const last = rows[n - 1];
      if (last === undefined) return;
      if (row.seq !== last.seq + 1) this.#found(row.seq, { code: "gap", before: last.seq });
      if (row.table !== last.table) {
        this.#found(row.seq, { code: "other_table", table: row.table, before: last.table });
      }
      if (row.at_ms < last.at_ms) this.#found(row.seq, { code: "earlier" });
    });
    if (this.#problems.length > before) return false;
    const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
    this.#checks.push({ code: "rows", count: rows.length, first, last });
    return true;
  }

  *#chain(): Generator<number, void> {
    const { rows, lines, rounds } = this.log;
    const [opened] = rounds.values();
    let hash = rows[0]?.seq === 1 ? "" : (opened?.opened.previous ?? "");
    this.#hashes.push(hash);
    for (const line of lines) {
      hash = chained(hash, line);
      this.#hashes.push(hash);
      yield 0;
    }
  }

  /** The chain is bound at every `opened` and by a last hash, wherever that comes from. */
  #checkChain(): void {
    const { rows, trailer, filtered } = this.log;
    const before = this.#problems.length;
    rows.forEach((row, n) => {
      for (const event of row.events) {
        const breaks = event.type === "opened" && event.previous !== this.#hashes[n];
        if (breaks) this.#found(row.seq, { code: "chain_breaks" });
      }
    });
    const [head, hash] = [rows.at(-1)?.seq, this.#hashes.at(-1)];
    if (trailer !== null && !filtered && (trailer.head !== head || trailer.hash !== hash)) {
      this.#found(0, { code: "trailer" });
    }
    const told = this.toldHash === null ? null : this.#hashes.indexOf(this.toldHash, 1);
    if (told !== null && told < 0) this.#found(0, { code: "not_the_told_hash" });
    if (this.#problems.length > before) return;
    this.#checks.push({ code: "chain" });
    this.#noteHash(told);
  }

  #noteHash(told: number | null): void {
    const { rows } = this.log;
    if (told === null) {
      this.#notes.push({ code: "compare_hash" });
      return;
    }
    const row = rows[told - 1]?.seq ?? 0;
    this.#checks.push({ code: "told_hash", row });
    if (told < rows.length) this.#notes.push({ code: "newer_rows", after: row });
  }

  #checkSecrets(): void {
    const before = this.#problems.length;
    const told = [...this.log.rounds].filter(([, round]) => round.secret !== null);
    for (const [number, round] of told) {
      const secret = secretOf(round);
      if (secret === null || commitmentTo(secret) !== round.opened.commitment) {
        this.#found(round.endedSeq, { code: "other_secret", round: number });
      }
    }
    if (told.length > 0 && this.#problems.length === before) {
      this.#checks.push({ code: "secrets", count: told.length });
    }
  }

  /** Of a game that the page does not know: only who sits where is decided again. */
  #checkSeatsAlone(): void {
    const { rows, rounds, game } = this.log;
    const secret = secretOf(rounds.get(1));
    let seats = 0;
    for (const { seq, command, events } of rows) {
      for (const event of events) {
        const games = event.type === "opened" ? [event.game, command.game ?? game] : [];
        if (games.some((each) => each !== game)) this.#found(seq, { code: "other_game" });
        if (event.type !== "seats_drawn" || secret === null) continue;
        const order = event.order as number[];
        const right = new Chance(secret).shuffled("seats", ascending(order));
        if (encode(right) !== encode(order)) this.#found(seq, { code: "other_seats" });
        else seats += 1;
      }
    }
    if (seats > 0) this.#checks.push({ code: "draws", counts: { seats, boards: 0, cards: 0, calls: 0, dice: 0 } });
    this.#notes.push({ code: "rules_unknown", game });
  }

  *#decideAgain(again: DecideAgain): Generator<number, void> {
    const { log } = this;
    const end = runningRound(log) === null ? Number.POSITIVE_INFINITY : lastTold(log);
    let decided = 0;
    for (const [n, row] of log.rows.entries()) {
      if (row.seq > end) break;
      const done = n / log.rows.length;
      yield done;
      try {
        if (n === 0 && row.seq > 1) {
          again.takeFirst(row);
          continue;
        }
        for (const _ of again.take(row, log.lines[n] ?? new Uint8Array())) yield done;
        decided += 1;
      } catch (error) {
        // A forged journal can make any rules fail.
        this.#problems.push(error instanceof Found ? error.problem : { seq: row.seq, code: "rules_fail" });
        this.#notes.push({ code: "not_decided", after: row.seq });
        return;
      }
    }
    this.#tellDecided(again, decided);
  }

  #tellDecided(again: DecideAgain, decided: number): void {
    if (Object.values(again.drawn).some((count) => count > 0)) {
      this.#checks.push({ code: "draws", counts: again.drawn });
    }
    if (decided > 0) this.#checks.push({ code: "moves", count: decided });
    const told = [...this.log.rounds.values()].filter((round) => round.secret !== null);
    const voided = told.filter((round) => round.voided).length;
    if (told.length > voided) this.#checks.push({ code: "results", rounds: told.length - voided });
    if (voided > 0) this.#checks.push({ code: "voided", rounds: voided });
  }

  #told(): Told {
    const { rows, rounds, game } = this.log;
    return {
      table: rows[0]?.table ?? 0,
      game,
      lastHash: this.#hashes.at(-1) ?? "",
      rounds: [...rounds].map(([round, { opened, secret }]) => ({ round, commitment: opened.commitment, secret })),
    };
  }
}
