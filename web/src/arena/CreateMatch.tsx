import { useState } from "react";
import { attempt } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import { post } from "../wire/api.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import { arenaTexts } from "./texts.ts";

type Server = ApiAnswers["listArenaServers"]["servers"][number];
type Made = ApiAnswers["makeArenaMatch"];

export function CreateMatch({ servers }: { servers: readonly Server[] }) {
  const t = useText(arenaTexts);
  // Only here and only now: the token opens everything, so it is kept nowhere.
  const [token, setToken] = useState("");
  const [server, setServer] = useState("");
  const [uids, setUids] = useState<readonly [string, string]>(["", ""]);
  const [made, setMade] = useState<Made | null>(null);

  async function create(): Promise<void> {
    const body = { server: Number(server || servers[0]?.id), uid1: Number(uids[0]), uid2: Number(uids[1]) };
    setMade(await post("makeArenaMatch", "api/arena/matches", body, token));
  }

  return (
    <form
      className="card stack"
      aria-label={t.create}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(create());
      }}
    >
      <h2>{t.create}</h2>
      <p className="soft small">{t.operatorOnly}</p>
      <div className="row">
        <label className="field">
          <span>{t.token}</span>
          <input
            required
            type="password"
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{t.server}</span>
          <select value={server} onChange={(event) => setServer(event.target.value)}>
            {servers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{t.user1}</span>
          <input
            required
            type="number"
            min={0}
            max={2147483647}
            value={uids[0]}
            onChange={(event) => setUids([event.target.value, uids[1]])}
          />
        </label>
        <label className="field">
          <span>{t.user2}</span>
          <input
            required
            type="number"
            min={0}
            max={2147483647}
            value={uids[1]}
            onChange={(event) => setUids([uids[0], event.target.value])}
          />
        </label>
      </div>
      <p>
        <button type="submit" className="button primary" disabled={servers.length === 0}>
          {t.create}
        </button>
      </p>
      <div role="status" aria-live="polite">
        {made && <Handout made={made} />}
      </div>
    </form>
  );
}

function Handout({ made }: { made: Made }) {
  const t = useText(arenaTexts);
  return (
    <>
      <p className="good">{t.made}</p>
      <dl className="row record" data-match={made.matchId}>
        {(
          [
            [t.match, made.matchId],
            [t.address, made.address],
            [t.port, made.port],
            [t.key, made.keymatch],
          ] as const
        ).map(([word, value]) => (
          <div key={word} className="card">
            <dt className="soft small">{word}</dt>
            <dd className="copyable">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
