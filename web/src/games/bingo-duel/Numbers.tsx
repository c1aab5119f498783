import type { CSSProperties } from "react";
import { useText } from "../../text/text.ts";
import { useGridKeys } from "../gridKeys.ts";
import { fullLines, type Line } from "./lines.ts";
import { boardTexts } from "./texts.ts";

interface NumbersProps {
  /** Rows of numbers; 0 lies face down. */
  board: readonly (readonly number[])[];
  label: string;
  /** Who picked which number. */
  pickers: ReadonlyMap<number, number>;
  last: number | null;
  name: (seat: number) => string;
  mayPick: boolean;
  /** Null on a board that is only looked at. */
  onPick: ((number: number) => void) | null;
}

export function Numbers({ board, label, pickers, last, name, mayPick, onPick }: NumbersProps) {
  const t = useText(boardTexts);
  const size = board.length;
  const keys = useGridKeys(size, size);
  const classes = onPick ? "duel-numbers own" : "duel-numbers";
  const style = { "--size": size } as CSSProperties;
  if (board.every((row) => row.every((number) => number === 0))) {
    return (
      <div className="duel-frame">
        <div className={classes} style={style} role="img" aria-label={t.faceDown(label)}>
          {board.map((row, y) => (
            <div key={y} className="duel-row">
              {row.map((_, x) => (
                <span key={x} className="duel-place">
                  <span className="duel-number down" />
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    );
  }
  return (
    <div className="duel-frame">
      <div className={classes} style={style} role={onPick ? "grid" : "table"} aria-label={label} {...keys.handlers}>
        {board.map((row, y) => (
          <div key={y} className="duel-row" role="row">
            {row.map((number, x) => {
              const picker = pickers.get(number);
              const look = number === 0 ? "down" : picker === undefined ? "" : `by-${picker}`;
              const className = `duel-number ${look} ${number === last ? "last" : ""}`;
              const spoken = picker === undefined ? String(number || t.hidden) : t.pickedBy(number, name(picker));
              return onPick ? (
                <span key={x} className="duel-place" role="gridcell">
                  <button
                    type="button"
                    className={className}
                    aria-label={spoken}
                    aria-disabled={!mayPick || picker !== undefined}
                    data-place={y * size + x}
                    tabIndex={y * size + x === keys.current ? 0 : -1}
                    onClick={() => onPick(number)}
                  >
                    {number}
                  </button>
                </span>
              ) : (
                <span key={x} className="duel-place" role="cell" aria-label={spoken}>
                  <span className={className}>{number || ""}</span>
                </span>
              );
            })}
          </div>
        ))}
        <Strikes lines={fullLines(board, new Set(pickers.keys()))} size={size} />
      </div>
    </div>
  );
}

function Strikes({ lines, size }: { lines: readonly Line[]; size: number }) {
  return (
    <svg className="duel-strikes" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {lines.map(({ from, to }) => {
        // A little past the middle of the first and the last number.
        const past = (a: number, b: number): number => a + 0.5 + Math.sign(a - b) * 0.35;
        const ends = {
          x1: past(from[1], to[1]),
          y1: past(from[0], to[0]),
          x2: past(to[1], from[1]),
          y2: past(to[0], from[0]),
        };
        return <line key={`${from.join()}-${to.join()}`} {...ends} pathLength={1} />;
      })}
    </svg>
  );
}
