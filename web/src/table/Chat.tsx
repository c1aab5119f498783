import { memo, useEffect, useRef, useState } from "react";
import { attempt } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import { useMuted } from "../wire/muted.ts";
import { connection } from "../wire/session.ts";
import type { Line } from "./table-store.ts";
import { tableTexts } from "./texts.ts";

export const Chat = memo(function Chat({ table, lines }: { table: number; lines: readonly Line[] }) {
  const t = useText(tableTexts);
  const muted = useMuted();
  const [text, setText] = useState("");
  const log = useRef<HTMLDivElement>(null);
  const heard = lines.filter((line) => !muted.has(line.player));
  useEffect(() => {
    log.current?.scrollTo(0, log.current.scrollHeight);
  }, [heard.length]);

  async function say(): Promise<void> {
    setText("");
    try {
      await connection.request("say", { table, text: text.trim() });
    } catch (error) {
      // It is there to be sent again, unless something else was typed meanwhile.
      setText((now) => now || text);
      throw error;
    }
  }

  return (
    <section className="card stack chat">
      <h2>{t.chat}</h2>
      <div ref={log} className="chat-lines" role="log" aria-label={t.chat} tabIndex={0}>
        {heard.length === 0 && <p className="soft small">{t.noLines}</p>}
        {heard.map((line) => (
          <p key={line.number}>
            <strong>{line.name}:</strong> {line.text}
          </p>
        ))}
      </div>
      <form
        className="chat-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void attempt(say());
        }}
      >
        <input
          value={text}
          maxLength={500}
          aria-label={t.say}
          placeholder={t.say}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button small">
          {t.send}
        </button>
      </form>
    </section>
  );
});
