/** The one connection of this page, and what components see of it. */

import { useSyncExternalStore } from "react";
import { currentLanguage } from "../text/text.ts";
import { Connection, type ConnectionState, type Keeper, type Player } from "./connection.ts";
import { read, write } from "./storage.ts";

const TOKEN = "gamehall.token";
const NAME = "gamehall.name";

class LocalKeeper implements Keeper {
  get token(): string | null {
    return read(TOKEN);
  }
  set token(token: string | null) {
    write(TOKEN, token);
  }
  get name(): string | null {
    return read(NAME);
  }
  set name(name: string | null) {
    write(NAME, name);
  }
}

export const keeper: Keeper = new LocalKeeper();

function address(): string {
  const url = new URL("ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

export const connection = new Connection(address(), keeper, currentLanguage);

// Logged in or out in another tab: this one is to be the same person.
addEventListener("storage", ({ key, newValue }) => {
  if (key === TOKEN && connection.token !== null && connection.token !== newValue) location.reload();
});

const subscribe = (listener: () => void): (() => void) => connection.changed.add(listener);

export function usePlayer(): Player | null {
  return useSyncExternalStore(subscribe, () => connection.player);
}

export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(subscribe, () => connection.state);
}
