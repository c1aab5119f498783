import { link } from "../routes.ts";
import { useText } from "../text/text.ts";
import type { Shown } from "./TournamentPage.tsx";
import { tournamentTexts } from "./texts.ts";

type Match = Shown["view"]["games"][number];

/** Every stage with its rounds side by side: of a knock-out, that is its bracket. */
export function Games({ shown, isHere }: { shown: Shown; isHere: boolean }) {
  const t = useText(tournamentTexts);
  const { view } = shown;
  const byNumber = new Map(view.games.map((game) => [game.number, game]));
  if (view.status === "open") return null;
  return (
    <section className="card stack">
      <h2>{view.format.endsWith("elimination") ? t.bracket : t.games}</h2>
      {view.games.length === 0 && <p className="soft">{t.noGames}</p>}
      {Object.entries(view.bracket).map(([stage, rounds]) => (
        <div key={stage} className="stack">
          {stage && <h3>{stageName(t, stage)}</h3>}
          <div className="bracket scroll" tabIndex={0} role="region" aria-label={stageName(t, stage) || t.games}>
            {rounds.map((numbers, place) => {
              const games = numbers.map((number) => byNumber.get(number)).filter((game) => game !== undefined);
              const round = games[0]?.round ?? place + 1;
              const byes = view.byes.filter((bye) => bye.round === round && (bye.stage ?? "") === stage);
              return (
                <ol key={round} className="bracket-round" aria-label={t.round(round)}>
                  <li className="soft small" aria-hidden="true">
                    {t.round(round)}
                  </li>
                  {games.map((game) => (
                    <Pairing key={game.number} game={game} shown={shown} isHere={isHere} />
                  ))}
                  {byes.map((bye) => (
                    <li key={bye.seat} className="soft small">
                      {shown.names[bye.seat]} {t.bye}
                    </li>
                  ))}
                </ol>
              );
            })}
          </div>
        </div>
      ))}
    </section>
  );
}

function stageName(t: (typeof tournamentTexts)["en"], stage: string): string {
  const named: Readonly<Record<string, string>> = t.stages;
  if (stage.startsWith("home ")) return t.home(stage.slice("home ".length));
  if (stage.startsWith("place ")) return t.placeGames(stage.slice("place ".length));
  return named[stage] ?? stage;
}

function Pairing({ game, shown, isHere }: { game: Match; shown: Shown; isHere: boolean }) {
  const t = useText(tournamentTexts);
  const over = game.state === "over";
  const table = shown.tables[game.number] || game.table;
  const decided = over && game.winner !== null && game.winner !== undefined;
  return (
    <li className="pairing" data-state={game.state ?? "playing"}>
      {([game.first, game.second] as const).map((seat, side) => (
        <div key={seat} className={decided && game.winner === seat ? "won" : undefined}>
          <span>{shown.names[seat]}</span>
          <span className="number">
            {game.scores ? game.scores[side] : decided ? (game.winner === seat ? 1 : 0) : over ? "½" : ""}
          </span>
        </div>
      ))}
      {isHere && table ? (
        <a href={over ? link("replay", table, 1) : link("table", table)} className="small">
          {over ? t.replay : t.watch}
        </a>
      ) : (
        !over && <span className="soft small">{t.playing}</span>
      )}
    </li>
  );
}
