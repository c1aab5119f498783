import { memo } from "react";
import { useText } from "../../text/text.ts";
import { COLUMN, LETTERS } from "./card.ts";
import { boardTexts } from "./texts.ts";

/** All 75 numbers, those that were called marked. */
export function CalledBoard({ called }: { called: readonly number[] }) {
  const t = useText(boardTexts);
  const known = new Set(called);
  const last = called.at(-1);
  return (
    <div className="bingo-called" role="table" aria-label={t.calledNumbers}>
      {LETTERS.map((letter, row) => (
        <div key={letter} className="bingo-called-row" role="row">
          <span className="bingo-letter" role="rowheader">
            {letter}
          </span>
          {Array.from({ length: COLUMN }, (_, n) => row * COLUMN + n + 1).map((number) => (
            <CalledNumber
              key={number}
              number={number}
              look={number === last ? "last" : known.has(number) ? "yes" : "no"}
              label={known.has(number) ? t.wasCalled(number) : undefined}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface CalledNumberProps {
  number: number;
  look: "last" | "yes" | "no";
  label: string | undefined;
}

// A call changes two of 75.
const CalledNumber = memo(function CalledNumber({ number, look, label }: CalledNumberProps) {
  return (
    <span className={`bingo-called-number called-${look}`} role="cell" aria-label={label}>
      {number}
    </span>
  );
});
