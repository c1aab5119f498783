import { link } from "../routes.ts";
import { RefusalText } from "../text/RefusalText.tsx";
import { useText } from "../text/text.ts";
import type { Refusal } from "../wire/connection.ts";
import { shellTexts } from "./texts.ts";

/** Where there is nothing to be shown but why. */
export function RefusalPage({ refusal }: { refusal: Refusal }) {
  const t = useText(shellTexts);
  return (
    <div className="stack">
      <RefusalText refusal={refusal} />
      <p>
        <a className="button" href={link()}>
          {t.toHall}
        </a>
      </p>
    </div>
  );
}
