import type { Events, Views } from "../../wire/messages.ts";
import type { Sight } from "../game.ts";

type View = Views["sicbo"];

/**
 * The view after an event, in a time that does not depend on how many bet.
 *
 * Nobody is told of the bets of others before betting closes, so that until then `tally` is what it
 * was at the last view or bet of one's own.
 */
export function reduce(view: View, event: Events["sicbo"], { seat }: Sight<"sicbo">): View {
  switch (event.type) {
    case "bet_placed": {
      const { bet, side, amount, stake, tally } = event;
      // The first bet of a round takes a seat that the page may not know of yet.
      if (seat !== null && seat !== event.seat) return { ...view, tally };
      return { ...view, tally, stake, bets: [...view.bets, { bet, side, amount, paid: null }] };
    }
    case "betting_closed":
      return { ...view, status: "BETTING_CLOSE", tally: event.tally };
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
