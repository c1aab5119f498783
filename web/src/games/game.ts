/** What a game that the page draws by hand brings along. */

import type { ComponentType } from "react";
import type { Commands, Events, GameName, GameOptions, Outcome, SeatInfo, Views } from "../wire/messages.ts";

/** How a table is looked at. */
export interface Sight<N extends GameName> {
  /** Null is a spectator. */
  seat: number | null;
  options: GameOptions[N];
}

export interface BoardProps<N extends GameName> {
  /** The table's number. */
  table: number;
  view: Views[N];
  /** The events that led from the view before to this one; empty when the view came whole. */
  recent: readonly Events[N][];
  seat: number | null;
  players: readonly SeatInfo[];
  options: GameOptions[N];
  outcome: Outcome | null;
  /** Sends a command; null when nobody can act here: to a spectator, in a replay, offline. */
  act: ((command: Commands[N]) => void) | null;
  /** The hall's clock, in ms. */
  now: () => number;
}

/** Rules and reasons in one language. */
export interface GameWords {
  title: string;
  /** One sentence for the list of games. */
  summary: string;
  /** The rules, a paragraph each. */
  rules: readonly string[];
  /** Why a round ended, by the outcome's `reason`; a sentence without names. */
  reasons: Readonly<Record<string, string>>;
}

export interface PageGame<N extends GameName> {
  name: N;
  words: Readonly<Record<"en" | "vi" | "fr" | "zh", GameWords>>;
  /** The same command twice in a moment is meant twice, as bets are. */
  repeats?: boolean;
  /** A small drawing for the list of games. */
  Emblem: ComponentType;
  Board: ComponentType<BoardProps<N>>;
  /** The view after an event, as the server would give it; null: the event does not say enough, and
   * the hall is to be asked. Pure; leaves `view` as it is. */
  reduce(view: Views[N], event: Events[N], sight: Sight<N>): Views[N] | null;
}
