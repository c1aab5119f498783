/** Every text there is, in all four languages. The compiler sees what is missing; this sees what was
 * left in English. */

import { describe, expect, test } from "vitest";
import { games } from "../../src/games/registry.ts";
import { refusals } from "../../src/text/refusals.ts";

const modules = import.meta.glob<Record<string, unknown>>("../../src/**/texts.ts", { eager: true });

const LANGUAGES = ["en", "vi", "fr", "zh"] as const;
/** The same word in another language, or no word at all. */
const SAME = new Set([
  "Bingo",
  "Sic Bo",
  "Message",
  "Club",
  "Points",
  "points",
  "Score",
  "Rating",
  "Port",
  "Arena",
  "Swiss",
  "Menu",
  "—",
  "Moment",
  "Pause",
  "Match",
  "Minutes",
  "`table •`",
  "`Table •, •`",
]);

type Every = Record<(typeof LANGUAGES)[number], unknown>;

function isTexts(value: unknown): value is Every {
  return typeof value === "object" && value !== null && LANGUAGES.every((language) => language in value);
}

/** Every text with its way there; of a function, the words that stand in it. */
function flat(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, wordsIn(String(value))]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => flat(each, `${path}.${key}`));
}

function wordsIn(source: string): string {
  const literals = source.match(/"[^"]*"|`[^`]*`/g) ?? [];
  return literals.map((literal) => literal.replace(/\$\{[^}]*\}/g, "•")).join(" ");
}

const found: [string, Every][] = [
  ...Object.entries(modules).flatMap(([file, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, Every] => isTexts(entry[1]))
      .map(([name, texts]): [string, Every] => [`${file.slice("../../src/".length)} ${name}`, texts]),
  ),
  ["refusals", refusals],
  ...Object.values(games).map((game): [string, Every] => [`words of ${game.name}`, game.words]),
];

test("there are texts", () => expect(found.length).toBeGreaterThan(10));

describe.each(found)("%s", (_, texts) => {
  const english = new Map(flat(texts.en, ""));
  test.each(["vi", "fr", "zh"] as const)("in %s", (language) => {
    const here = flat(texts[language], "");
    expect(here.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    const left = here.filter(
      ([path, text]) => text.trim() === "" || (text === english.get(path) && /[a-z]{3}/i.test(text) && !SAME.has(text)),
    );
    expect(left).toEqual([]);
  });
});
