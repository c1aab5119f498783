import { describe, expect, test } from "vitest";
import { judge } from "../../src/verify/judge.ts";
import { RULES } from "../../src/verify/rules/index.ts";
import type { Problem } from "../../src/verify/verdict.ts";
import { type Forged, findEvent, forge, journalNamed, journals, linesOf } from "./journals.ts";

const LINE = journalNamed("connect-four, a line");
const DICE = journalNamed("sicbo, five rounds");
const CALLED = journalNamed("bingo, three rounds");
const DUEL = journalNamed("bingo-duel, two rounds");
const STONES = journalNamed("four-stone, one_stone");

function lastHash(lines: readonly string[]): string {
  return (JSON.parse(lines.at(-1) ?? "") as { hash: string }).hash;
}

async function problems(lines: string, toldHash?: string): Promise<Problem[]> {
  const verdict = await judge(lines, { toldHash });
  expect(verdict.ok).toBe(false);
  return verdict.problems;
}

describe("journals of the real rules", () => {
  test.each(journals)("$name: the same verdict as the server's", async ({ lines, verdict }) => {
    const found = await judge(lines.join("\n"));
    expect(found.problems.map(({ seq }) => seq)).toEqual(verdict.rows);
    expect(found.ok).toBe(verdict.ok);
  });

  test.each(journals)("$name: each forgery is judged as the server judges it", async (journal) => {
    expect(journal.forged.length).toBeGreaterThan(20);
    for (const forged of journal.forged) {
      const found = await judge(linesOf(journal, forged));
      const rows = [...new Set(found.problems.map(({ seq }) => seq))].sort((a, b) => a - b);
      const { ok, rows: right, words, readable } = forged.verdict;
      const told = `${forged.name}\n${words.join("\n")}\n${JSON.stringify(found.problems)}`;
      // The server says nothing at all of a game that it does not know.
      if (found.told !== null && !RULES.has(found.told.game)) continue;
      expect(found.ok, told).toBe(ok);
      // A row that cannot be read stops the server at once; the page may see more.
      expect(readable ? rows : rows.filter((row) => right.includes(row)), told).toEqual(right);
    }
  });
});

describe("what was checked", () => {
  test("a game won by a line", async () => {
    const verdict = await judge(LINE.lines.join("\n"), { toldHash: lastHash(LINE.lines) });
    const rows = LINE.lines.length - 1;
    expect(verdict).toMatchObject({ ok: true, problems: [], notes: [] });
    expect(verdict.checks).toEqual([
      { code: "rows", count: rows, first: 1, last: rows },
      { code: "chain" },
      { code: "told_hash", row: rows },
      { code: "secrets", count: 1 },
      { code: "draws", counts: { seats: 1, boards: 0, cards: 0, calls: 0, dice: 0 } },
      { code: "moves", count: rows },
      { code: "results", rounds: 1 },
    ]);
    expect(verdict.told).toMatchObject({ table: 1, game: "connect-four", lastHash: lastHash(LINE.lines) });
  });

  test("dice, cards and boards are counted, and rounds that were called off", async () => {
    const dice = await judge(DICE.lines.join("\n"));
    expect(dice.checks).toContainEqual({ code: "draws", counts: expect.objectContaining({ dice: 4 }) });
    expect(dice.checks).toContainEqual({ code: "voided", rounds: 1 });
    expect(dice.notes).toContainEqual({ code: "compare_hash" });
    const cards = await judge(CALLED.lines.join("\n"));
    expect(cards.checks).toContainEqual({ code: "draws", counts: expect.objectContaining({ cards: 9 }) });
    const boards = await judge(DUEL.lines.join("\n"));
    expect(boards.checks).toContainEqual({ code: "draws", counts: expect.objectContaining({ boards: 4, seats: 1 }) });
  });

  test("one round alone is taken from its opening on", async () => {
    const { lines } = journalNamed("bingo, its second round alone");
    const first = (JSON.parse(lines[0] ?? "") as { seq: number }).seq;
    const verdict = await judge(lines.join("\n"));
    expect(verdict.notes).toContainEqual({ code: "begins_later", row: first });
  });

  test("of a game it does not know, it says that the result was not judged", async () => {
    const other = forge(LINE, (rows) => {
      rows[0].command.game = "halma";
      rows[0].events[0].game = "halma";
    });
    const verdict = await judge(other);
    expect(verdict.ok).toBe(true);
    expect(verdict.notes).toContainEqual({ code: "rules_unknown", game: "halma" });
    expect(verdict.checks.map(({ code }) => code)).toEqual(["rows", "chain", "secrets", "draws"]);
    const seats = JSON.stringify(JSON.parse(other.split("\n")[2] ?? "").events[1].order);
    const turned = other.replace(`"order":${seats}`, `"order":${seats === "[0,1]" ? "[1,0]" : "[0,1]"}`);
    expect(await problems(turned)).toContainEqual({ seq: 3, code: "other_seats" });
  });
});

