import { useEffect, useState } from "react";
import { attempt } from "../../shell/toasts.ts";
import { useText } from "../../text/text.ts";
import { connection, usePlayer } from "../../wire/session.ts";
import { useChipFormat } from "./format.ts";
import { Statement } from "./Statement.tsx";
import { boardTexts } from "./texts.ts";

/** Who has fewer chips may ask for more, once a day. */
const BROKE_BELOW = 10_000;

/** One's play chips and where they came from; asked for anew whenever `moment` is another. */
export function Wallet({ moment }: { moment: string }) {
  const t = useText(boardTexts);
  const { full } = useChipFormat();
  const player = usePlayer();
  const [known, setKnown] = useState<number | null>(null);
  const [opened, setOpened] = useState(false);
  const id = player?.id;

  useEffect(() => {
    // Looking at a table makes nobody a guest of the hall.
    if (id === undefined) return;
    let late = false;
    const asked = connection.request("balance", {}).then(({ balance }) => {
      if (!late) setKnown(balance);
    });
    void attempt(asked);
    return () => {
      late = true;
    };
  }, [id, moment]);

  if (!player) return null;
  const balance = known ?? player.balance;
  const refill = (): void => {
    void attempt(connection.request("refill", {}).then((answer) => setKnown(answer.balance)));
  };
  return (
    <section className="sicbo-wallet">
      <p>
        {t.balance} <strong>{t.chips(full(balance))}</strong>
      </p>
      {balance < BROKE_BELOW && (
        <button type="button" className="button small" onClick={refill}>
          {t.refill}
        </button>
      )}
      <button type="button" className="button small" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {t.statement}
      </button>
      {opened && <Statement key={`${moment} ${balance}`} />}
    </section>
  );
}
