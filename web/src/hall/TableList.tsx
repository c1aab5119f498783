import { useState } from "react";
import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { Action } from "../shell/Action.tsx";
import { useText } from "../text/text.ts";
import { usePlayer } from "../wire/session.ts";
import type { OpenTable } from "./lobby-store.ts";
import { More } from "./PlayerList.tsx";
import { sit } from "./play.ts";
import { hallTexts } from "./texts.ts";

const STEP = 20;
const NAMES_SHOWN = 4;

interface Props {
  title: string;
  none: string;
  tables: readonly OpenTable[];
}

export function TableList({ title, none, tables }: Props) {
  const [shown, setShown] = useState(STEP);
  return (
    <section className="card stack" aria-label={title}>
      <h2>{title}</h2>
      {tables.length === 0 && <p className="soft">{none}</p>}
      <ul className="list">
        {tables.slice(0, shown).map((table) => (
          <Row key={table.id} table={table} />
        ))}
      </ul>
      <More count={tables.length - shown} more={() => setShown(shown + STEP)} />
    </section>
  );
}

function Row({ table }: { table: OpenTable }) {
  const t = useText(hallTexts);
  const title = useGameTitle()(table.game);
  const names = table.names.slice(0, NAMES_SHOWN).join(", ") || t.nobody;
  const label = t.tableOf(title, names);
  const me = usePlayer();
  const sits = me !== null && table.names.includes(me.name);
  return (
    <li className="list-row" data-table={table.id}>
      <div>
        <strong>{title}</strong>
        <div className="small soft">
          {names}
          {table.count > NAMES_SHOWN && ` ${t.more(table.count - NAMES_SHOWN)}`}
          {table.status === "waiting" && table.most !== null && ` · ${t.seats(table.count, table.most)}`}
        </div>
      </div>
      <div className="row">
        {table.status === "waiting" && !sits && (
          <Action className="button small primary" aria-label={`${t.sit}: ${label}`} run={() => sit(table.id)}>
            {t.sit}
          </Action>
        )}
        <a className="button small" href={link("table", table.id)} aria-label={`${t.watch}: ${label}`}>
          {t.watch}
        </a>
      </div>
    </li>
  );
}
