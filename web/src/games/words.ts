/** What a game is called and how it goes, in the player's language. */

import { currentLanguage, type Language, useLanguage } from "../text/text.ts";
import type { GameInfo } from "../wire/messages.ts";
import type { GameWords } from "./game.ts";
import { drawn } from "./registry.ts";

/** Games that are not drawn by hand have the title that the hall gives them. */
const titles = new Map<string, string>();

export function learnTitles(games: readonly GameInfo[]): void {
  for (const { name, title } of games) titles.set(name, title);
}

export function gameTitle(name: string, language: Language = currentLanguage()): string {
  return drawn(name)?.words[language].title ?? titles.get(name) ?? name;
}

export function useGameTitle(): (name: string) => string {
  const language = useLanguage();
  return (name) => gameTitle(name, language);
}

/** Null for a game that the page knows only by its name. */
export function useGameWords(name: string): GameWords | null {
  const language = useLanguage();
  return drawn(name)?.words[language] ?? null;
}
