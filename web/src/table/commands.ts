import { useEffect, useState } from "react";
import { Refusal } from "../wire/connection.ts";
import { connection } from "../wire/session.ts";

const known = new Map<string, ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();

/** The commands that a game has, by their types. */
export function useCommands(game: string): ReadonlySet<string> {
  const [commands, setCommands] = useState(known.get(game) ?? NONE);
  useEffect(() => {
    if (known.has(game)) return;
    connection.request("list_games", {}).then(
      ({ games }) => {
        for (const each of games) known.set(each.name, new Set(each.commands));
        setCommands(known.get(game) ?? NONE);
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
  }, [game]);
  return commands;
}
