import { useSyncExternalStore } from "react";
import { learnTitles } from "../games/words.ts";
import { connection } from "../wire/session.ts";
import { type LobbyState, LobbyStore } from "./lobby-store.ts";
import { seeking } from "./play.ts";
import { SeatsStore } from "./seats-store.ts";

const lobby = new LobbyStore(connection);
lobby.changed.add(() => learnTitles(lobby.state.games));
const seats = new SeatsStore(connection);

export function useLobby(): LobbyState {
  return useSyncExternalStore(lobby.follow, () => lobby.state);
}

/** The game for which one waits for an opponent. */
export function useSeeking(): string | null {
  return useSyncExternalStore(
    (listener) => seeking.changed.add(listener),
    () => seeking.game,
  );
}

/** The tables at which one sits. */
export function useSeats(): readonly number[] {
  return useSyncExternalStore(
    (listener) => seats.changed.add(listener),
    () => seats.tables,
  );
}
