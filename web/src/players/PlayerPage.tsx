import { useState } from "react";
import { HistoryTable, type Round } from "../history/HistoryTable.tsx";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { Title } from "../shell/Title.tsx";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import { mute, useMuted } from "../wire/muted.ts";
import { usePlayer } from "../wire/session.ts";
import { playerTexts } from "./texts.ts";

const PAGE = 30;

const load = (name: string, after: number | null) =>
  get("getPlayer", `api/players/${encodeURIComponent(name)}`, { after, limit: PAGE });

/** Who someone is, and what they have played. */
export function PlayerPage({ name }: { name: string }) {
  const t = useText(playerTexts);
  const { value, refusal } = useLoaded(name, () => load(name, null));
  const [older, setOlder] = useState<{ results: Round[]; next: number | null } | null>(null);
  if (refusal) return <RefusalText refusal={refusal} />;
  if (!value) return null;
  const rounds = [...value.results, ...(older?.results ?? [])];
  const next = older ? older.next : value.next;

  async function showOlder(): Promise<void> {
    const more = await load(name, next);
    setOlder((before) => ({ results: [...(before?.results ?? []), ...more.results], next: more.next }));
  }

  return (
    <div className="stack">
      <Title>{value.name}</Title>
      <div className="row">
        <span className="soft">{t.kinds[value.kind]}</span>
        <About id={value.id} kind={value.kind} />
      </div>
      <Record id={value.id} rounds={rounds} />
      <h2>{t.games}</h2>
      {rounds.length === 0 ? <p className="soft">{t.none}</p> : <HistoryTable rounds={rounds} />}
      {next !== null && (
        <p>
          <Action className="button" run={() => showOlder()}>
            {t.older}
          </Action>
        </p>
      )}
    </div>
  );
}

function About({ id, kind }: { id: number; kind: string }) {
  const t = useText(playerTexts);
  const me = usePlayer();
  const muted = useMuted().has(id);
  if (me?.id === id || kind === "bot") return null;
  return (
    <>
      <a className="button small" href={link()}>
        {t.challenge}
      </a>
      <button type="button" className="button small" aria-pressed={muted} onClick={() => mute(id, !muted)}>
        {muted ? t.unmute : t.mute}
      </button>
    </>
  );
}

function Record({ id, rounds }: { id: number; rounds: readonly Round[] }) {
  const t = useText(playerTexts);
  const results = rounds.flatMap((round) =>
    round.results.filter((each) => each.player === id).map((each) => each.result),
  );
  const count = (wanted: string): number => results.filter((each) => each === wanted).length;
  const shown = [
    [t.played, results.length],
    [t.won, count("win")],
    [t.drawn, count("draw")],
    [t.lost, count("loss")],
  ] as const;
  if (results.length === 0) return null;
  return (
    <section className="stack">
      <h2>{t.inGamesBelow}</h2>
      <dl className="row record">
        {shown.map(([word, number]) => (
          <div key={word} className="card">
            <dt className="soft small">{word}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
