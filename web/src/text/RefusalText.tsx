import type { Refusal } from "../wire/connection.ts";
import { refusals } from "./refusals.ts";
import { useText } from "./text.ts";

/** Why something was not possible, in the player's language. */
export function RefusalText({ refusal }: { refusal: Refusal }) {
  const sentences: Readonly<Record<string, string>> = useText(refusals);
  // A game that came by a file has codes of its own; its English sentence is all there is.
  return (
    <p className="refusal" role="alert">
      {sentences[refusal.code] ?? refusal.message}
    </p>
  );
}
