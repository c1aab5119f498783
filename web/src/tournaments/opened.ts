/** The tournaments that this browser has opened, so that it offers to begin them. */

import { isNumber, readList, write } from "../wire/storage.ts";

const KEPT = "gamehall.tournaments";
const MOST = 50;

function every(): number[] {
  return readList(KEPT, isNumber);
}

export function rememberOpened(tournament: number): void {
  write(KEPT, JSON.stringify([...every(), tournament].slice(-MOST)));
}

export const hasOpened = (tournament: number): boolean => every().includes(tournament);
