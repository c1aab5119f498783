import { useEffect, useState } from "react";
import { Refusal } from "../wire/connection.ts";
import type { GameInfo } from "../wire/messages.ts";
import { connection } from "../wire/session.ts";

const known = new Map<string, GameInfo>();

/** What the hall says of a game; null until it has. */
export function useGameInfo(game: string): GameInfo | null {
  const [info, setInfo] = useState(known.get(game) ?? null);
  useEffect(() => {
    if (known.has(game)) return;
    connection.request("list_games", {}).then(
      ({ games }) => {
        for (const each of games) known.set(each.name, each);
        setInfo(known.get(game) ?? null);
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
  }, [game]);
  return info;
}

/** Whether one may sit down in the middle of it, as at called Bingo. */
export const isOpenToAll = (game: GameInfo): boolean => !game.walk_in && game.least < 2;