describe("tampering by someone who leaves the hashes alone", () => {
  test("a changed row shows at the next opening and in the last line", async () => {
    const { lines } = journalNamed("connect-four, three rounds");
    const changed = lines.with(1, (lines[1] ?? "").replace("player 1", "player X"));
    const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Forged);
    const reopened = rows.find((row) => row.seq > 1 && row.events.some((event: Forged) => event.type === "opened"));
    const found = await problems(changed.join("\n"));
    expect(found).toContainEqual({ seq: reopened.seq, code: "chain_breaks" });
    expect(found).toContainEqual({ seq: 0, code: "trailer" });
  });

  test("removed and swapped rows", async () => {
    const removed = LINE.lines.toSpliced(6, 1);
    expect(await problems(removed.join("\n"))).toContainEqual({ seq: 8, code: "gap", before: 6 });
    const swapped = LINE.lines.with(5, LINE.lines[6] ?? "").with(6, LINE.lines[5] ?? "");
    expect(await problems(swapped.join("\n"))).toContainEqual({ seq: 7, code: "gap", before: 5 });
  });

  test("a whole journal written anew is found by the hash that was told", async () => {
    const later = forge(LINE, (rows) => {
      rows[1].command.person.name = "Eve";
      rows[1].events[0].person.name = "Eve";
    });
    expect((await judge(later)).ok).toBe(true);
    expect(await problems(later, lastHash(LINE.lines))).toEqual([{ seq: 0, code: "not_the_told_hash" }]);
  });
});

describe("tampering by someone who writes all hashes anew", () => {
  const cases: [string, typeof LINE, (rows: Forged[]) => number, Partial<Problem>][] = [
    [
      "a move into another column",
      LINE,
      (rows) => {
        const { row, event } = findEvent(rows, "dropped");
        event.column = (event.column + 1) % 7;
        return row.seq;
      },
      { code: "differs", event: 1 },
    ],
    [
      "a move of the wrong seat",
      LINE,
      (rows) => {
        const { row } = findEvent(rows, "dropped");
        row.seat = 1;
        return row.seq;
      },
      { code: "refused", refusal: "not_your_turn" },
    ],
    [
      "another winner",
      LINE,
      (rows) => {
        const { row, event } = findEvent(rows, "round_ended");
        event.outcome.winners = [1 - event.outcome.winners[0]];
        return row.seq;
      },
      { code: "differs", event: 2 },
    ],
    [
      "other seats",
      LINE,
      (rows) => {
        const { row, event } = findEvent(rows, "seats_drawn");
        event.order.reverse();
        return row.seq;
      },
      { code: "differs", event: 2 },
    ],
    [
      "another secret",
      LINE,
      (rows) => {
        const { row, event } = findEvent(rows, "round_ended");
        event.secret = "ab".repeat(32);
        return row.seq;
      },
      { code: "other_secret", round: 1 },
    ],
    [
      "another commitment",
      LINE,
      (rows) => {
        findEvent(rows, "opened").event.commitment = "ab".repeat(32);
        return findEvent(rows, "round_ended").row.seq;
      },
      { code: "other_secret", round: 1 },
    ],
    [
      "other dice",
      DICE,
      (rows) => {
        const { row, event } = findEvent(rows, "rolled");
        event.dice[0] = 7 - event.dice[0];
        return row.seq;
      },
      { code: "differs", event: 1 },
    ],
    [
      "another payout",
      DICE,
      (rows) => {
        const { row, event } = findEvent(rows, "settled");
        event.payouts["0"][0][1] += 1;
        return row.seq;
      },
      { code: "differs", event: 2 },
    ],
    [
      "another card",
      CALLED,
      (rows) => {
        const { row, event } = findEvent(rows, "cards_dealt");
        event.cards["1"].reverse();
        return row.seq;
      },
      { code: "differs", event: 1 },
    ],
    [
      "another call",
      CALLED,
      (rows) => {
        const { row, event } = findEvent(rows, "called");
        event.number = (event.number % 75) + 1;
        return row.seq;
      },
      { code: "differs", event: 1 },
    ],
    [
      "a claim without a bingo",
      CALLED,
      (rows) => {
        const { row } = findEvent(rows, "called");
        Object.assign(row, { seat: 0, command: { type: "claim" }, events: [{ type: "bingo_claimed", seat: 0 }] });
        return row.seq;
      },
      { code: "refused", refusal: "no_bingo" },
    ],
    [
      "another board",
      DUEL,
      (rows) => {
        const { row, event } = findEvent(rows, "boards_dealt");
        event.boards.reverse();
        return row.seq;
      },
      { code: "differs", event: 4 },
    ],
    [
      "a number picked twice",
      DUEL,
      (rows) => {
        const picks = rows.filter((row) => row.command.type === "pick");
        picks[1].command = picks[0].command;
        picks[1].events[0].number = picks[0].command.number;
        return picks[1].seq;
      },
      { code: "refused", refusal: "already_picked" },
    ],
    [
      "a stone that was not taken",
      STONES,
      (rows) => {
        const row = rows.find((each) => each.events[0].taken?.length > 0);
        row.events[0].taken = [];
        return row.seq;
      },
      { code: "differs", event: 1 },
    ],
    [
      "a stone that jumps",
      STONES,
      (rows) => {
        const { row } = findEvent(rows, "moved");
        row.command.to = [row.command.from[0], 0];
        return row.seq;
      },
      { code: "refused", refusal: "not_adjacent" },
    ],
  ];

  test.each(cases)("%s", async (_, journal, change, what) => {
    let seq = 0;
    const forged = forge(journal, (rows) => {
      seq = change(rows);
    });
    const found = await problems(forged);
    expect(found).toContainEqual(expect.objectContaining({ seq, ...what }));
  });

  test("what reads the same and is written otherwise", async () => {
    const spaced = LINE.lines.slice(0, -1).with(3, (LINE.lines[3] ?? "").replace('"events":[', '"events": ['));
    expect(await problems(spaced.join("\n"))).toEqual([{ seq: 4, code: "written_otherwise" }]);
    const twice = LINE.lines
      .slice(0, -1)
      .with(3, (LINE.lines[3] ?? "").replace('"seat":0,"column"', '"seat":1,"seat":0,"column"'));
    expect(await problems(twice.join("\n"))).toEqual([{ seq: 4, code: "written_otherwise" }]);
  });
});

