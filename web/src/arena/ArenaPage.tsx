import { useState } from "react";
import { Title } from "../shell/Title.tsx";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import { CreateMatch } from "./CreateMatch.tsx";
import { arenaTexts } from "./texts.ts";

const REFRESH_MS = 3_000;
const PAGE = 50;

type Server = ApiAnswers["listArenaServers"]["servers"][number];

export function ArenaPage() {
  const t = useText(arenaTexts);
  const servers = useLoaded("servers", () => get("listArenaServers", "api/arena/servers", { limit: PAGE }), REFRESH_MS);
  return (
    <div className="stack">
      <Title>{t.title}</Title>
      <p className="soft">{t.lead}</p>
      {servers.refusal && <RefusalText refusal={servers.refusal} />}
      <Servers servers={servers.value?.servers ?? []} />
      <Matches servers={servers.value?.servers ?? []} />
      <Scores />
      <CreateMatch servers={servers.value?.servers ?? []} />
    </div>
  );
}

function Servers({ servers }: { servers: readonly Server[] }) {
  const t = useText(arenaTexts);
  return (
    <section className="card stack">
      <h2>{t.servers}</h2>
      {servers.length === 0 && <p className="soft">{t.noServers}</p>}
      <ul className="stack">
        {servers.map((server) => (
          <li key={server.id}>
            <strong>{server.name}</strong>{" "}
            <span className={server.reachable ? "good small" : "soft small"}>
              {server.reachable ? t.reachable : t.unreachable}
            </span>
            <div className="soft small">
              {t.address}: {server.address}:{server.port}
              {server.rule && ` · ${t.rule}: ${server.rule}`}
              {server.author && ` · ${t.author}: ${server.author}`}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Matches({ servers }: { servers: readonly Server[] }) {
  const t = useText(arenaTexts);
  const [before, setBefore] = useState<number | null>(null);
  const load = () => get("listArenaMatches", "api/arena/matches", { newest: true, before, limit: PAGE });
  const { value, refusal } = useLoaded(`matches/${before}`, load, REFRESH_MS);
  const nameOf = (id: number): string => servers.find((server) => server.id === id)?.name ?? String(id);
  const next = value?.next ?? null;
  return (
    <section className="card stack">
      <h2>{t.matches}</h2>
      {refusal && <RefusalText refusal={refusal} />}
      {value?.matches.length === 0 && <p className="soft">{t.noMatches}</p>}
      {value && value.matches.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={t.matches}>
          <table>
            <thead>
              <tr>
                {[t.match, t.server, t.users, t.status, t.score].map((each) => (
                  <th key={each} scope="col">
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {value.matches.map((match) => (
                <tr key={match.id}>
                  <td>{match.id}</td>
                  <td>{nameOf(match.server)}</td>
                  <td>
                    {match.uid1} – {match.uid2}
                  </td>
                  <td>{t.statuses[match.status]}</td>
                  <td>{match.score1 !== null && `${match.score1} : ${match.score2}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next !== null && (
        <p>
          <button type="button" className="button small" onClick={() => setBefore(next)}>
            {t.next}
          </button>
        </p>
      )}
    </section>
  );
}

function Scores() {
  const t = useText(arenaTexts);
  const { value } = useLoaded("scores", () => get("getArenaScores", "api/arena/scores", { limit: PAGE }), REFRESH_MS);
  if (!value || value.scores.length === 0) return null;
  return (
    <section className="card stack">
      <h2>{t.scores}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={t.scores}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.user}</th>
              {[t.played, t.won, t.drawn, t.lost, t.points].map((each) => (
                <th key={each} scope="col" className="number">
                  {each}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value.scores.map((score) => (
              <tr key={score.uid}>
                <td>{score.uid}</td>
                <td className="number">{score.played}</td>
                <td className="number">{score.won}</td>
                <td className="number">{score.drawn}</td>
                <td className="number">{score.lost}</td>
                <td className="number">
                  {score.points_for} : {score.points_against}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
