/** Challenges from others that wait for an answer, and what becomes of one's own. */

import { useSyncExternalStore } from "react";
import { go } from "../routes.ts";
import { currentLanguage } from "../text/text.ts";
import { type Connection, Refusal } from "../wire/connection.ts";
import { Listeners } from "../wire/listeners.ts";
import type { Answer } from "../wire/messages.ts";
import { isMuted } from "../wire/muted.ts";
import { shellTexts } from "./texts.ts";
import { show } from "./toasts.ts";

export type Challenge = Answer<"challenges">["received"][number];

class Challenges {
  received: readonly Challenge[] = [];
  readonly changed = new Listeners<[]>();

  listen(connection: Connection): void {
    const words = (): (typeof shellTexts)["en"] => shellTexts[currentLanguage()];
    // Another tab may have been challenged before this one was there.
    connection.welcomed.add(() => void this.look(connection));
    connection.on("challenged", (challenge) => {
      if (!isMuted(challenge.player)) this.become([...this.received, challenge]);
    });
    connection.on("challenge_refused", ({ reason }) => {
      const { challengedPlays, challengedGone, challengeRefused } = words();
      show({ playing: challengedPlays, gone: challengedGone }[reason] ?? challengeRefused);
    });
    connection.on("challenge_expired", ({ challenge }) => {
      this.ended(challenge);
      show(words().challengeExpired);
    });
    connection.on("challenge_withdrawn", ({ challenge }) => this.ended(challenge));
    connection.on("not_begun", () => show(words().gameNotBegun));
    connection.on("going_away", () => show(words().goingAway));
    // Wherever one is: the game has begun, and all challenges are over.
    connection.on("seated", ({ table }) => {
      this.become([]);
      go("table", table);
    });
    connection.changed.add(() => {
      if (!connection.player) this.become([]);
    });
  }

  ended(challenge: number): void {
    this.become(this.received.filter((each) => each.challenge !== challenge));
  }

  private async look(connection: Connection): Promise<void> {
    try {
      const { received } = await connection.request("challenges", {});
      this.become(received.filter(({ player }) => !isMuted(player)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  private become(received: readonly Challenge[]): void {
    if (received.length === 0 && this.received.length === 0) return;
    this.received = received;
    this.changed.call();
  }
}

export const challenges = new Challenges();

export function useChallenges(): readonly Challenge[] {
  return useSyncExternalStore(
    (listener) => challenges.changed.add(listener),
    () => challenges.received,
  );
}
