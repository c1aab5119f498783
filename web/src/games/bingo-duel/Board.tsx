import { useMemo } from "react";
import { useText } from "../../text/text.ts";
import type { BoardProps } from "../game.ts";
import { Stone } from "../Stone.tsx";
import { Numbers } from "./Numbers.tsx";
import { boardTexts } from "./texts.ts";
import "./board.css";

export function Board({ view, seat, players, outcome, act }: BoardProps<"bingo-duel">) {
  const t = useText(boardTexts);
  const { picked, size, turn } = view;
  // The one who picks changes with each number, and seat 1 begins.
  const pickers = useMemo(() => new Map(picked.map((number, n) => [number, (n + 1) % 2])), [picked]);
  const over = turn === null || outcome !== null;
  const mayPick = act !== null && seat !== null && !over && turn === seat;
  const name = (of: number): string => players.find((each) => each.seat === of)?.name ?? t.seat(of + 1);
  const last = picked.at(-1) ?? null;

  function pick(number: number): void {
    if (mayPick && !pickers.has(number)) act({ type: "pick", number });
  }

  return (
    <div className="duel">
      <p className="duel-said" aria-live="polite">
        {last !== null && t.hasPicked(name(pickers.get(last) ?? 0), last)}
      </p>
      <div className="duel-boards">
        {(seat === 1 ? [1, 0] : [0, 1]).map((of) => {
          const side = view.sides[of === 0 ? 0 : 1];
          return (
            <section key={of} className="duel-side" aria-current={!over && turn === of ? "true" : undefined}>
              <h3>
                <Stone seat={of} />
                <span className="duel-name">{of === seat ? t.yours(name(of)) : name(of)}</span>
                {side.lines !== null && <span className="duel-lines">{t.lines(side.lines, size)}</span>}
              </h3>
              <Numbers
                board={side.board}
                label={of === seat ? t.ownBoard : t.boardOf(name(of))}
                pickers={pickers}
                last={last}
                name={name}
                mayPick={mayPick}
                onPick={of === seat ? pick : null}
              />
            </section>
          );
        })}
      </div>
    </div>
  );
}
