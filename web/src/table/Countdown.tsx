import { useEffect, useState } from "react";
import { useText } from "../text/text.ts";
import { hallNow } from "./table-store.ts";
import { tableTexts } from "./texts.ts";

/** The seconds that are left, by the hall's clock. */
export function useSecondsLeft(dueMs: number): number {
  const left = (): number => Math.max(0, Math.ceil((dueMs - hallNow()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 250);
    return () => clearInterval(timer);
  }, [dueMs]);
  return seconds;
}

export function Countdown({ dueMs }: { dueMs: number }) {
  const t = useText(tableTexts);
  const seconds = useSecondsLeft(dueMs);
  // Not read aloud every second.
  return (
    <span className="countdown" role="timer" aria-live="off" aria-label={t.timeLeft}>
      {t.seconds(seconds)}
    </span>
  );
}
