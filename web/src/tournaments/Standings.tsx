import { link } from "../routes.ts";
import { useText } from "../text/text.ts";
import type { Shown } from "./TournamentPage.tsx";
import { tournamentTexts } from "./texts.ts";

export function Standings({ shown: { names, view } }: { shown: Shown }) {
  const t = useText(tournamentTexts);
  const clubs = new Map(view.entrants.map(({ seat, club }) => [seat, club]));
  const gone = new Set(view.entrants.filter((each) => each.withdrawn).map((each) => each.seat));
  if (view.standings.length === 0) return null;
  return (
    <section className="card stack">
      <h2>{t.standings}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={t.standings}>
        <table className="standings">
          <thead>
            <tr>
              <th scope="col">{t.rank}</th>
              <th scope="col">{t.player}</th>
              {[t.points, t.won, t.drawn, t.lost, t.byes].map((each) => (
                <th key={each} scope="col" className="number">
                  {each}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.standings.map(({ seat, rank, points, won, drawn, lost, byes }) => (
              <tr key={seat}>
                <td>{rank}</td>
                <td>
                  <a href={link("player", names[seat] ?? "")}>{names[seat]}</a>{" "}
                  <span className="soft small">
                    {clubs.get(seat)} {gone.has(seat) && `(${t.withdrawn})`}
                  </span>
                </td>
                <td className="number">{points}</td>
                <td className="number">{won}</td>
                <td className="number">{drawn}</td>
                <td className="number">{lost}</td>
                <td className="number">{byes}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
