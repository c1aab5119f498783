/** Challenges from others, and what becomes of one's own, told wherever one is on the page. */

import { gameTitle } from "../games/words.ts";
import { go } from "../routes.ts";
import { currentLanguage } from "../text/text.ts";
import type { Connection } from "../wire/connection.ts";
import { isMuted } from "../wire/muted.ts";
import { shellTexts } from "./texts.ts";
import { attempt, show } from "./toasts.ts";

export function listenForChallenges(connection: Connection): void {
  const words = (): (typeof shellTexts)["en"] => shellTexts[currentLanguage()];
  const standing = new Map<number, () => void>();

  connection.on("challenged", ({ challenge, player, name, game, seconds }) => {
    const answer = (action: "accept" | "refuse") => (): void => void attempt(connection.request(action, { challenge }));
    if (isMuted(player)) {
      answer("refuse")();
      return;
    }
    const actions = [
      { label: words().accept, primary: true, run: answer("accept") },
      { label: words().refuse, run: answer("refuse") },
    ];
    standing.set(challenge, show(words().challenged(name, gameTitle(game)), actions, seconds * 1000));
  });
  const ended = (challenge: number, what: string): void => {
    standing.get(challenge)?.();
    standing.delete(challenge);
    show(what);
  };
  connection.on("challenge_refused", ({ challenge }) => ended(challenge, words().challengeRefused));
  connection.on("challenge_expired", ({ challenge }) => ended(challenge, words().challengeExpired));
  connection.on("challenge_withdrawn", ({ challenge }) => ended(challenge, words().challengeWithdrawn));
  connection.on("not_begun", () => show(words().gameNotBegun));
  connection.on("going_away", () => show(words().goingAway));
  // Wherever one is: the game has begun.
  connection.on("seated", ({ table }) => go("table", table));
}
