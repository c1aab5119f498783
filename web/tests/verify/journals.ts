/** The journals that journals.setup.ts has had written, and what a forger does to them by hand. */

import { readFileSync } from "node:fs";
import { chained } from "../../src/verify/chance.ts";

interface PythonVerdict {
  ok: boolean;
  /** The rows in which problems show. */
  rows: number[];
  words: string[];
  /** Whether it could be read at all. */
  readable: boolean;
}

export interface Journal {
  name: string;
  lines: string[];
  verdict: PythonVerdict;
  forged: { name: string; lines: (string | number)[]; verdict: PythonVerdict }[];
}

export type Forged = any;

export const journals = JSON.parse(readFileSync("node_modules/.cache/journals.json", "utf-8")) as Journal[];

export function journalNamed(name: string): Journal {
  const found = journals.find((journal) => journal.name === name);
  if (found === undefined) throw new Error(`there is no journal "${name}"`);
  return found;
}

/** The lines of a forged journal: a number stands for the honest line at that place. */
export function linesOf(journal: Journal, forged: Journal["forged"][number]): string {
  return forged.lines.map((line) => (typeof line === "number" ? journal.lines[line] : line)).join("\n");
}

/** The rows after a change, by someone who also writes all hashes and the last line anew. */
export function forge(journal: Journal, change: (rows: Forged[]) => void): string {
  const rows = journal.lines.slice(0, -1).map((line) => JSON.parse(line) as Forged);
  change(rows);
  const opened = rows[0].events.find((event: Forged) => event.type === "opened");
  let hash: string = opened.previous;
  const lines = rows.map((row) => {
    for (const event of row.events) if (event.type === "opened") event.previous = hash;
    const line = JSON.stringify(row);
    hash = chained(hash, new TextEncoder().encode(line));
    return line;
  });
  return [...lines, JSON.stringify({ head: rows.at(-1).seq, hash })].join("\n");
}

/** The first event of this type, and its row. */
export function findEvent(rows: Forged[], type: string): { row: Forged; event: Forged } {
  for (const row of rows) {
    const event = row.events.find((each: Forged) => each.type === type);
    if (event !== undefined) return { row, event };
  }
  throw new Error(`there is no event "${type}"`);
}
