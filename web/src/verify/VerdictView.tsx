import { Fragment, useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { useText } from "../text/text.ts";
import { sentence, sentenceTexts } from "./sentences.ts";
import { verifyTexts } from "./texts.ts";
import type { Told, Verdict } from "./verdict.ts";

/** How many problems are listed: a forged journal can have as many as rows. */
const PROBLEMS_MAX = 50;
/** Of how many rounds the secrets are shown: a table can have thousands, each with a page of its own. */
const ROUNDS_MAX = 20;

/** What was checked, what is wrong and in which row, and what one may compare. */
export function VerdictView({ verdict }: { verdict: Verdict }) {
  const t = useText(verifyTexts);
  const words = useText(sentenceTexts);
  const { problems, checks, notes, told } = verdict;
  return (
    <div className="stack">
      {problems.length > 0 && (
        <section className="card" aria-labelledby="verify-problems">
          <h2 id="verify-problems">{t.problems}</h2>
          <ul className="findings">
            {problems.slice(0, PROBLEMS_MAX).map((problem, n) => (
              <li key={n} className="wrong">
                <span className="hidden-text">{t.wrong}</span>
                <strong>{problem.seq === 0 ? t.whole : t.row(problem.seq)}</strong> {sentence(words.problems, problem)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {checks.length > 0 && (
        <section className="card" aria-labelledby="verify-checks">
          <h2 id="verify-checks">{t.checks}</h2>
          <ul className="findings">
            {checks.map((check) => (
              <li key={check.code} className="right">
                <span className="hidden-text">{t.ok}</span> {sentence(words.checks, check)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section className="card" aria-labelledby="verify-notes">
          <h2 id="verify-notes">{t.notes}</h2>
          <ul className="findings">
            {notes.map((note) => (
              <li key={note.code}>{sentence(words.notes, note)}</li>
            ))}
          </ul>
        </section>
      )}
      {told !== null && <ToldView told={told} />}
    </div>
  );
}

function ToldView({ told }: { told: Told }) {
  const t = useText(verifyTexts);
  const title = useGameTitle()(told.game);
  return (
    <section className="card" aria-labelledby="verify-told">
      <h2 id="verify-told">{t.compare}</h2>
      <p className="soft">{t.of(told.table, title)}</p>
      <dl className="told">
        <Value name={t.lastHash} value={told.lastHash} />
        {told.rounds.slice(-ROUNDS_MAX).map(({ round, commitment, secret }) => (
          <Fragment key={round}>
            <Value name={t.commitment(round)} value={commitment} />
            {secret === null ? <Untold name={t.secret(round)} /> : <Value name={t.secret(round)} value={secret} />}
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  const t = useText(verifyTexts);
  const [copied, setCopied] = useState(false);
  // Browsers give pages the clipboard on https and localhost only; elsewhere one selects by hand.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  return (
    <div className="told-value">
      <dt>{name}</dt>
      <dd>
        <code className="copyable">{value}</code>
        {clipboard && (
          <button
            type="button"
            className="button small"
            aria-label={t.copyOf(name)}
            onClick={() => void clipboard.writeText(value).then(() => setCopied(true))}
          >
            {t.copy}
          </button>
        )}
        <span aria-live="polite" className="soft">
          {copied && t.copied}
        </span>
      </dd>
    </div>
  );
}

function Untold({ name }: { name: string }) {
  const t = useText(verifyTexts);
  return (
    <div className="told-value">
      <dt>{name}</dt>
      <dd className="soft">{t.untold}</dd>
    </div>
  );
}
