import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { show } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import type { GameInfo } from "../wire/messages.ts";
import { connection, usePlayer } from "../wire/session.ts";
import type { Person } from "./lobby-store.ts";
import { needsOpponent } from "./play.ts";
import { hallTexts } from "./texts.ts";

const STEP = 30;
/** From so many on it helps to look for a name. */
const MANY = 10;

export function PlayerList({ players, games }: { players: readonly Person[]; games: readonly GameInfo[] }) {
  const t = useText(hallTexts);
  const me = usePlayer();
  const [shown, setShown] = useState(STEP);
  const [wanted, setWanted] = useState("");
  const duels = games.filter(needsOpponent);
  const rank = (person: Person): number => (person.id === me?.id ? 0 : person.status === "free" ? 1 : 2);
  const found = players
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  return (
    <section className="card stack" aria-label={t.players}>
      <h2>
        {t.players} {players.length > 0 && <span className="soft">({players.length})</span>}
      </h2>
      {players.length === 0 && <p className="soft">{t.noPlayers}</p>}
      {players.length > MANY && (
        <input
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <ul className="list">
        {found.slice(0, shown).map((person) => (
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
      <More count={found.length - shown} more={() => setShown(shown + STEP)} />
    </section>
  );
}

/** What a list has not shown yet. */
export function More({ count, more }: { count: number; more: () => void }) {
  const t = useText(hallTexts);
  if (count <= 0) return null;
  return (
    <p>
      <button type="button" className="button small" onClick={more}>
        {t.more(count)}
      </button>
    </p>
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
      <Action aria-label={`${t.challenge}: ${person.name}`} run={send}>
        {t.challenge}
      </Action>
    </div>
  );
}
