/** Short messages that stand above the page for a while. */

import { useSyncExternalStore } from "react";
import { Refusal } from "../wire/connection.ts";
import { Listeners } from "../wire/listeners.ts";

export interface Toast {
  number: number;
  /** A refusal is put into words where it is shown, in the language of that moment. */
  what: string | Refusal;
  actions: readonly { label: string; primary?: boolean; run: () => void }[];
  dismiss: () => void;
}

const STAYS_MS = 8_000;
const MOST = 5;

let toasts: readonly Toast[] = [];
let last = 0;
const changed = new Listeners<[]>();

/** Gives back what takes it away again. */
export function show(what: Toast["what"], actions: Toast["actions"] = [], staysMs = STAYS_MS): () => void {
  // What stands there already need not be said again.
  const same = toasts.find((toast) => wordsOf(toast.what) === wordsOf(what));
  if (same) return same.dismiss;
  const number = ++last;
  const dismiss = (): void => {
    toasts = toasts.filter((toast) => toast.number !== number);
    changed.call();
  };
  toasts = [...toasts, { number, what, actions, dismiss }].slice(-MOST);
  changed.call();
  setTimeout(dismiss, staysMs);
  return dismiss;
}

function wordsOf(what: Toast["what"]): string {
  return what instanceof Refusal ? what.code : what;
}

/** For what a person has asked for: if it is refused, it is said why. */
export async function attempt(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    show(error);
  }
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => changed.add(listener),
    () => toasts,
  );
}
