/** Where one is on the page: everything behind the `#`, so that any link works without the server. */

import { useSyncExternalStore } from "react";

export interface Place {
  /** The parts between the slashes, decoded. */
  path: readonly string[];
  query: URLSearchParams;
}

let lastHash: string | null = null;
let lastPlace: Place = { path: [], query: new URLSearchParams() };

export function here(): Place {
  if (location.hash !== lastHash) {
    lastHash = location.hash;
    const [path = "", query = ""] = lastHash.replace(/^#\/?/, "").split("?", 2);
    const parts = path.split("/").filter((part) => part !== "");
    lastPlace = { path: parts.map(decoded), query: new URLSearchParams(query) };
  }
  return lastPlace;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

export function link(...parts: (string | number)[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function go(...parts: (string | number)[]): void {
  location.hash = link(...parts);
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, here);
}
