import { useEffect, useState } from "react";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import { get } from "../wire/api.ts";
import { Refusal } from "../wire/connection.ts";
import type { ApiAnswers } from "../wire/messages.ts";
import type { Recording } from "./load.ts";
import { replayTexts } from "./texts.ts";

type Move = ApiAnswers["getAnalysis"]["moves"][number];

/** The solver takes some seconds to start, and is asked again meanwhile. */
const AGAIN_MS = 2000;
const TRIES = 60;
const SIGNS = { win: "+", draw: "=", loss: "−" } as const;

interface Props {
  round: Recording["round"];
  tableKey: string | null;
  seq: number;
  goTo: (seq: number) => void;
}

/** What every column is worth at the moment that is shown, and which moves were mistakes. */
export function Analysis(props: Props) {
  const t = useText(replayTexts);
  const [wanted, setWanted] = useState(false);
  if (wanted) return <Analysed {...props} />;
  return (
    <p>
      <button type="button" className="button small" onClick={() => setWanted(true)}>
        {t.analyse}
      </button>
    </p>
  );
}

function Analysed({ round, tableKey, seq, goTo }: Props) {
  const t = useText(replayTexts);
  const { moves, refusal } = useAnalysis(round.table, round.round, tableKey);
  if (refusal) return <RefusalText refusal={refusal} />;
  if (!moves) return <p role="status">{t.analysing}</p>;
  const next = moves.find((move) => move.seq > seq);
  const made = moves.find((move) => move.seq === seq);
  const mistakes = moves.filter((move) => move.verdict !== "kept");
  const nameOf = (move: Move): string => round.players.find((each) => each.seat === move.seat)?.name ?? "";
  return (
    <section className="card stack analysis" aria-label={t.analysis}>
      {made && made.verdict !== "kept" && (
        <p className="bad" role="status">
          ✗ {t.verdicts[made.verdict](nameOf(made))}
        </p>
      )}
      {next && <Columns move={next} name={nameOf(next)} />}
      {mistakes.length === 0 && <p className="soft">{t.noMistakes}</p>}
      <div className="row">
        {mistakes.map((move) => (
          <button key={move.seq} type="button" className="button small" onClick={() => goTo(move.seq)}>
            ✗ {t.mistake(moves.indexOf(move) + 1, nameOf(move))}
          </button>
        ))}
      </div>
    </section>
  );
}

function Columns({ move, name }: { move: Move; name: string }) {
  const t = useText(replayTexts);
  return (
    <table>
      <caption>{t.toMove(name)}</caption>
      <thead>
        <tr>
          {move.columns.map((_, column) => (
            <th key={column} scope="col">
              {column + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {move.columns.map((worth, column) => (
            <td key={column} className={worth ? worth.result : ""} data-made={column === move.column || undefined}>
              {worth && (
                <span title={t.worth[worth.result](worth.plies)}>
                  <span aria-hidden="true">
                    {SIGNS[worth.result]}
                    {worth.result !== "draw" && worth.plies}
                  </span>
                  <span className="analysis-word">{t.worth[worth.result](worth.plies)}</span>
                </span>
              )}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function useAnalysis(table: number, round: number, key: string | null) {
  const [moves, setMoves] = useState<readonly Move[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (triesLeft: number): void => {
      get("getAnalysis", `api/tables/${table}/analysis`, { round, key }).then(
        (analysis) => wanted && setMoves(analysis.moves),
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          if (!wanted) return;
          if (error.code === "unavailable" && triesLeft > 0) timer = setTimeout(() => ask(triesLeft - 1), AGAIN_MS);
          else setRefusal(error);
        },
      );
    };
    ask(TRIES);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [table, round, key]);
  return { moves, refusal };
}
