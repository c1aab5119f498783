import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { useLobby } from "../hall/stores.ts";
import { Action } from "../shell/Action.tsx";
import { Title } from "../shell/Title.tsx";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import { HistoryTable, type Round } from "./HistoryTable.tsx";
import { historyTexts } from "./texts.ts";

const PAGE = 30;

interface Search {
  game: string;
  player: string;
  result: "" | "win" | "loss" | "draw";
  since: string;
  until: string;
}

const EVERYTHING: Search = { game: "", player: "", result: "", since: "", until: "" };

async function find(search: Search, after: number | null): Promise<{ rounds: Round[]; next: number | null }> {
  const player = search.player ? (await get("getPlayer", `api/players/${encodeURIComponent(search.player)}`)).id : null;
  return get("getHistory", "api/history", {
    game: search.game || null,
    player,
    result: player === null ? null : search.result || null,
    // Days begin and end where the person is: a date alone would be one of Greenwich.
    since_ms: search.since ? Date.parse(`${search.since}T00:00:00`) : null,
    until_ms: search.until ? Date.parse(`${search.until}T23:59:59.999`) : null,
    after,
    limit: PAGE,
  });
}

export function HistoryPage() {
  const t = useText(historyTexts);
  const [search, setSearch] = useState(EVERYTHING);
  const [older, setOlder] = useState<{ rounds: Round[]; next: number | null } | null>(null);
  const { value, refusal } = useLoaded(JSON.stringify(search), () => find(search, null));
  const rounds = [...(value?.rounds ?? []), ...(older?.rounds ?? [])];
  const next = older ? older.next : (value?.next ?? null);

  async function showOlder(): Promise<void> {
    const more = await find(search, next);
    setOlder((before) => ({ rounds: [...(before?.rounds ?? []), ...more.rounds], next: more.next }));
  }

  return (
    <div className="stack">
      <Title>{t.title}</Title>
      <SearchForm
        search={(wanted) => {
          setOlder(null);
          setSearch(wanted);
        }}
      />
      {refusal && <RefusalText refusal={refusal} />}
      {value && rounds.length === 0 && <p className="soft">{t.none}</p>}
      {rounds.length > 0 && <HistoryTable rounds={rounds} />}
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

function SearchForm({ search }: { search: (wanted: Search) => void }) {
  const t = useText(historyTexts);
  const title = useGameTitle();
  const { games } = useLobby();
  const [wanted, setWanted] = useState(EVERYTHING);
  const field = (name: keyof Search) => ({
    value: wanted[name],
    onChange: (event: { target: { value: string } }) => setWanted({ ...wanted, [name]: event.target.value }),
  });
  return (
    <form
      className="row search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(wanted);
      }}
    >
      <label className="field">
        <span>{t.game}</span>
        <select {...field("game")}>
          <option value="">{t.allGames}</option>
          {games.map(({ name }) => (
            <option key={name} value={name}>
              {title(name)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>{t.player}</span>
        <input maxLength={32} {...field("player")} />
      </label>
      <label className="field">
        <span>{t.result}</span>
        <select {...field("result")} disabled={!wanted.player} title={wanted.player ? undefined : t.resultNeedsPlayer}>
          <option value="">{t.anyResult}</option>
          <option value="win">{t.win}</option>
          <option value="loss">{t.loss}</option>
          <option value="draw">{t.draw}</option>
        </select>
      </label>
      <label className="field">
        <span>{t.since}</span>
        <input type="date" {...field("since")} />
      </label>
      <label className="field">
        <span>{t.until}</span>
        <input type="date" {...field("until")} />
      </label>
      <button type="submit" className="button primary">
        {t.search}
      </button>
    </form>
  );
}
