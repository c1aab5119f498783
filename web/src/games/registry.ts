/** The games that are drawn by hand. */

import { bingo } from "./bingo/index.ts";
import { bingoDuel } from "./bingo-duel/index.ts";
import { connectFour } from "./connect-four/index.ts";
import { fourStone } from "./four-stone/index.ts";
import type { PageGame } from "./game.ts";
import { sicBo } from "./sicbo/index.ts";

export const games = {
  "connect-four": connectFour,
  "four-stone": fourStone,
  bingo,
  "bingo-duel": bingoDuel,
  sicbo: sicBo,
} as const;

/** The game of this name; undefined for one that is drawn by its picture. */
// What the server sends of a table is known by the game's name alone, which the compiler can't follow.
export function drawn(name: string): PageGame<any> | undefined {
  return Object.hasOwn(games, name) ? games[name as keyof typeof games] : undefined;
}
