import { useEffect, useState } from "react";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { Refusal } from "../wire/connection.ts";
import { judge } from "./judge.ts";
import { fetchJournal, journalUrl, toldHash, type Wanted } from "./source.ts";
import { verifyTexts } from "./texts.ts";
import { VerdictView } from "./VerdictView.tsx";
import type { Verdict } from "./verdict.ts";
import "./verify.css";

type Stage =
  | { at: "loading" }
  | { at: "checking"; part: number }
  | { at: "judged"; verdict: Verdict }
  | { at: "refused"; refusal: Refusal }
  | { at: "broken" };

export interface VerifyPageProps {
  table: number;
  /** Null is the whole table. */
  round: number | null;
  /** Of a private table; React keeps the name `key` for itself. */
  tableKey?: string | undefined;
}

/** Judges the journal of a table, or of one of its rounds, and says in words what it found. */
export function VerifyPage({ table, round, tableKey }: VerifyPageProps) {
  const t = useText(verifyTexts);
  // A new object each time, so that the same choice can be made again.
  const [source, setSource] = useState<{ file: File | null }>({ file: null });
  const stage = useJudged(table, round, tableKey, source);
  return (
    <section className="verify stack" aria-labelledby="verify-title">
      <h1 id="verify-title">{t.title(table, round)}</h1>
      <p>{t.intro}</p>
      <div className="row">
        <button type="button" className="button" onClick={() => setSource({ file: null })}>
          {t.again}
        </button>
        <a className="button" href={journalUrl({ table, round, key: tableKey })} download={fileName(table, round)}>
          {t.save}
        </a>
        <FileChoice label={t.chooseFile} onChoose={(file) => setSource({ file })} />
      </div>
      {source.file && <p className="soft">{t.fromFile(source.file.name)}</p>}
      <div aria-live="polite">
        <StageView stage={stage} />
      </div>
      {stage.at === "judged" && <VerdictView verdict={stage.verdict} />}
      <p className="soft">
        {t.proves} {t.provesNot}
      </p>
    </section>
  );
}

function StageView({ stage }: { stage: Stage }) {
  const t = useText(verifyTexts);
  switch (stage.at) {
    case "loading":
      return <p>{t.loading}</p>;
    case "checking":
      return <progress className="verify-progress" value={stage.part} max={1} aria-label={t.checking} />;
    case "refused":
      return <RefusalText refusal={stage.refusal} />;
    case "broken":
      return <p className="refusal">{t.broken}</p>;
    case "judged":
      return <p className={`verdict ${stage.verdict.ok ? "good" : "refusal"}`}>{t[summary(stage.verdict)]}</p>;
  }
}

function summary({ ok, problems, notes }: Verdict): "passed" | "partly" | "unfinished" | "failed" {
  if (ok) return notes.some((note) => note.code === "rules_unknown") ? "partly" : "passed";
  const unfinished = problems.every(({ code }) => code === "running" || code === "filtered");
  return unfinished ? "unfinished" : "failed";
}

function FileChoice({ label, onChoose }: { label: string; onChoose: (file: File) => void }) {
  return (
    <label className="button verify-file">
      {label}
      <input
        type="file"
        className="hidden-text"
        accept=".jsonl,.ndjson,.json,.txt"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onChoose(file);
          // The same file may have been changed meanwhile, and be chosen again.
          event.target.value = "";
        }}
      />
    </label>
  );
}

function useJudged(table: number, round: number | null, key: string | undefined, source: { file: File | null }): Stage {
  const [stage, setStage] = useState<Stage>({ at: "loading" });
  useEffect(() => {
    const stop = new AbortController();
    const wanted: Wanted = { table, round, key };
    setStage({ at: "loading" });
    judgedFrom(wanted, source.file, stop.signal, (part) => setStage({ at: "checking", part })).then(
      (next) => stop.signal.aborted || setStage(next),
    );
    return () => stop.abort();
  }, [table, round, key, source]);
  return stage;
}

async function judgedFrom(
  wanted: Wanted,
  file: File | null,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Stage> {
  try {
    const journal = file ? new Uint8Array(await file.arrayBuffer()) : await fetchJournal(wanted, signal);
    if (!signal.aborted) onProgress(0);
    const { table, round } = wanted;
    // A file may be of any table. Of the hall's journal, only what was asked for counts.
    const asked = (_: number, rounds: readonly number[]) => toldHash(table, round === null ? rounds : [round]);
    const verdict = await judge(journal, { toldHash: file ? toldHash : asked, onProgress, signal });
    return { at: "judged", verdict };
  } catch (error) {
    if (error instanceof Refusal) return { at: "refused", refusal: error };
    // The connection was torn, or the page was left: in the second case nobody sees this.
    if (error instanceof TypeError || error instanceof DOMException) return { at: "broken" };
    throw error;
  }
}

function fileName(table: number, round: number | null): string {
  return round === null ? `table-${table}.jsonl` : `table-${table}-round-${round}.jsonl`;
}
