import { useState } from "react";
import { invitation } from "../hall/play.ts";
import { useText } from "../text/text.ts";
import { canCopy, copyText } from "../wire/clipboard.ts";
import { tableTexts } from "./texts.ts";

export function Invitation({ table, tableKey }: { table: number; tableKey: string }) {
  const t = useText(tableTexts);
  const [copied, setCopied] = useState(false);
  const url = invitation(table, tableKey);

  async function copy(): Promise<void> {
    setCopied(await copyText(url));
  }

  return (
    <section className="card stack">
      <label className="field">
        <span>{t.invite}</span>
        <input readOnly value={url} data-invitation onFocus={(event) => event.target.select()} />
      </label>
      {canCopy() && (
        <button type="button" className="button small" onClick={() => void copy()}>
          {t.copy}
        </button>
      )}
      <p role="status" className="small good">
        {copied ? t.copied : ""}
      </p>
    </section>
  );
}
