import { memo } from "react";
import { useText } from "../../text/text.ts";
import type { Views } from "../../wire/messages.ts";
import { boardTexts } from "./texts.ts";

const ROWS = 6;

/**
 * The results of the last rounds, the oldest first, in columns from the top. Where a round has its
 * place follows from its number, so that beads stay where they are when the oldest goes.
 */
export const BeadRoad = memo(function BeadRoad({ history }: { history: Views["sicbo"]["history"] }) {
  const t = useText(boardTexts);
  return (
    <section className="sicbo-road">
      <h3>{t.lastRounds}</h3>
      {history.length === 0 ? (
        <p className="soft">{t.noRounds}</p>
      ) : (
        <ol>
          {history.map(({ round, sum, result }, n) => (
            <li
              key={round}
              className={`bead bead-${result.toLowerCase()}`}
              style={n === 0 ? { gridRowStart: ((round - 1) % ROWS) + 1 } : undefined}
              title={t.pastRound(round, sum, t.results[result])}
            >
              <span aria-hidden="true">{t.beads[result]}</span>
              <span className="hidden-text">{t.pastRound(round, sum, t.results[result])}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
});
