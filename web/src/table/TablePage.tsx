import { useEffect, useState, useSyncExternalStore } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { RefusalPage } from "../shell/RefusalPage.tsx";
import { Title } from "../shell/Title.tsx";
import { useText } from "../text/text.ts";
import type { TableView } from "../wire/messages.ts";
import { connection, useConnectionState } from "../wire/session.ts";
import { BoardFrame } from "./BoardFrame.tsx";
import { Chat } from "./Chat.tsx";
import { Controls } from "./Controls.tsx";
import { isOpenToAll, useGameInfo } from "./game-info.ts";
import { Invitation } from "./Invitation.tsx";
import { Result } from "./Result.tsx";
import { Seats } from "./Seats.tsx";
import { type TableState, TableStore } from "./table-store.ts";
import { tableTexts } from "./texts.ts";
import "./table.css";

function useTable(table: number, key: string | null): [TableStore | null, TableState | null] {
  const [store, setStore] = useState<TableStore | null>(null);
  useEffect(() => {
    const made = new TableStore(connection, table, key);
    setStore(made);
    return () => made.close();
  }, [table, key]);
  const state = useSyncExternalStore(
    (listener) => store?.changed.add(listener) ?? (() => undefined),
    () => store?.state ?? null,
  );
  return [store, state];
}

export function TablePage({ table, tableKey }: { table: number; tableKey: string | null }) {
  const t = useText(tableTexts);
  const [store, state] = useTable(table, tableKey);
  if (!store || !state) return <p>{t.loading}</p>;
  const { view } = state;
  if (state.refusal) return <RefusalPage refusal={state.refusal} />;
  if (!view) return <p role="status">{t.loading}</p>;
  return (
    <div className="table-page" data-status={view.status} data-seq={view.seq}>
      <Heading view={view} watching={state.watching} />
      <div className="table-main">
        <BoardFrame view={view} recent={state.recent} store={store} />
        <Result view={view} closed={state.closed} tableKey={tableKey} />
      </div>
      <aside className="table-side stack">
        <Seats view={view} away={state.away} />
        {view.key && view.status === "waiting" && <Invitation table={table} tableKey={view.key} />}
        <SitDown view={view} tableKey={tableKey} />
        <Controls view={view} store={store} />
        <Chat table={table} lines={state.lines} />
      </aside>
    </div>
  );
}

function Heading({ view, watching }: { view: TableView; watching: number }) {
  const t = useText(tableTexts);
  const title = useGameTitle()(view.game);
  return (
    <div className="table-head">
      <Title>{title}</Title>
      <p className="soft small">
        {t.table(view.table)}
        {" · "}
        {t.round(view.round)}
        {" · "}
        <span data-watching={watching}>{t.watching(watching)}</span>
        {" · "}
        <a href={link("games", view.game)}>{t.rules}</a>
      </p>
    </div>
  );
}

/** For whoever followed an invitation, or looks at a table that has room. */
function SitDown({ view, tableKey }: { view: TableView; tableKey: string | null }) {
  const t = useText(tableTexts);
  const online = useConnectionState() === "online";
  const game = useGameInfo(view.game);
  // Before the draw of seats even whoever sits has no number yet.
  const sits = view.seat !== null || view.players.some((each) => each.id === connection.player?.id);
  const hasRoom = view.status === "waiting" || (game !== null && isOpenToAll(game) && view.count < game.most);
  if (sits || !hasRoom) return null;
  const sit = (): Promise<unknown> =>
    connection.request("sit", { table: view.table, ...(tableKey ? { key: tableKey } : {}) });
  return (
    <Action className="button primary" disabled={!online} run={() => sit()}>
      {t.sit}
    </Action>
  );
}
