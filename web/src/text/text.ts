/** Texts in the player's language. Each part of the page keeps its own in a `texts.ts` beside it. */

import { useSyncExternalStore } from "react";
import { read, write } from "../wire/storage.ts";

export const LANGUAGES = { en: "English", vi: "Tiếng Việt", fr: "Français", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = "gamehall.language";

/** Any text is a string, or a function of what stands in it. */
type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

export type Texts<T> = Readonly<Record<Language, T>>;

/** The same texts in each language: the compiler finds what is missing. */
export function texts<const E>(
  every: { en: E } & Record<Exclude<Language, "en">, NoInfer<Widened<E>>>,
): Texts<Widened<E>> {
  return every as unknown as Texts<Widened<E>>;
}

function preferred(): Language {
  const kept = read(KEPT);
  const wanted = [kept ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag): tag is Language => tag in LANGUAGES) ?? "en";
}

let language: Language | null = null;
const listeners = new Set<() => void>();

export function currentLanguage(): Language {
  if (language === null) {
    language = preferred();
    document.documentElement.lang = language;
  }
  return language;
}

export function chooseLanguage(chosen: Language): void {
  language = chosen;
  write(KEPT, chosen);
  document.documentElement.lang = chosen;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}

export function useText<T>(every: Texts<T>): T {
  return every[useLanguage()];
}
