/** Players whom this browser does not want to hear. */

import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";
import { isNumber, readList, write } from "./storage.ts";

const KEPT = "gamehall.muted";
const MOST = 1000;
const changed = new Listeners<[]>();
let muted: ReadonlySet<number> | null = null;

function every(): ReadonlySet<number> {
  if (muted === null) {
    muted = new Set(readList(KEPT, isNumber));
  }
  return muted;
}

export const isMuted = (player: number): boolean => every().has(player);

export function mute(player: number, wanted: boolean): void {
  const next = new Set(every());
  next.delete(player);
  if (wanted) next.add(player);
  muted = new Set([...next].slice(-MOST));
  write(KEPT, JSON.stringify([...muted]));
  changed.call();
}

export function useMuted(): ReadonlySet<number> {
  return useSyncExternalStore((listener) => changed.add(listener), every);
}
