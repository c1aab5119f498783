/** The hashes that this browser was told when rounds ended: with them it can tell later that nothing
 * was written anew. */

import { readList, write } from "./storage.ts";

const KEPT = "gamehall.receipts";
const MOST = 500;

type Receipt = readonly [table: number, round: number, hash: string];

function isReceipt(value: unknown): value is Receipt {
  return Array.isArray(value) && value.length === 3;
}

export function keepReceipt(...receipt: Receipt): void {
  const [table, round] = receipt;
  const others = readList(KEPT, isReceipt).filter((each) => each[0] !== table || each[1] !== round);
  write(KEPT, JSON.stringify([...others, receipt].slice(-MOST)));
}

export function receiptOf(table: number, round: number): string | undefined {
  return readList(KEPT, isReceipt).find((each) => each[0] === table && each[1] === round)?.[2];
}
