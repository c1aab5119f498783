import { useText } from "../../text/text.ts";
import { useGridKeys } from "../gridKeys.ts";
import { FREE, LETTERS } from "./card.ts";
import { boardTexts } from "./texts.ts";

interface CardProps {
  /** Row by row. */
  numbers: readonly number[];
  isMarked: (number: number) => boolean;
  /** The places of complete lines. */
  inLine: ReadonlySet<number>;
  /** Null where nobody marks by hand. */
  onMark: ((number: number) => void) | null;
}

export function Card({ numbers, isMarked, inLine, onMark }: CardProps) {
  const t = useText(boardTexts);
  const keys = useGridKeys(5, 5);
  return (
    <div
      className="bingo-card"
      role={onMark ? "grid" : "table"}
      aria-label={onMark ? t.cardByHand : t.card}
      {...keys.handlers}
    >
      <div className="bingo-card-row" role="row">
        {LETTERS.map((letter) => (
          <span key={letter} className="bingo-letter" role="columnheader">
            {letter}
          </span>
        ))}
      </div>
      {[0, 5, 10, 15, 20].map((start) => (
        <div key={start} className="bingo-card-row" role="row">
          {numbers.slice(start, start + 5).map((number, n) => {
            const place = start + n;
            const marked = isMarked(number);
            const className = `bingo-place ${marked ? "marked" : ""} ${inLine.has(place) ? "in-line" : ""}`;
            const name = number === FREE ? t.free : String(number);
            return onMark ? (
              <span key={place} role="gridcell">
                <button
                  type="button"
                  className={className}
                  aria-label={name}
                  aria-pressed={marked}
                  aria-disabled={number === FREE}
                  data-place={place}
                  tabIndex={place === keys.current ? 0 : -1}
                  onClick={() => number !== FREE && onMark(number)}
                >
                  {number || "★"}
                </button>
              </span>
            ) : (
              <span key={place} className={className} role="cell" aria-label={marked ? t.isMarked(name) : name}>
                {number || "★"}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}
