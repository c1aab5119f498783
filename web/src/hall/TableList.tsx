import { useGameTitle } from "../games/words.ts";
import { link } from "../routes.ts";
import { attempt } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import type { OpenTable } from "./lobby-store.ts";
import { sit } from "./play.ts";
import { hallTexts } from "./texts.ts";

const SHOWN = 30;
const NAMES_SHOWN = 4;

interface Props {
  title: string;
  none: string;
  tables: readonly OpenTable[];
}

export function TableList({ title, none, tables }: Props) {
  const t = useText(hallTexts);
  return (
    <section className="card stack" aria-label={title}>
      <h2>{title}</h2>
      {tables.length === 0 && <p className="soft">{none}</p>}
      <ul className="list">
        {tables.slice(0, SHOWN).map((table) => (
          <Row key={table.id} table={table} />
        ))}
      </ul>
      {tables.length > SHOWN && <p className="soft small">{t.more(tables.length - SHOWN)}</p>}
    </section>
  );
}

function Row({ table }: { table: OpenTable }) {
  const t = useText(hallTexts);
  const title = useGameTitle()(table.game);
  const names = table.names.slice(0, NAMES_SHOWN).join(", ") || t.nobody;
  const label = t.tableOf(title, names);
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
        {table.status === "waiting" && (
          <button type="button" className="button small primary" aria-label={`${t.sit}: ${label}`} onClick={() => void attempt(sit(table.id))}>
            {t.sit}
          </button>
        )}
        <a className="button small" href={link("table", table.id)} aria-label={`${t.watch}: ${label}`}>
          {t.watch}
        </a>
      </div>
    </li>
  );
}
