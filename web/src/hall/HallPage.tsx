import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { attempt } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import { connection, keeper, usePlayer } from "../wire/session.ts";
import { GameCard } from "./GameCard.tsx";
import type { OpenTable } from "./lobby-store.ts";
import { PlayerList } from "./PlayerList.tsx";
import { seeking, wantName } from "./play.ts";
import { useLobby, useSeats, useSeeking } from "./stores.ts";
import { TableList } from "./TableList.tsx";
import { hallTexts } from "./texts.ts";
import "./hall.css";

export function HallPage() {
  const t = useText(hallTexts);
  const { games, tables, players } = useLobby();
  const player = usePlayer();
  return (
    <div className="hall">
      <section className="hall-head">
        <div>
          <h1>{t.title}</h1>
          <p className="soft">{t.lead}</p>
        </div>
        {!player && <NameField />}
      </section>
      <Waiting />
      <Seats tables={tables} />
      <section aria-labelledby="games">
        <h2 id="games">{t.games}</h2>
        <ul className="game-cards">
          {games.map((game) => (
            <li key={game.name}>
              <GameCard game={game} />
            </li>
          ))}
        </ul>
      </section>
      <div className="hall-lists">
        <TableList
          title={t.openTables}
          none={t.noOpenTables}
          tables={tables.filter((table) => table.status === "waiting")}
        />
        <TableList title={t.running} none={t.noRunning} tables={tables.filter((table) => table.status === "playing")} />
        <PlayerList players={players} games={games} />
      </div>
    </div>
  );
}

function NameField() {
  const t = useText(hallTexts);
  const [name, setName] = useState(keeper.name ?? "");
  return (
    <form
      className="name-field"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(connection.greet());
      }}
    >
      <label className="field">
        <span>{t.yourName}</span>
        <input
          value={name}
          maxLength={32}
          autoComplete="nickname"
          aria-describedby="name-hint"
          onChange={(event) => {
            setName(event.target.value);
            wantName(event.target.value);
          }}
        />
      </label>
      {/* Whoever only looks around is nobody's business, so it takes a word to be on the list. */}
      <button type="submit" className="button small">
        {t.hello}
      </button>
      <small id="name-hint" className="soft">
        {t.nameHint}
      </small>
    </form>
  );
}

function Waiting() {
  const t = useText(hallTexts);
  const title = useGameTitle();
  const game = useSeeking();
  return (
    <div role="status" aria-live="polite">
      {game !== null && (
        <div className="card row waiting">
          <span className="spinner" aria-hidden="true" />
          <span>{t.waiting(title(game))}</span>
          <Action run={() => seeking.cancel()}>{t.cancel}</Action>
        </div>
      )}
    </div>
  );
}

/** The way back to where one sits. */
function Seats({ tables }: { tables: readonly OpenTable[] }) {
  const t = useText(hallTexts);
  const title = useGameTitle();
  const seats = useSeats();
  if (seats.length === 0) return null;
  return (
    <nav className="card row" aria-labelledby="seats">
      <h2 id="seats">{t.yourTables}</h2>
      {seats.map((table) => {
        // A private one is on no list.
        const game = tables.find((each) => each.id === table)?.game;
        return (
          <a key={table} className="button small" href={link("table", table)}>
            {game === undefined ? t.yourTable(table) : t.tableOf(title(game), t.yourTable(table))}
          </a>
        );
      })}
    </nav>
  );
}
