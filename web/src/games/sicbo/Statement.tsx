import { useEffect, useState } from "react";
import { Action } from "../../shell/Action.tsx";
import { attempt } from "../../shell/toasts.ts";
import { useLanguage, useText } from "../../text/text.ts";
import type { Answer } from "../../wire/messages.ts";
import { connection } from "../../wire/session.ts";
import { useChipFormat } from "./format.ts";
import { boardTexts } from "./texts.ts";

type Item = Answer<"statement">["items"][number];

const PAGE = 10;

/** Every movement of one's chips, the newest first. */
export function Statement() {
  const t = useText(boardTexts);
  const { signed } = useChipFormat();
  const language = useLanguage();
  const [items, setItems] = useState<readonly Item[]>([]);
  const [next, setNext] = useState<number | null>(null);

  const read = async (before: number | null, listed: readonly Item[]): Promise<void> => {
    const page = await connection.request("statement", { before, limit: PAGE });
    setItems([...listed, ...page.items]);
    setNext(page.next);
  };
  useEffect(() => void attempt(read(null, [])), []);

  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <div className="sicbo-statement scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.what}</th>
            <th scope="col" className="number">
              {t.chip}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>{time.format(item.at_ms)}</td>
              <td>{reason(item, t)}</td>
              <td className={item.chips > 0 ? "number good" : "number"}>{signed(item.chips)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next !== null && <Action run={() => read(next, items)}>{t.older}</Action>}
    </div>
  );
}

/** In words, by the account at the other end. */
function reason({ chips, other, table }: Item, t: (typeof boardTexts)["en"]): string {
  const [kind, , round] = other.split(":");
  if (kind === "pot") return chips < 0 ? t.itemBet(table, Number(round)) : t.itemPaid(table, Number(round));
  return kind === "mint" ? t.itemGiven : other;
}
