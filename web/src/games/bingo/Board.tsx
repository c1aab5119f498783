import { useState } from "react";
import { useText } from "../../text/text.ts";
import type { Views } from "../../wire/messages.ts";
import type { BoardProps } from "../game.ts";
import { CalledBoard } from "./CalledBoard.tsx";
import { Card } from "./Card.tsx";
import { FREE, letterOf, placesInLines, rowByRow } from "./card.ts";
import { useAutoMark, useHandMarks } from "./marks.ts";
import { useReady } from "./ready.ts";
import { boardTexts } from "./texts.ts";
import "./board.css";

type View = Views["bingo"];

export function Board({ view, seat, players, act }: BoardProps<"bingo">) {
  const t = useText(boardTexts);
  const shown = useLastRound(view);
  const numbers = shown.card ? rowByRow(shown.card) : [];
  const [auto, setAuto] = useAutoMark();
  const [marks, toggleMark] = useHandMarks(numbers);
  const called = new Set(shown.called);
  const isMarked = (number: number): boolean => number === FREE || (auto ? called : marks).has(number);
  const inLine = placesInLines(numbers, isMarked);
  const plays = act !== null && view.playing && view.card !== null;
  // Who has a line to claim is not done with the number.
  const ready = useReady(plays ? act : null, view.called.length, auto && inLine.size === 0);
  const last = shown.called.at(-1);

  return (
    <div className="bingo">
      <div className="bingo-caller">
        <p className="bingo-ball" aria-live="polite">
          {last === undefined ? (
            "–"
          ) : (
            <>
              <span>{letterOf(last)}</span> <strong>{last}</strong>
            </>
          )}
        </p>
        <p className="bingo-said" aria-live="polite">
          <Said view={view} shown={shown} seat={seat} players={players} />
        </p>
        <CalledBoard called={shown.called} />
        <p className="soft">
          {t.players(shown.players)} · {t.count(shown.called.length)}
        </p>
      </div>
      <div className="bingo-own">
        {shown.card && (
          <Card numbers={numbers} isMarked={isMarked} inLine={inLine} onMark={plays && !auto ? toggleMark : null} />
        )}
        <div className="bingo-buttons">
          {plays && (
            <button
              type="button"
              className={inLine.size > 0 ? "button primary bingo-claim has-line" : "button primary bingo-claim"}
              onClick={() => act({ type: "claim" })}
            >
              BINGO
            </button>
          )}
          {plays && !auto && (
            <button
              type="button"
              className="button"
              disabled={ready.said || view.called.length === 0}
              onClick={ready.say}
            >
              {ready.said ? t.waiting : t.ready}
            </button>
          )}
          {act && seat !== null && !view.playing && (
            <button type="button" className="button primary" onClick={() => act({ type: "start" })}>
              {t.start}
            </button>
          )}
        </div>
        {act && seat !== null && (
          <label className="bingo-switch">
            <input type="checkbox" role="switch" checked={auto} onChange={(event) => setAuto(event.target.checked)} />
            {t.auto}
          </label>
        )}
      </div>
    </div>
  );
}

/** What lies on the table: a round that is over stays there until the next one starts. */
function useLastRound(view: View): View {
  const [last, setLast] = useState(view);
  const fresh = view.playing || view.called.length > 0 || view.winner !== null;
  if (fresh && last !== view) setLast(view);
  return fresh ? view : last;
}

interface SaidProps extends Pick<BoardProps<"bingo">, "seat" | "players"> {
  view: View;
  shown: View;
}

function Said({ view, shown, seat, players }: SaidProps) {
  const t = useText(boardTexts);
  if (view.playing) return seat !== null && view.card === null ? t.nextRound : null;
  if (shown.winner === null) return seat === null ? t.noRound : t.startOne;
  if (shown.winner === seat) return <strong className="good">{t.youWon}</strong>;
  const name = players.find((each) => each.seat === shown.winner)?.name;
  return <strong>{name === undefined ? t.someoneWon : t.won(name)}</strong>;
}
