import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { useLanguage, useText } from "../text/text.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import { historyTexts } from "./texts.ts";

export type Round = ApiAnswers["getHistory"]["rounds"][number];

const NAMES_SHOWN = 4;
/** It is kept like a game, but has a page of its own and no board. */
const TOURNAMENT = "tournament";

/** Finished rounds, with the ways to see and to verify each. */
export function HistoryTable({ rounds }: { rounds: readonly Round[] }) {
  const t = useText(historyTexts);
  const language = useLanguage();
  const title = useGameTitle();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.game}</th>
            <th scope="col">{t.players}</th>
            <th scope="col">{t.ended}</th>
            <th scope="col">
              <span className="hidden-text">{t.replay}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => (
            <tr key={`${round.table}/${round.round}`}>
              <td>{round.game === TOURNAMENT ? t.tournament : title(round.game)}</td>
              <td>
                <Players round={round} />
              </td>
              <td>
                <time dateTime={new Date(round.ended_at_ms).toISOString()}>{time.format(round.ended_at_ms)}</time>
              </td>
              <td>
                <div className="row">
                  {round.game === TOURNAMENT ? (
                    <a className="button small" href={link("tournament", round.table)}>
                      {t.show}
                    </a>
                  ) : (
                    <a className="button small" href={link("replay", round.table, round.round)}>
                      {t.replay}
                    </a>
                  )}
                  <a className="button small" href={link("verify", round.table, round.round)}>
                    {t.verify}
                  </a>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Players({ round }: { round: Round }) {
  const t = useText(historyTexts);
  if (round.results.length === 0) return t.nobody;
  return (
    <>
      {round.results.slice(0, NAMES_SHOWN).map(({ seat, name, result, score }) => (
        <div key={seat}>
          <a href={link("player", name)}>{name}</a>{" "}
          <span className="soft small">
            {t.mark[result]}
            {typeof score === "number" && ` (${score})`}
          </span>
        </div>
      ))}
      {round.results.length > NAMES_SHOWN && <span className="soft small">+ {round.results.length - NAMES_SHOWN}</span>}
    </>
  );
}
