import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { useText } from "../../text/text.ts";
import type { BoardProps } from "../game.ts";
import { Legend } from "../Legend.tsx";
import { Spoken } from "../Spoken.tsx";
import { Stone } from "../Stone.tsx";
import { landingRow } from "./reduce.ts";
import { boardTexts } from "./texts.ts";
import "./board.css";

export function Board({ view, recent, seat, players, outcome, act }: BoardProps<"connect-four">) {
  const t = useText(boardTexts);
  const columns = view.board[0]?.length ?? 0;
  const [chosen, setChosen] = useState(Math.floor(columns / 2));
  const group = useRef<HTMLDivElement>(null);
  const mayDrop = act !== null && outcome === null && seat !== null && view.turn === seat;
  const fell = recent.some((event) => event.type === "dropped");

  function choose(event: KeyboardEvent): void {
    const target = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: columns - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const column = Math.min(Math.max(target, 0), columns - 1);
    setChosen(column);
    group.current?.querySelectorAll("button")[column]?.focus();
  }

  function drop(column: number): void {
    setChosen(column);
    if (mayDrop && landingRow(view.board, column) >= 0) act({ type: "drop", column });
  }

  return (
    <div className="c4">
      <Legend players={players} turn={view.turn} />
      <div
        ref={group}
        className={view.line.length > 0 ? "c4-board won" : "c4-board"}
        style={{ "--columns": columns, "--rows": view.board.length } as CSSProperties}
        role="group"
        aria-label={t.board}
        onKeyDown={choose}
      >
        {Array.from({ length: columns }, (_, column) => (
          <Column
            key={column}
            view={view}
            column={column}
            fell={fell}
            ghost={mayDrop && landingRow(view.board, column) >= 0 ? seat : null}
            tabIndex={column === chosen ? 0 : -1}
            onDrop={() => drop(column)}
          />
        ))}
      </div>
      <Spoken>
        {view.last && t.dropped(stoneAt(view, view.last.column, view.last.row) - 1, view.last.column + 1)}
      </Spoken>
    </div>
  );
}

interface ColumnProps {
  view: BoardProps<"connect-four">["view"];
  column: number;
  /** Whether the last stone has just been dropped. */
  fell: boolean;
  /** Whose stone hangs over the column when it is pointed at; null if none can be dropped. */
  ghost: number | null;
  tabIndex: number;
  onDrop: () => void;
}

function Column({ view, column, fell, ghost, tabIndex, onDrop }: ColumnProps) {
  const t = useText(boardTexts);
  const cells = view.board.map((row) => row[column] ?? 0);
  const fromBelow = cells.filter((stone) => stone !== 0).toReversed();
  const names = fromBelow.map((stone) => t.stones[stone - 1] ?? "");
  const landing = landingRow(view.board, column);
  return (
    // It stays in reach when nothing can be dropped: a screen reader reads the board here.
    <button
      type="button"
      className="c4-column"
      aria-label={t.column(column + 1, names, landing < 0)}
      aria-disabled={ghost === null}
      tabIndex={tabIndex}
      onClick={onDrop}
    >
      <span className="c4-above">{ghost !== null && <Stone seat={ghost} className="ghost" />}</span>
      {cells.map((stone, row) => {
        const last = view.last?.column === column && view.last.row === row;
        const inLine = view.line.some((spot) => spot.column === column && spot.row === row);
        const marks = [last && "last", last && fell && "falls", inLine && "in-line"];
        return (
          <span key={row} className="c4-cell" style={{ "--row": row } as CSSProperties}>
            {stone !== 0 && <Stone seat={stone - 1} className={marks.filter(Boolean).join(" ")} />}
            {ghost !== null && row === landing && <span className="c4-landing" />}
          </span>
        );
      })}
    </button>
  );
}

function stoneAt(view: ColumnProps["view"], column: number, row: number): number {
  return view.board[row]?.[column] ?? 0;
}
