import { Action } from "../../shell/Action.tsx";
import { useText } from "../../text/text.ts";
import { connection } from "../../wire/session.ts";
import { boardTexts } from "./texts.ts";

/** Places one's bets of the last round in which one bet once more, all or none of them. */
export function Rebet({ table, round, open }: { table: number; round: number; open: boolean }) {
  const t = useText(boardTexts);
  return (
    <Action disabled={!open} run={() => connection.request("rebet", { table, round })}>
      {t.rebet}
    </Action>
  );
}
