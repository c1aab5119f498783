import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { More } from "../hall/PlayerList.tsx";
import { GameSelect } from "../players/GameSelect.tsx";
import { go, link } from "../routes.ts";
import { Title } from "../shell/Title.tsx";
import { attempt } from "../shell/toasts.ts";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import { connection } from "../wire/session.ts";
import { rememberOpened } from "./opened.ts";
import { tournamentTexts } from "./texts.ts";

type Shown = ApiAnswers["getTournament"];

const FORMATS = ["round-robin", "swiss", "single-elimination", "double-elimination", "arena", "derby"] as const;
const REFRESH_MS = 5_000;
const STEP = 10;
const PAGE = 200;
const PAGES_MAX = 20;

/** The newest first, and how many there are. */
async function loadTournaments(count: number): Promise<{ shown: Shown[]; all: number }> {
  const ids: number[] = [];
  let after: number | null = 0;
  for (let page = 0; after !== null && page < PAGES_MAX; page++) {
    const list: ApiAnswers["listTournaments"] = await get("listTournaments", "api/tournaments", { after, limit: PAGE });
    ids.push(...list.tournaments.map(({ id }) => id));
    after = list.next;
  }
  const newest = ids.toReversed().slice(0, count);
  const shown = await Promise.all(newest.map((id) => get("getTournament", `api/tournaments/${id}`)));
  return { shown, all: ids.length };
}

export function TournamentsPage() {
  const t = useText(tournamentTexts);
  const [count, setCount] = useState(STEP);
  const { value, refusal } = useLoaded(`tournaments/${count}`, () => loadTournaments(count), REFRESH_MS);
  return (
    <div className="stack">
      <Title>{t.title}</Title>
      {refusal && <RefusalText refusal={refusal} />}
      {value?.all === 0 && <p className="soft">{t.none}</p>}
      <ul className="stack">
        {value?.shown.map((shown) => (
          <li key={shown.tournament}>
            <Summary shown={shown} />
          </li>
        ))}
      </ul>
      <More count={(value?.all ?? 0) - count} more={() => setCount(count + STEP)} />
      <Organise />
      <Away />
    </div>
  );
}

function Summary({ shown: { tournament, view } }: { shown: Shown }) {
  const t = useText(tournamentTexts);
  const title = useGameTitle()(view.game);
  return (
    <a className="card list-row tournament-row" href={link("tournament", tournament)}>
      <strong>{view.title || `${title} ${tournament}`}</strong>
      <span className="soft small">
        {title} · {formatName(t, view.format)} · {t.entrants(view.entrants.length)} · {t[view.status]}
      </span>
    </a>
  );
}

export function formatName(t: { formats: Readonly<Record<string, string>> }, format: string): string {
  return t.formats[format] ?? format;
}

function Organise() {
  const t = useText(tournamentTexts);
  const [title, setTitle] = useState("");
  const [game, setGame] = useState("connect-four");
  const [format, setFormat] = useState<string>(FORMATS[0]);
  const [minutes, setMinutes] = useState(10);

  async function open(): Promise<void> {
    const { tournament } = await connection.request("open_tournament", { game, format, title, minutes });
    rememberOpened(tournament);
    go("tournament", tournament);
  }

  return (
    <form
      className="card stack"
      aria-label={t.organise}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(open());
      }}
    >
      <h2>{t.organise}</h2>
      <div className="row">
        <label className="field">
          <span>{t.name}</span>
          <input maxLength={80} value={title} onChange={(event) => setTitle(event.target.value)} />
        </label>
        <GameSelect label={t.game} value={game} choose={setGame} duels />
        <label className="field">
          <span>{t.format}</span>
          <select value={format} onChange={(event) => setFormat(event.target.value)}>
            {FORMATS.map((each) => (
              <option key={each} value={each}>
                {t.formats[each]}
              </option>
            ))}
          </select>
        </label>
        {format === "arena" && (
          <label className="field">
            <span>{t.minutes}</span>
            <input
              type="number"
              min={1}
              max={600}
              value={minutes}
              onChange={(event) => setMinutes(Number(event.target.value))}
            />
          </label>
        )}
      </div>
      <p>
        <button type="submit" className="button primary">
          {t.make}
        </button>
      </p>
    </form>
  );
}

/** Those that are held elsewhere, and that this hall follows. */
function Away() {
  const t = useText(tournamentTexts);
  const { value } = useLoaded("away", () => get("listAwayTournaments", "api/tournaments/away"), REFRESH_MS);
  if (!value || value.tournaments.length === 0) return null;
  return (
    <section className="stack">
      <h2>{t.away}</h2>
      <ul className="stack">
        {value.tournaments.map(({ away, url, title, status, reachable }) => (
          <li key={away}>
            <a className="card list-row tournament-row" href={link("away", away)}>
              <strong>{title || url}</strong>
              <span className="soft small">
                {t.awayAt(url)} · {t[status]} {!reachable && `· ${t.notReached}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
