import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { attempt, show } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import { connection, usePlayer } from "../wire/session.ts";
import type { GameInfo } from "../wire/messages.ts";
import type { Person } from "./lobby-store.ts";
import { needsOpponent } from "./play.ts";
import { hallTexts } from "./texts.ts";

const SHOWN = 50;

export function PlayerList({ players, games }: { players: readonly Person[]; games: readonly GameInfo[] }) {
  const t = useText(hallTexts);
  const me = usePlayer();
  const duels = games.filter(needsOpponent);
  return (
    <section className="card stack" aria-label={t.players}>
      <h2>{t.players}</h2>
      {players.length === 0 && <p className="soft">{t.noPlayers}</p>}
      <ul className="list">
        {players.slice(0, SHOWN).map((person) => (
          <li key={person.id} className="list-row" data-player={person.id}>
            <div>
              <a href={link("player", person.name)}>{person.name}</a>
              <div className="small soft">
                {person.id === me?.id ? t.you : person.status === "free" ? t.free : t.busy}
              </div>
            </div>
            {person.id !== me?.id && person.status === "free" && <Challenge person={person} games={duels} />}
          </li>
        ))}
      </ul>
      {players.length > SHOWN && <p className="soft small">{t.more(players.length - SHOWN)}</p>}
    </section>
  );
}

function Challenge({ person, games }: { person: Person; games: readonly GameInfo[] }) {
  const t = useText(hallTexts);
  const title = useGameTitle();
  const [game, setGame] = useState(games[0]?.name ?? "");

  async function send(): Promise<void> {
    await connection.request("challenge", { player: person.id, game: game || (games[0]?.name ?? "") });
    show(t.challengeSent);
  }

  return (
    <div className="row">
      <select aria-label={t.challengeTo(person.name)} value={game} onChange={(event) => setGame(event.target.value)}>
        {games.map(({ name }) => (
          <option key={name} value={name}>
            {title(name)}
          </option>
        ))}
      </select>
      <button type="button" className="button small" aria-label={`${t.challenge}: ${person.name}`} onClick={() => void attempt(send())}>
        {t.challenge}
      </button>
    </div>
  );
}
