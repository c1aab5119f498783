import { useState } from "react";
import { link } from "../routes.ts";
import { Title } from "../shell/Title.tsx";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get, useLoaded } from "../wire/api.ts";
import { GameSelect } from "./GameSelect.tsx";
import { playerTexts } from "./texts.ts";

const SHOWN = 100;

export function StandingsPage() {
  const t = useText(playerTexts);
  return (
    <div className="stack">
      <Title>{t.standings}</Title>
      <p className="soft">{t.lead}</p>
      <Wins />
      <Ratings />
    </div>
  );
}

function Wins() {
  const t = useText(playerTexts);
  const [game, setGame] = useState("");
  const { value, refusal } = useLoaded(game, () =>
    get("getStandings", "api/standings", { game: game || null, limit: SHOWN }),
  );
  return (
    <section className="card stack">
      <h2>{t.wins}</h2>
      <div className="row">
        <GameSelect label={t.game} all={t.allGames} value={game} choose={setGame} />
      </div>
      {refusal && <RefusalText refusal={refusal} />}
      {value?.standings.length === 0 && <p className="soft">{t.none}</p>}
      {value && value.standings.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={t.wins}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.place}</th>
                <th scope="col">{t.player}</th>
                {[t.played, t.won, t.drawn, t.lost].map((each) => (
                  <th key={each} scope="col" className="number">
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {value.standings.map(({ player, name, played, won, drawn, lost }, place) => (
                <tr key={player}>
                  <td>{place + 1}</td>
                  <td>
                    <a href={link("player", name)}>{name}</a>
                  </td>
                  <td className="number">{played}</td>
                  <td className="number">{won}</td>
                  <td className="number">{drawn}</td>
                  <td className="number">{lost}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Ratings() {
  const t = useText(playerTexts);
  const [game, setGame] = useState("connect-four");
  const [bots, setBots] = useState(false);
  const { value, refusal } = useLoaded(`${game}/${bots}`, () =>
    get("getRatings", "api/ratings", { game, bots, limit: SHOWN }),
  );
  return (
    <section className="card stack">
      <h2>{t.ratings}</h2>
      <p className="soft small">{t.ratingHelp}</p>
      <div className="row">
        <GameSelect label={t.game} value={game} choose={setGame} duels />
        <label className="field">
          <span>{t.league}</span>
          <select value={bots ? "bots" : "people"} onChange={(event) => setBots(event.target.value === "bots")}>
            <option value="people">{t.people}</option>
            <option value="bots">{t.bots}</option>
          </select>
        </label>
      </div>
      {refusal && <RefusalText refusal={refusal} />}
      {value?.ratings.length === 0 && <p className="soft">{t.noRatings}</p>}
      {value && value.ratings.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={t.ratings}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.place}</th>
                <th scope="col">{t.player}</th>
                <th scope="col" className="number">
                  {t.rating}
                </th>
                <th scope="col" className="number">
                  {t.played}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.ratings.map(({ player, name, mu, sigma, rounds }, place) => (
                <tr key={player}>
                  <td>{place + 1}</td>
                  <td>
                    <a href={link("player", name)}>{name}</a>
                  </td>
                  <td className="number">
                    {mu.toFixed(1)} ± {sigma.toFixed(1)}
                  </td>
                  <td className="number">{rounds}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
