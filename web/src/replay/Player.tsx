import { type MouseEvent, useEffect, useState } from "react";
import { useText } from "../text/text.ts";
import { canCopy, copyText } from "../wire/clipboard.ts";
import type { Frame } from "./load.ts";
import { replayTexts } from "./texts.ts";

const SPEEDS = [0.5, 1, 2, 4, 8] as const;
const STEP_MS_MAX = 2000;
const STEP_MS_MIN = 150;

interface Props {
  frames: readonly Frame[];
  at: number;
  setAt: (at: number) => void;
  moment: string;
}

/** The buttons under a replay. */
export function Player({ frames, at, setAt, moment }: Props) {
  const t = useText(replayTexts);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const [copiedMoment, setCopiedMoment] = useState("");
  const copied = copiedMoment === moment;
  const last = frames.length - 1;
  const now = frames[at];
  const next = frames[at + 1];

  useEffect(() => {
    if (!playing) return;
    if (!now || !next) {
      setPlaying(false);
      return;
    }
    // As it was played, but nobody waits for someone who thought for long.
    const pause = Math.min(STEP_MS_MAX, Math.max(STEP_MS_MIN, next.at_ms - now.at_ms)) / speed;
    const timer = setTimeout(() => setAt(at + 1), pause);
    return () => clearTimeout(timer);
  }, [playing, at, speed, now, next, setAt]);

  const step = (to: number) => (): void => {
    setPlaying(false);
    setAt(Math.min(last, Math.max(0, to)));
  };
  const play = (): void => {
    if (!playing && at === last) setAt(0);
    setPlaying(!playing);
  };
  // A plain click copies; opening it in a new tab works as with any link.
  async function copyLink(event: MouseEvent): Promise<void> {
    if (!canCopy() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (await copyText(new URL(moment, location.href).href)) setCopiedMoment(moment);
  }

  return (
    <div className="card stack">
      <label className="field">
        <span>
          {t.moment}: <span data-moment>{t.momentOf(at + 1, frames.length)}</span>
        </span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-valuetext={t.momentOf(at + 1, frames.length)}
          onChange={(event) => step(Number(event.target.value))()}
        />
      </label>
      <div className="row">
        <button type="button" className="button small" aria-label={t.first} onClick={step(0)} disabled={at === 0}>
          |◀
        </button>
        <button type="button" className="button small" aria-label={t.back} onClick={step(at - 1)} disabled={at === 0}>
          ◀
        </button>
        <button type="button" className="button primary" onClick={play}>
          {playing ? t.pause : t.play}
        </button>
        <button
          type="button"
          className="button small"
          aria-label={t.forward}
          onClick={step(at + 1)}
          disabled={at === last}
        >
          ▶
        </button>
        <button type="button" className="button small" aria-label={t.last} onClick={step(last)} disabled={at === last}>
          ▶|
        </button>
        <label className="row">
          <span className="soft small">{t.speed}</span>
          <select value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        <a className="button small" href={moment} onClick={(event) => void copyLink(event)}>
          {copied ? t.copied : t.link}
        </a>
      </div>
    </div>
  );
}
