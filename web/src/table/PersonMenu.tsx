import { useState } from "react";
import { attempt, show } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import { mute, useMuted } from "../wire/muted.ts";
import { connection } from "../wire/session.ts";
import { FlagIcon, MuteIcon } from "./icons.tsx";
import { tableTexts } from "./texts.ts";

/** What one can do about someone who is a nuisance. */
export function PersonMenu({ id, name, table }: { id: number; name: string; table: number }) {
  const t = useText(tableTexts);
  const muted = useMuted().has(id);
  const [telling, setTelling] = useState(false);
  const [text, setText] = useState("");

  async function report(): Promise<void> {
    await connection.request("report", { player: id, table, text });
    setTelling(false);
    setText("");
    show(t.reportSent);
  }

  const muteName = muted ? t.unmute(name) : t.mute(name);
  return (
    <div className="row person-menu">
      <button
        type="button"
        className="button small"
        aria-pressed={muted}
        aria-label={muteName}
        title={muteName}
        onClick={() => mute(id, !muted)}
      >
        <MuteIcon muted={muted} />
      </button>
      <button
        type="button"
        className="button small"
        aria-expanded={telling}
        aria-label={t.report(name)}
        title={t.report(name)}
        onClick={() => setTelling(!telling)}
      >
        <FlagIcon />
      </button>
      {telling && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void attempt(report());
          }}
        >
          <label className="field">
            <span>{t.reportWhy(name)}</span>
            <textarea required maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
          </label>
          <div className="row">
            <button type="submit" className="button small primary">
              {t.send}
            </button>
            <button type="button" className="button small" onClick={() => setTelling(false)}>
              {t.cancel}
            </button>
          </div>
        </form>
      )}
    </div>
  );
}
