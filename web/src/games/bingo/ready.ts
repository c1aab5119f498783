import { useEffect, useState } from "react";
import type { BoardProps } from "../game.ts";

/**
 * Tells the hall once that one is done with the last number, by itself if `auto`.
 *
 * `act` is null to who has no card; `called` is how many numbers there were.
 */
export function useReady(act: BoardProps<"bingo">["act"], called: number, auto: boolean) {
  const [saidAt, setSaidAt] = useState(0);
  // Another round, or the connection was away: the hall may have forgotten.
  if (saidAt !== 0 && (act === null || saidAt > called)) setSaidAt(0);
  const said = saidAt === called;
  const say = (): void => {
    if (!act || called === 0) return;
    setSaidAt(called);
    act({ type: "ready" });
  };
  const due = auto && act !== null && called > 0 && !said;
  useEffect(() => {
    if (due) say();
  }, [due, called]);
  return { said: said && called > 0, say };
}
