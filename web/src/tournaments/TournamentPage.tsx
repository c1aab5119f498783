import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { Title } from "../shell/Title.tsx";
import { attempt } from "../shell/toasts.ts";
import { RefusalText } from "../text/RefusalText.tsx";
import { useLanguage, useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import { connection, usePlayer } from "../wire/session.ts";
import { Games } from "./Games.tsx";
import { hasOpened } from "./opened.ts";
import { Standings } from "./Standings.tsx";
import { formatName } from "./TournamentsPage.tsx";
import { tournamentTexts } from "./texts.ts";
import "./tournament.css";

export type Shown = ApiAnswers["getTournament"];

const REFRESH_MS = 2_000;

export function TournamentPage({ tournament }: { tournament: number }) {
  const load = () => get("getTournament", `api/tournaments/${tournament}`);
  const { value, refusal, again } = useLoaded(String(tournament), load, REFRESH_MS);
  if (!value) return refusal && <RefusalText refusal={refusal} />;
  return (
    <TournamentView shown={value} isHere>
      <Taking shown={value} again={again} />
    </TournamentView>
  );
}

/** A tournament that is held at another hall. */
export function AwayPage({ away }: { away: number }) {
  const t = useText(tournamentTexts);
  const load = () => get("getAwayTournament", `api/tournaments/away/${away}`);
  const { value, refusal } = useLoaded(`away/${away}`, load, REFRESH_MS);
  if (!value) return refusal && <RefusalText refusal={refusal} />;
  return (
    <TournamentView shown={value.shown} isHere={false}>
      <p>
        {t.awayAt(value.url)} {!value.reachable && <span className="soft">({t.notReached})</span>}
      </p>
    </TournamentView>
  );
}

function TournamentView({ shown, isHere, children }: { shown: Shown; isHere: boolean; children: React.ReactNode }) {
  const t = useText(tournamentTexts);
  const language = useLanguage();
  const title = useGameTitle()(shown.view.game);
  const { view } = shown;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const winners = view.winners.map((seat) => shown.names[seat] ?? "").join(", ");
  return (
    <div className="stack tournament" data-status={view.status}>
      <Title>{view.title || `${title} ${shown.tournament}`}</Title>
      <p className="soft">
        {title} · {formatName(t, view.format)} · {t.entrants(view.entrants.length)} · {t[view.status]}
        {view.rated && ` · ${t.rated}`}
        {view.status === "open" && view.starts_at_ms > 0 && ` · ${t.startsAt(time.format(view.starts_at_ms))}`}
        {view.status === "running" && view.ends_at_ms > 0 && ` · ${t.endsAt(time.format(view.ends_at_ms))}`}
      </p>
      <p role="status" aria-live="polite" className="winner">
        {view.status === "over" && winners && t.winner(winners)}
      </p>
      {children}
      <Standings shown={shown} />
      <Games shown={shown} isHere={isHere} />
      {isHere && view.status === "over" && (
        <p>
          <a className="button small" href={link("verify", shown.tournament)}>
            {t.verify}
          </a>
        </p>
      )}
    </div>
  );
}

/** Entering, withdrawing, and the way to one's next game. */
function Taking({ shown, again }: { shown: Shown; again: () => void }) {
  const t = useText(tournamentTexts);
  const me = usePlayer();
  const [club, setClub] = useState("");
  const { tournament, view, names } = shown;
  const seat = Object.entries(names).find(([, name]) => name === me?.name)?.[0];
  const mine = view.entrants.find((each) => String(each.seat) === seat && !each.withdrawn);
  const game = view.games.find(
    (each) => each.state === "playing" && mine && [each.first, each.second].includes(mine.seat),
  );
  const table = game && shown.tables[game.number];
  const late = view.status === "open" || (view.format === "arena" && view.status === "running");

  async function ask(asked: Promise<unknown>): Promise<void> {
    await attempt(asked);
    again();
  }

  const mayBegin = view.status === "open" && hasOpened(tournament);
  if (view.status === "over" || !(mine || late || mayBegin)) return null;
  return (
    <section className="card row" aria-live="polite">
      {mine ? (
        <>
          <span>{game ? t.yourGame : view.status === "running" ? t.waitForGame : t.youPlay}</span>
          {table ? (
            <a className="button primary" href={link("table", table)}>
              {t.toGame}
            </a>
          ) : null}
          <button
            type="button"
            className="button"
            onClick={() => void ask(connection.request("leave_tournament", { tournament }))}
          >
            {t.withdraw}
          </button>
        </>
      ) : (
        late && (
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault();
              void ask(connection.request("enter_tournament", { tournament, club }));
            }}
          >
            <label className="field">
              <span>{t.club}</span>
              <input maxLength={32} value={club} onChange={(event) => setClub(event.target.value)} />
            </label>
            <button type="submit" className="button primary">
              {t.enter}
            </button>
          </form>
        )
      )}
      {mayBegin && (
        <button
          type="button"
          className="button"
          onClick={() => void ask(connection.request("begin_tournament", { tournament }))}
        >
          {t.begin}
        </button>
      )}
    </section>
  );
}
