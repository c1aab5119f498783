import type { Events, Views } from "../../wire/messages.ts";
import type { Sight } from "../game.ts";

type View = Views["sicbo"];

/**
 * The view after an event, in a time that does not depend on how many bet.
 *
 * Nobody is told of the bets of others before betting closes, so that until then `tally` and `sides` are
 * what they were at the last view, glance or bet of one's own.
 */
export function reduce(view: View, event: Events["sicbo"], { seat }: Sight<"sicbo">): View {
  switch (event.type) {
    case "bet_placed":
    case "bets_placed": {
      const { stake, tally } = event;
      // The first bet of a round takes a seat that the page may not know of yet.
      if (seat !== null && seat !== event.seat) return { ...view, tally };
      const placed = event.type === "bet_placed" ? [event] : event.bets;
      const bets = placed.map(({ side, amount }, place) => ({ bet: event.bet + place, side, amount, paid: null }));
      return { ...view, tally, stake, sides: withBets(view, placed), bets: [...view.bets, ...bets] };
    }
    case "betting_closed":
      return { ...view, status: "BETTING_CLOSE", tally: event.tally, sides: event.sides ?? {} };
    case "rolled": {
      const { dice, sum, result } = event;
      return { ...view, status: "FINISH", dice, sum, result };
    }
    case "settled": {
      const own = seat === null ? Object.values(event.payouts).flat() : (event.payouts[seat] ?? []);
      const chips = new Map(own);
      return { ...view, bets: view.bets.map((each) => ({ ...each, paid: chips.get(each.bet) ?? null })) };
    }
  }
}

function withBets({ sides, stake }: View, placed: readonly { side: string; amount: number }[]): View["sides"] {
  const own = new Set(Object.keys(stake.sides ?? {}));
  const all = { ...sides };
  for (const { side, amount } of placed) {
    if (side === "BIG" || side === "SMALL") continue;
    const { total, players } = all[side] ?? { total: 0, players: 0 };
    all[side] = { total: total + amount, players: players + Number(!own.has(side)) };
    own.add(side);
  }
  return all;
}
