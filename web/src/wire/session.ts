/** The one connection of this page, and what components see of it. */

import { useSyncExternalStore } from "react";
import { currentLanguage } from "../text/text.ts";
import { Connection, type ConnectionState, type Keeper, type Player } from "./connection.ts";

class LocalKeeper implements Keeper {
  get token(): string | null {
    return localStorage.getItem("gamehall.token");
  }
  set token(token: string | null) {
    keep("gamehall.token", token);
  }
  get name(): string | null {
    return localStorage.getItem("gamehall.name");
  }
  set name(name: string | null) {
    keep("gamehall.name", name);
  }
}

function keep(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

export const keeper: Keeper = new LocalKeeper();

function address(): string {
  const url = new URL("ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

export const connection = new Connection(address(), keeper, currentLanguage);

const subscribe = (listener: () => void): (() => void) => connection.changed.add(listener);

export function usePlayer(): Player | null {
  return useSyncExternalStore(subscribe, () => connection.player);
}

export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(subscribe, () => connection.state);
}
