/** Where a journal to judge comes from, and the hash that this browser was told of it. */

import { Refusal } from "../wire/connection.ts";
import type { ErrorCode } from "../wire/messages.ts";
import { receiptOf } from "../wire/receipts.ts";

export interface Wanted {
  table: number;
  /** Null is the whole table. */
  round: number | null;
  /** Of a private table. */
  key?: string | undefined;
}

export function journalUrl({ table, round, key }: Wanted): string {
  const url = new URL(`api/tables/${table}/journal`, new URL(".", location.href.split("#")[0]));
  if (round !== null) url.searchParams.set("round", String(round));
  if (key !== undefined) url.searchParams.set("key", key);
  return url.href;
}

/** The journal's exact bytes. Throws Refusal, or what `fetch` throws when the hall is away. */
export async function fetchJournal(wanted: Wanted, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(journalUrl(wanted), { signal });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const { error } = (await response.json()) as { error: { code: ErrorCode; message: string } };
  throw new Refusal(error.code, error.message);
}

/** What this browser was told at the end of the last of these rounds of which it knows. */
export function toldHash(table: number, rounds: readonly number[]): string | undefined {
  return rounds.map((round) => receiptOf(table, round)).findLast((hash) => hash !== undefined);
}
