import type { Events, Views } from "../../wire/messages.ts";
import type { Sight } from "../game.ts";

type View = Views["bingo"];

/** Who came too late for the round: a view does not tell, but their going changes nothing in it. */
const latecomers = new WeakMap<View, ReadonlySet<number>>();

/**
 * The view after an event, in a time that does not depend on how many play.
 *
 * No event tells who is `ready`, which the hall only notes, nor who had come too late before the
 * first view: they are taken to have a card.
 */
export function reduce(view: View, event: Events["bingo"], { seat }: Sight<"bingo">): View {
  switch (event.type) {
    case "joined": {
      const late = latecomers.get(view) ?? [];
      return view.playing ? follow(view, {}, new Set([...late, event.seat])) : view;
    }
    case "parted": {
      const late = latecomers.get(view);
      if (late?.has(event.seat)) {
        return follow(view, {}, new Set([...late].filter((each) => each !== event.seat)));
      }
      const players = Math.max(0, view.players - 1);
      const card = event.seat === seat ? null : view.card;
      const ready = Math.min(view.ready, players);
      return follow(view, { players, card, ready, playing: view.playing && players > 0 });
    }
    case "cards_dealt": {
      const own = seat === null ? undefined : event.cards[seat];
      const card = own === undefined ? null : columns(own);
      return { playing: true, card, called: [], players: event.count, ready: 0, winner: null };
    }
    case "called":
      return follow(view, { called: [...view.called, event.number], ready: 0 });
    case "bingo_claimed":
      return { ...view, playing: false, winner: event.seat };
    case "all_called":
      return { ...view, playing: false };
  }
}

/** The next view of the same round. */
function follow(view: View, change: Partial<View>, late = latecomers.get(view)): View {
  const next = { ...view, ...change };
  if (late) latecomers.set(next, late);
  return next;
}

function columns(card: readonly number[]): number[][] {
  return Array.from({ length: 5 }, (_, column) => card.slice(column * 5, column * 5 + 5));
}
