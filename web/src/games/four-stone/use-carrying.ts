/** Carrying a stone from its place to another: by two clicks or keys, or by dragging it. */

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { type Move, type Place, SIZE, samePlace } from "./moves.ts";

/** So far, in px, a finger may tremble on a stone that it only wants to click. */
const TREMBLE_PX = 6;

interface Drag {
  from: Place;
  startX: number;
  startY: number;
  byX: number;
  byY: number;
  /** Whether the pointer has gone too far for a click. */
  far: boolean;
}

export interface Carrying {
  /** The stone that has been picked up. */
  held: Place | null;
  /** How far the held stone has been dragged, in px; null while it isn't. */
  dragged: { byX: number; byY: number } | null;
  /** For the board; its rectangle holds the places and nothing else. */
  handlers: {
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  /** For each place. */
  press: (place: Place, event: PointerEvent<HTMLElement>) => void;
  click: (place: Place, event: MouseEvent) => void;
}

/** `moves` are those that may be made now; `make` makes one. */
export function useCarrying(moves: readonly Move[], make: (move: Move) => void): Carrying {
  const [picked, setPicked] = useState<Place | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const draggedFar = useRef(false);

  const canMove = (place: Place) => moves.some((move) => samePlace(move.from, place));
  const held = picked !== null && canMove(picked) ? picked : null;

  function putDown(from: Place, to: Place): boolean {
    const move = moves.find((each) => samePlace(each.from, from) && samePlace(each.to, to));
    if (move) make(move);
    return move !== undefined;
  }

  return {
    held,
    dragged: held !== null && drag?.far && samePlace(drag.from, held) ? drag : null,
    press(place, event) {
      draggedFar.current = false;
      if (!canMove(place) || !event.isPrimary || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: place, startX: event.clientX, startY: event.clientY, byX: 0, byY: 0, far: false });
    },
    click(place, event) {
      // Browsers may take the end of a drag for a click on the stone; one made by a key has no detail.
      if (draggedFar.current && event.detail > 0) return;
      if (held !== null && putDown(held, place)) setPicked(null);
      else setPicked(canMove(place) && !(held && samePlace(held, place)) ? place : null);
    },
    handlers: {
      onPointerMove(event) {
        if (drag === null) return;
        const byX = event.clientX - drag.startX;
        const byY = event.clientY - drag.startY;
        const far = drag.far || Math.hypot(byX, byY) > TREMBLE_PX;
        if (far && !drag.far) setPicked(drag.from);
        setDrag({ ...drag, byX, byY, far });
      },
      onPointerUp(event) {
        if (drag?.far) {
          draggedFar.current = true;
          putDown(drag.from, placeUnder(event));
          setPicked(null);
        }
        setDrag(null);
      },
      onPointerCancel() {
        if (drag?.far) setPicked(null);
        setDrag(null);
      },
      onKeyDown(event) {
        if (event.key !== "Escape" || held === null) return;
        event.preventDefault();
        setPicked(null);
        setDrag(null);
      },
    },
  };
}

function placeUnder(event: PointerEvent<HTMLElement>): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return [Math.floor(((event.clientX - left) / width) * SIZE), Math.floor(((event.clientY - top) / height) * SIZE)];
}
