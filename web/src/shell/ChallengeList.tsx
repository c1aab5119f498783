import { useGameTitle } from "../games/words.ts";
import { useText } from "../text/text.ts";
import { connection } from "../wire/session.ts";
import { Action } from "./Action.tsx";
import { challenges, useChallenges } from "./challenges.ts";
import { shellTexts } from "./texts.ts";

/** Whoever challenges one is seen wherever one is, for as long as the challenge stands. */
export function ChallengeList() {
  const t = useText(shellTexts);
  const title = useGameTitle();

  async function answer(action: "accept" | "refuse", challenge: number): Promise<void> {
    try {
      await connection.request(action, { challenge });
    } finally {
      challenges.ended(challenge);
    }
  }

  return (
    <section aria-label={t.challenges} aria-live="polite">
      {useChallenges().map(({ challenge, name, game }) => (
        <div key={challenge} className="card row challenges">
          <span>{t.challenged(name, title(game))}</span>
          <Action className="button small primary" run={() => answer("accept", challenge)}>
            {t.accept}
          </Action>
          <Action run={() => answer("refuse", challenge)}>{t.refuse}</Action>
        </div>
      ))}
    </section>
  );
}
