import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseLanguage, LANGUAGES, type Language } from "../../src/text/text.ts";
import { sentenceTexts } from "../../src/verify/sentences.ts";
import { VerifyPage } from "../../src/verify/VerifyPage.tsx";
import { keepReceipt } from "../../src/wire/receipts.ts";
import { findEvent, forge, journalNamed } from "./journals.ts";

const JOURNAL = journalNamed("connect-four, a line");
const HASH = (JSON.parse(JOURNAL.lines.at(-1) ?? "") as { hash: string }).hash;

let asked: string[] = [];

function answerWith(body: string, status = 200): void {
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve(new Response(body, { status }));
  });
}

beforeEach(() => {
  asked = [];
  localStorage.clear();
  chooseLanguage("en");
  answerWith(JOURNAL.lines.join("\n"));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the hall's journal is fetched, judged and told in words", async () => {
  render(<VerifyPage table={1} round={1} tableKey="k y" />);
  expect(await screen.findByText("Everything in this journal is in order.")).toBeTruthy();
  expect(asked.map((url) => new URL(url).pathname + new URL(url).search)).toEqual([
    "/api/tables/1/journal?round=1&key=k+y",
  ]);
  const checks = within(screen.getByRole("region", { name: "Checked and in order" }));
  expect(checks.getByText(/who sits where/)).toBeTruthy();
  expect(checks.getByText(/1 result follows from the moves/)).toBeTruthy();
  expect(screen.getByText(HASH)).toBeTruthy();
  expect(screen.getByText(/Compare the last hash/)).toBeTruthy();
});

test("the hash that this browser was told is compared", async () => {
  keepReceipt(1, 1, HASH);
  render(<VerifyPage table={1} round={1} />);
  expect(await screen.findByText(/The hash that you were told is that of row/)).toBeTruthy();
  cleanup();
  keepReceipt(1, 1, "ab".repeat(32));
  render(<VerifyPage table={1} round={null} />);
  expect(await screen.findByText("This journal is not in order.")).toBeTruthy();
  expect(screen.getByText(/No row has the hash that you were told/)).toBeTruthy();
});

test("a tampered file is found out, with its row", async () => {
  render(<VerifyPage table={1} round={null} />);
  await screen.findByText("Everything in this journal is in order.");
  let seq = 0;
  const forged = forge(JOURNAL, (rows) => {
    const { row, event } = findEvent(rows, "round_ended");
    event.outcome.winners = [1 - event.outcome.winners[0]];
    seq = row.seq;
  });
  const input = screen.getByLabelText("Check a journal file from this device");
  fireEvent.change(input, { target: { files: [new File([forged], "forged.jsonl")] } });
  expect(await screen.findByText("This journal is not in order.")).toBeTruthy();
  expect(screen.getByText("File: forged.jsonl")).toBeTruthy();
  const problems = within(screen.getByRole("region", { name: "Not in order" }));
  expect(problems.getByText(`Row ${seq}`)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Check the hall’s journal" }));
  expect(await screen.findByText("Everything in this journal is in order.")).toBeTruthy();
});

test("a round that is still played is not called forged", async () => {
  answerWith(JOURNAL.lines.slice(0, 6).join("\n"));
  render(<VerifyPage table={1} round={null} />);
  expect(await screen.findByText("This journal cannot be judged yet.")).toBeTruthy();
  expect(screen.getByText(/Round 1 has no end here/)).toBeTruthy();
});

test("a refusal and a torn connection are told", async () => {
  answerWith('{"error":{"code":"no_such_table","message":"There is no such table."}}', 404);
  render(<VerifyPage table={9} round={null} />);
  expect(await screen.findByRole("alert")).toBeTruthy();
  cleanup();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network error")));
  render(<VerifyPage table={9} round={null} />);
  expect(await screen.findByText(/could not be read to its end/)).toBeTruthy();
});

test.each(Object.keys(LANGUAGES) as Language[])(
  "in %s the page is accessible and says everything",
  async (language) => {
    chooseLanguage(language);
    const { container } = render(<VerifyPage table={1} round={1} />);
    await screen.findByText(HASH);
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
    const words = sentenceTexts[language];
    expect(words.problems.differs({ code: "differs", event: 2, right: "A", found: "" })).toContain("A");
    if (language !== "en") expect(container.textContent).not.toContain("in order");
  },
);
