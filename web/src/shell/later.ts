import { type ComponentType, type LazyExoticComponent, lazy } from "react";

const TRIES = 20;
const PAUSE_MS = 1500;

/** A part of the page that is loaded when it is first shown: again and again while the hall is away. */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    for (let tried = 1; ; tried++) {
      try {
        return { default: await load() };
      } catch (error) {
        if (tried === TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  });
}
