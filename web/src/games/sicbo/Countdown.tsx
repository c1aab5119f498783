import { type CSSProperties, useEffect, useState } from "react";
import { useText } from "../../text/text.ts";
import { boardTexts } from "./texts.ts";

const TICK_MS = 200;

/** How long bets are still taken. It ticks by itself, so that the table need not be drawn again. */
export function Countdown({ openMs, closeMs, now }: { openMs: number; closeMs: number; now: () => number }) {
  const t = useText(boardTexts);
  const secondsLeft = (): number => Math.max(0, Math.ceil((closeMs - now()) / 1000));
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(secondsLeft()), TICK_MS);
    return () => clearInterval(timer);
  });
  const seconds = secondsLeft();
  const part = Math.min(1, (seconds * 1000) / Math.max(1, closeMs - openMs));
  return (
    <span className="sicbo-countdown" role="timer">
      <span className="sicbo-bar" style={{ "--part": part } as CSSProperties} aria-hidden="true" />
      {t.seconds(seconds)}
    </span>
  );
}
