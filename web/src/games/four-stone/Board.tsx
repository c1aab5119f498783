import { type CSSProperties, type MouseEvent, type PointerEvent, useMemo } from "react";
import { useText } from "../../text/text.ts";
import type { BoardProps } from "../game.ts";
import { useGridKeys } from "../gridKeys.ts";
import { Legend } from "../Legend.tsx";
import { Spoken } from "../Spoken.tsx";
import { Stone } from "../Stone.tsx";
import { movesOf, type Place, SIZE, samePlace } from "./moves.ts";
import { boardTexts } from "./texts.ts";
import { useCarrying } from "./use-carrying.ts";
import "./board.css";

export function Board({ view, recent, seat, players, outcome, act }: BoardProps<"four-stone">) {
  const t = useText(boardTexts);
  const turn = outcome === null ? view.turn : null;
  const mayMove = act !== null && seat !== null && turn === seat;
  const moves = useMemo(() => (mayMove ? movesOf(view.board, seat) : []), [mayMove, view, seat]);
  const { held, dragged, handlers, press, click } = useCarrying(moves, (move) => act?.(move));
  const keys = useGridKeys(SIZE, SIZE);
  const justMoved = recent.some((event) => event.type === "moved");
  const last = view.last;
  const mover = last && stoneAt(view, last.to) - 1;

  return (
    <div className="fs">
      <Legend players={players} turn={turn} />
      <div
        className="fs-board"
        role="group"
        aria-label={t.board}
        {...handlers}
        onKeyDown={(event) => {
          handlers.onKeyDown(event);
          keys.handlers.onKeyDown(event);
        }}
        onFocus={keys.handlers.onFocus}
      >
        {PLACES.map((place, n) => {
          const isHeld = held !== null && samePlace(held, place);
          const isTarget = held !== null && moves.some(({ from, to }) => samePlace(from, held) && samePlace(to, place));
          return (
            <PlaceButton
              key={n}
              view={view}
              place={place}
              number={n}
              tabIndex={n === keys.current ? 0 : -1}
              movable={moves.some(({ from }) => samePlace(from, place))}
              held={isHeld}
              dragged={isHeld ? dragged : null}
              target={isTarget}
              justMoved={justMoved}
              onPress={(event) => press(place, event)}
              onClick={(event) => click(place, event)}
            />
          );
        })}
      </div>
      <p className="fs-note">{turn !== null && view.times === 2 && t.repeated}</p>
      <Spoken>
        {last && mover !== null && t.moved(mover, placeName(last.from), placeName(last.to), last.taken.length)}
      </Spoken>
    </div>
  );
}

const PLACES = Array.from({ length: SIZE ** 2 }, (_, n): Place => [n % SIZE, Math.floor(n / SIZE)]);

interface PlaceProps {
  view: BoardProps<"four-stone">["view"];
  place: Place;
  /** Row by row. */
  number: number;
  tabIndex: number;
  movable: boolean;
  held: boolean;
  dragged: { byX: number; byY: number } | null;
  /** Whether the held stone may go here. */
  target: boolean;
  justMoved: boolean;
  onPress: (event: PointerEvent<HTMLElement>) => void;
  onClick: (event: MouseEvent) => void;
}

function PlaceButton(props: PlaceProps) {
  const { view, place, movable, held, dragged, target, justMoved } = props;
  const t = useText(boardTexts);
  const stone = stoneAt(view, place);
  const last = view.last;
  const camePlace = last !== null && samePlace(last.to, place);
  const wasTaken = last?.taken.some((each) => samePlace(each, place));
  const marks = [movable && "movable", held && "held", dragged && "dragged", target && "target"];
  if (last !== null && samePlace(last.from, place)) marks.push("left");
  return (
    // Places where nothing can be done stay in reach: a screen reader reads the board by them.
    <button
      type="button"
      data-place={props.number}
      className={["fs-place", ...marks.filter(Boolean)].join(" ")}
      aria-label={t.place(placeName(place), stone === 0 ? null : stone - 1, target)}
      aria-pressed={movable ? held : undefined}
      aria-disabled={!movable && !target}
      tabIndex={props.tabIndex}
      onPointerDown={props.onPress}
      onClick={props.onClick}
    >
      {stone !== 0 && (
        <span
          className={camePlace && justMoved ? "fs-carried came" : "fs-carried"}
          style={stoneStyle(camePlace ? last : null, dragged)}
        >
          <Stone seat={stone - 1} className={camePlace ? "last" : ""} />
        </span>
      )}
      {last && wasTaken && <span className="fs-taken">{justMoved && <Stone seat={2 - stoneAt(view, last.to)} />}</span>}
    </button>
  );
}

/** Where the stone's way began, in places, or how far it has been dragged. */
function stoneStyle(last: PlaceProps["view"]["last"], dragged: PlaceProps["dragged"]): CSSProperties | undefined {
  if (dragged) return { transform: `translate(${dragged.byX}px, ${dragged.byY}px)` };
  if (!last) return undefined;
  return { "--from-x": last.from[0] - last.to[0], "--from-y": last.from[1] - last.to[1] } as CSSProperties;
}

function stoneAt(view: PlaceProps["view"], [x, y]: Place): number {
  return view.board[y]?.[x] ?? 0;
}

/** As on a chess board: a letter for the column, and the rows counted from below. */
function placeName([x, y]: Place): string {
  return `${"ABCD"[x]}${SIZE - y}`;
}
