/** Moving through a grid with the arrow keys, one of whose cells can be reached with Tab. */

import { type KeyboardEvent, useState } from "react";

export interface GridKeys {
  /** The place, counted row by row, that Tab reaches. */
  current: number;
  /** For the grid itself: keys and focus bubble up to it from cells with `data-place`. */
  handlers: {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    onFocus: (event: { target: EventTarget }) => void;
  };
}

export function useGridKeys(rows: number, columns: number): GridKeys {
  const [place, setPlace] = useState(0);
  const current = Math.min(place, rows * columns - 1);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = target(event.key, current, rows, columns);
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setPlace(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus();
  };
  const onFocus = (event: { target: EventTarget }): void => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
    if (focused !== undefined) setPlace(Number(focused));
  };
  return { current, handlers: { onKeyDown, onFocus } };
}

function target(key: string, place: number, rows: number, columns: number): number | null {
  const row = Math.floor(place / columns);
  const column = place % columns;
  switch (key) {
    case "ArrowLeft":
      return column > 0 ? place - 1 : place;
    case "ArrowRight":
      return column < columns - 1 ? place + 1 : place;
    case "ArrowUp":
      return row > 0 ? place - columns : place;
    case "ArrowDown":
      return row < rows - 1 ? place + columns : place;
    case "Home":
      return row * columns;
    case "End":
      return row * columns + columns - 1;
    default:
      return null;
  }
}
