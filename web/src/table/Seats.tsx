import { link } from "../routes.ts";
import { useText } from "../text/text.ts";
import type { SeatInfo, TableView } from "../wire/messages.ts";
import { connection } from "../wire/session.ts";
import { useSecondsLeft } from "./Countdown.tsx";
import { PersonMenu } from "./PersonMenu.tsx";
import { tableTexts } from "./texts.ts";

const SHOWN = 12;

export function Seats({ view, away }: { view: TableView; away: ReadonlyMap<number, number> }) {
  const t = useText(tableTexts);
  const shown = view.players.slice(0, SHOWN);
  return (
    <section className="card stack seats">
      <h2>{t.playersHere(view.count)}</h2>
      <ul className="list">
        {shown.map((player) => (
          <li key={player.seat} className="list-row">
            <div>
              <Name player={player} />
              {away.has(player.id) && !player.left && <Away name={player.name} until={away.get(player.id) ?? 0} />}
            </div>
            {player.id !== connection.player?.id && !player.bot && (
              <PersonMenu id={player.id} name={player.name} table={view.table} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Name({ player }: { player: SeatInfo }) {
  const t = useText(tableTexts);
  const mark = player.bot ? t.bot : player.id === connection.player?.id ? t.you : null;
  return (
    <span className={player.left ? "left" : undefined}>
      <a href={link("player", player.name)}>{player.name}</a>
      {mark && <span className="soft small"> ({mark})</span>}
    </span>
  );
}

function Away({ name, until }: { name: string; until: number }) {
  const t = useText(tableTexts);
  const seconds = useSecondsLeft(until);
  return <div className="small soft">{until === 0 ? t.isAway(name) : t.away(name, seconds)}</div>;
}
