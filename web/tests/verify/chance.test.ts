import { readFileSync } from "node:fs";
import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { Chance } from "../../src/verify/chance.ts";
import { judge } from "../../src/verify/judge.ts";
import { dealtCard } from "../../src/verify/rules/bingo.ts";

const DOCUMENT = readFileSync("../docs/fairness.md", "utf-8");

interface Vector {
  secret: string;
  label: string;
  below?: number[];
  shuffle?: number[];
  card?: number;
  free_centre?: boolean;
  calls?: number;
  boards?: number;
  gives: unknown;
}

const vectors = DOCUMENT.split("\n")
  .filter((line) => line.startsWith('{"secret"'))
  .map((line) => JSON.parse(line) as Vector);

function drawn(vector: Vector): unknown {
  const chance = new Chance(hexToBytes(vector.secret));
  const upTo = (most: number): number[] => Array.from({ length: most }, (_, n) => n + 1);
  if (vector.below) return chance.below(vector.label, vector.below);
  if (vector.shuffle) return chance.shuffled(vector.label, vector.shuffle);
  if (vector.calls) return chance.shuffled("calls", upTo(75)).slice(0, vector.calls);
  if (vector.boards) return [0, 1].map((n) => chance.shuffled(`board:${n}`, upTo((vector.boards ?? 0) ** 2)));
  const card = dealtCard(chance, vector.card ?? 0, vector.free_centre ?? true);
  return [0, 5, 10, 15, 20].map((first) => card.slice(first, first + 5));
}

test("the test vectors of the document", () => {
  expect(vectors.length).toBeGreaterThan(12);
  for (const vector of vectors) expect(drawn(vector)).toEqual(vector.gives);
});

test("the journals in the document verify", async () => {
  const blocks = [...DOCUMENT.matchAll(/```jsonl\n(\{"table"[^`]*)```/g)].map(([, lines]) => lines ?? "");
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(await judge(block)).toMatchObject({ ok: true, problems: [] });
});