describe("what is no finished journal", () => {
  test.each([
    ["", { seq: 0, code: "no_rows" }],
    ["hello", { seq: 0, code: "not_a_row", line: 1 }],
    ['{"events":[]}', { seq: 0, code: "no_opening" }],
    [`${LINE.lines[0]}\n{"table":1}`, { seq: 2, code: "not_a_row", line: 2 }],
    [LINE.lines.slice(0, 5).join("\n"), { seq: 0, code: "running", round: 1 }],
    [`${LINE.lines.slice(0, 3).join("\n")}\n{"filtered":true,"events":[]}`, { seq: 0, code: "filtered", after: 3 }],
  ])("%#", async (lines, problem) => {
    expect(await problems(lines)).toEqual([problem]);
  });

  test("bytes that are no text", async () => {
    const bytes = new TextEncoder().encode(LINE.lines.join("\n"));
    bytes[5] = 0xff;
    expect((await judge(bytes)).problems).toEqual([{ seq: 0, code: "not_a_row", line: 1 }]);
  });
});

test("line breaks of any system, and none at the end, read the same", async () => {
  expect((await judge(`${LINE.lines.join("\r\n")}\r\n\r\n`)).ok).toBe(true);
});

test("a long journal leaves the page time to breathe, and can be stopped", async () => {
  const parts: number[] = [];
  const stop = new AbortController();
  const long = journalOfManyCards();
  await judge(long, { onProgress: (part) => parts.push(part) });
  expect(parts.length).toBeGreaterThan(1);
  stop.abort();
  await expect(judge(long, { signal: stop.signal })).rejects.toThrow();
});

/** Thousands of people sit down; what follows is of no matter here. */
function journalOfManyCards(): string {
  const [open = ""] = CALLED.lines;
  const sit = (n: number): string =>
    JSON.stringify({
      ...{ table: 1, seq: n + 2, round: 1, at_ms: 1_000_000, seat: null },
      command: { type: "sit", person: { player: n, name: `player ${n}` }, seat: null },
      events: [
        { type: "seated", seat: n, person: { player: n, name: `player ${n}` } },
        { type: "joined", seat: n },
      ],
    });
  return [open, ...Array.from({ length: 9000 }, (_, n) => sit(n))].join("\n");
}
