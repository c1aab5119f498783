/** What a journal is worth, as codes with values: texts.ts has the sentences. */

export interface Verdict {
  ok: boolean;
  /** What was found in order. */
  checks: Check[];
  problems: Problem[];
  /** What this journal cannot show, or what was not judged. */
  notes: Note[];
  /** What one may compare with what one was told; null when the journal could not be read. */
  told: Told | null;
}

export interface Told {
  table: number;
  game: string;
  lastHash: string;
  rounds: { round: number; commitment: string; secret: string | null }[];
}

/** How often each thing was drawn again. */
export interface DrawCounts {
  seats: number;
  boards: number;
  cards: number;
  calls: number;
  dice: number;
}

export type Check =
  | { code: "rows"; count: number; first: number; last: number }
  | { code: "chain" }
  | { code: "told_hash"; row: number }
  | { code: "secrets"; count: number }
  | { code: "draws"; counts: DrawCounts }
  | { code: "moves"; count: number }
  | { code: "results"; rounds: number }
  | { code: "voided"; rounds: number };

export type ProblemWhat =
  | { code: "no_rows" }
  | { code: "no_opening" }
  | { code: "not_a_row"; line: number }
  | { code: "filtered"; after: number }
  | { code: "running"; round: number }
  | { code: "numbered_from_1" }
  | { code: "gap"; before: number }
  | { code: "other_table"; table: number; before: number }
  | { code: "earlier" }
  | { code: "chain_breaks" }
  | { code: "trailer" }
  | { code: "not_the_told_hash" }
  | { code: "other_secret"; round: number }
  | { code: "other_seats" }
  | { code: "other_game" }
  | { code: "not_first" }
  | { code: "not_how_rounds_open" }
  | { code: "not_how_rounds_begin" }
  | { code: "nobody_sits"; seat: number }
  | { code: "not_of_a_seat" }
  | { code: "not_of_the_hall" }
  | { code: "no_timer" }
  | { code: "too_early" }
  /** By the code of the rules' refusal. */
  | { code: "refused"; refusal: string }
  | { code: "untold" }
  | { code: "differs"; event: number; right: string; found: string }
  | { code: "written_otherwise" }
  | { code: "other_round"; round: number }
  | { code: "rules_fail" };

/** `seq` is the row in which it shows; 0 is the journal as a whole. */
export type Problem = { seq: number } & ProblemWhat;

export type Note =
  | { code: "compare_hash" }
  | { code: "newer_rows"; after: number }
  | { code: "begins_later"; row: number }
  | { code: "not_decided"; after: number }
  | { code: "rules_unknown"; game: string };

/** Thrown by whatever finds a problem that ends the judging of rows. */
export class Found extends Error {
  readonly problem: Problem;

  constructor(seq: number, what: ProblemWhat) {
    super(what.code);
    this.problem = { seq, ...what };
  }
}
