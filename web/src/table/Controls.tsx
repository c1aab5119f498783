import { useState } from "react";
import { go } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { useText } from "../text/text.ts";
import type { TableView } from "../wire/messages.ts";
import { connection } from "../wire/session.ts";
import { useGameInfo } from "./game-info.ts";
import type { TableStore } from "./table-store.ts";
import { tableTexts } from "./texts.ts";

/** What a seat can do beside its moves. */
export function Controls({ view, store }: { view: TableView; store: TableStore }) {
  const t = useText(tableTexts);
  const commands = new Set(useGameInfo(view.game)?.commands);
  const [sure, setSure] = useState(false);
  const sits = view.players.some((each) => each.id === connection.player?.id && !each.left);
  if (!sits) return null;
  const playing = view.status === "playing" && view.seat !== null;

  async function leave(): Promise<void> {
    await connection.request("leave", { table: view.table });
    go();
  }

  return (
    <section className="row controls">
      {playing && commands.has("offer_draw") && <Draw view={view} store={store} />}
      {playing && commands.has("resign") && !sure && (
        <button type="button" className="button small" onClick={() => setSure(true)}>
          {t.resign}
        </button>
      )}
      {playing && sure && (
        <>
          <Action
            autoFocus
            className="button small primary"
            run={() => store.act({ type: "resign" }).then(() => setSure(false))}
          >
            {t.resignSure}
          </Action>
          <button type="button" className="button small" onClick={() => setSure(false)}>
            {t.cancel}
          </button>
        </>
      )}
      {!(playing && commands.has("resign")) && <Action run={() => leave()}>{t.leave}</Action>}
    </section>
  );
}

function Draw({ view, store }: { view: TableView; store: TableStore }) {
  const t = useText(tableTexts);
  const { offer } = view.view as { offer?: number | null };
  const answer = (accept: boolean) => (): Promise<unknown> => store.act({ type: "answer_draw", accept });
  if (offer === undefined || offer === null) {
    return <Action run={() => store.act({ type: "offer_draw" })}>{t.offerDraw}</Action>;
  }
  if (offer === view.seat) return <p className="soft small">{t.youOffered}</p>;
  const name = view.players.find((each) => each.seat === offer)?.name ?? "";
  return (
    <div className="row" role="alert">
      <span>{t.drawOffered(name)}</span>
      <Action className="button small primary" run={answer(true)}>
        {t.acceptDraw}
      </Action>
      <Action run={answer(false)}>{t.declineDraw}</Action>
    </div>
  );
}
