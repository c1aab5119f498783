import { useEffect, useRef } from "react";
import { useGameWords } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { useText } from "../text/text.ts";
import type { TableView } from "../wire/messages.ts";
import { connection } from "../wire/session.ts";
import { tableTexts } from "./texts.ts";

/** How the round ended, and where to go from there. */
export function Result({ view, closed, tableKey }: { view: TableView; closed: boolean; tableKey: string | null }) {
  const t = useText(tableTexts);
  const words = useGameWords(view.game);
  const result = useResult(view);
  const section = useRef<HTMLElement>(null);
  const over = view.status === "over" || view.status === "closed";
  const key = view.key ?? tableKey;
  const query = key ? `?key=${encodeURIComponent(key)}` : "";
  // The button that ended it is gone, and whoever uses the keyboard goes on from here.
  useEffect(() => {
    if (over && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [over]);
  return (
    <div role="status" aria-live="polite">
      {over && (
        <section ref={section} tabIndex={-1} className="card stack result">
          <p className="result-words">
            <strong>{result}</strong> {view.outcome && words?.reasons[view.outcome.reason]}
          </p>
          {!closed && view.status === "over" && view.seat !== null && <Rematch view={view} />}
          {closed && <p className="soft">{t.closed}</p>}
          <p className="row">
            <a className="button small" href={link("replay", view.table, view.round) + query}>
              {t.replay}
            </a>
            <a className="button small" href={link("verify", view.table, view.round) + query}>
              {t.verify}
            </a>
          </p>
        </section>
      )}
    </div>
  );
}

function useResult({ outcome, seat, players, view }: TableView): string {
  const t = useText(tableTexts);
  if (!outcome) return t.voided;
  // A round in which nobody wins is a draw only where two play in turns.
  if (outcome.winners.length === 0) return (view as { turn?: unknown } | null)?.turn === undefined ? "" : t.draw;
  if (seat !== null) return outcome.winners.includes(seat) ? t.youWon : t.youLost;
  const names = players.filter((each) => outcome.winners.includes(each.seat)).map((each) => each.name);
  return t.won(names.join(", "));
}

function Rematch({ view }: { view: TableView }) {
  const t = useText(tableTexts);
  const gone = view.players.filter((each) => each.left);
  const wanting = view.players.filter((each) => view.rematch.includes(each.seat) && each.seat !== view.seat);
  const asked = view.rematch.includes(view.seat ?? -1);
  if (gone.length > 0) return <p>{t.hasLeft(gone.map((each) => each.name).join(", "))}</p>;
  return (
    <div className="row">
      {wanting.length > 0 && <span>{t.rematchWanted(wanting.map((each) => each.name).join(", "))}</span>}
      {asked ? (
        <span className="soft">{t.rematchAsked}</span>
      ) : (
        <Action className="button primary" run={() => connection.request("rematch", { table: view.table })}>
          {t.rematch}
        </Action>
      )}
    </div>
  );
}
