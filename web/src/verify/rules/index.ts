/** The games whose rules the page knows well enough to judge a result. */

import { bingo } from "./bingo.ts";
import { bingoDuel } from "./bingo-duel.ts";
import { connectFour } from "./connect-four.ts";
import { fourStone } from "./four-stone.ts";
import type { AnyRules } from "./rules.ts";
import { sicbo } from "./sicbo.ts";

export const RULES: ReadonlyMap<string, AnyRules> = new Map<string, AnyRules>([
  ["connect-four", connectFour],
  ["bingo", bingo],
  ["bingo-duel", bingoDuel],
  ["sicbo", sicbo],
  ["four-stone", fourStone],
]);
