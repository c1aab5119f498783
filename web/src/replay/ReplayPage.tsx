import { useEffect, useState } from "react";
import { drawn } from "../games/registry.ts";
import { useGameTitle, useGameWords } from "../games/words.ts";
import { here, link } from "../routes.ts";
import { RefusalPage } from "../shell/RefusalPage.tsx";
import { Title } from "../shell/Title.tsx";
import { PictureBoard } from "../table/PictureBoard.tsx";
import { tableTexts } from "../table/texts.ts";
import { useText } from "../text/text.ts";
import { useLoaded } from "../wire/api.ts";
import type { Picture } from "../wire/messages.ts";
import { Analysis } from "./Analysis.tsx";
import { type Frame, loadReplay, type Recording } from "./load.ts";
import { Player } from "./Player.tsx";
import { replayTexts } from "./texts.ts";
import "../table/table.css";
import "./replay.css";

interface Props {
  table: number;
  round: number;
  seq: number | null;
  tableKey: string | null;
}

export function ReplayPage({ table, round, seq, tableKey }: Props) {
  const t = useText(replayTexts);
  // Whoever looks with other eyes stays at the moment they were at.
  const [{ eyes, from }, setLook] = useState<{ eyes: number | null; from: number | null }>({ eyes: null, from: seq });
  // Someone has changed the address.
  useEffect(() => setLook((before) => ({ ...before, from: seq })), [seq]);
  const { value, refusal } = useLoaded(`${table}/${round}/${eyes}/${tableKey}`, () =>
    loadReplay(table, round, eyes, tableKey),
  );
  if (refusal) return <RefusalPage refusal={refusal} />;
  if (!value) return <p role="status">{t.loading}</p>;
  return (
    <Replay
      recording={value}
      seq={from}
      eyes={eyes}
      look={(seat, at) => setLook({ eyes: seat, from: at })}
      tableKey={tableKey}
    />
  );
}

interface ReplayProps {
  recording: Recording;
  seq: number | null;
  eyes: number | null;
  look: (seat: number | null, at: number | null) => void;
  tableKey: string | null;
}

function Replay({ recording, seq, eyes, look, tableKey }: ReplayProps) {
  const t = useText(replayTexts);
  const { round, frames } = recording;
  const title = useGameTitle()(round.game);
  const [at, setAt] = useState(() => placeOf(frames, seq));
  const frame = frames[Math.min(at, frames.length - 1)];
  const query = tableKey ? `?key=${encodeURIComponent(tableKey)}` : "";
  const moment = `${link("replay", round.table, round.round, frame?.seq ?? 1)}${query}`;
  // The address names the moment, without a new entry in the browser's history for each; and not
  // each of those that only pass by, since browsers allow so many.
  useEffect(() => {
    const timer = setTimeout(() => {
      // Who has just followed a link is not called back.
      if (here().path[0] === "replay") history.replaceState(null, "", moment);
    }, 300);
    return () => clearTimeout(timer);
  }, [moment]);
  useEffect(() => setAt(placeOf(frames, seq)), [frames, seq]);
  return (
    <div className="stack replay" data-seq={frame?.seq}>
      <Title>{t.title(title)}</Title>
      <div className="row">
        <p className="soft">{round.players.map((each) => each.name).join(" – ")}</p>
        <label className="row">
          <span className="soft small">{t.eyes}</span>
          <select
            value={eyes ?? ""}
            onChange={(event) =>
              look(event.target.value === "" ? null : Number(event.target.value), frame?.seq ?? null)
            }
          >
            <option value="">{t.spectator}</option>
            {round.players.slice(0, 8).map(({ seat, name }) => (
              <option key={seat} value={seat}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {recording.cut && <p className="soft">{t.cut}</p>}
      {frame && <Scene recording={recording} frame={frame} eyes={eyes} />}
      <Player frames={frames} at={at} setAt={setAt} moment={moment} />
      <Ending recording={recording} isLast={at >= frames.length - 1} />
      {frame && round.game === "connect-four" && (
        <Analysis round={round} tableKey={tableKey} seq={frame.seq} goTo={(to) => setAt(placeOf(frames, to))} />
      )}
      <Rounds recording={recording} query={query} />
      <p>
        <a className="button small" href={`${link("verify", round.table, round.round)}${query}`}>
          {t.verify}
        </a>
      </p>
    </div>
  );
}

/** The moment that the address names; else the one at which the game begins. */
function placeOf(frames: readonly Frame[], seq: number | null): number {
  const found =
    seq === null
      ? frames.findIndex((frame) => frame.view !== null && frame.view !== undefined)
      : frames.findLastIndex((frame) => frame.seq <= seq);
  return Math.max(0, found);
}

function Scene({ recording: { round }, frame, eyes }: { recording: Recording; frame: Frame; eyes: number | null }) {
  const t = useText(replayTexts);
  const game = drawn(round.game);
  if (frame.view === null || frame.view === undefined) return <p className="card table-waiting">{t.notBegun}</p>;
  if (!game) return frame.picture ? <PictureBoard picture={frame.picture as Picture} act={null} /> : null;
  return (
    <game.Board
      table={round.table}
      view={frame.view}
      recent={frame.events}
      seat={eyes}
      players={round.players}
      options={round.options}
      outcome={frame.outcome ?? null}
      act={null}
      now={() => frame.at_ms}
    />
  );
}

function Ending({ recording: { round }, isLast }: { recording: Recording; isLast: boolean }) {
  const t = useText(tableTexts);
  const words = useGameWords(round.game);
  return (
    <p role="status" aria-live="polite" className="replay-end">
      {isLast && (round.outcome ? words?.reasons[round.outcome.reason] : t.voided)}
    </p>
  );
}

/** The other rounds of the same table. */
function Rounds({ recording: { round }, query }: { recording: Recording; query: string }) {
  const t = useText(replayTexts);
  if (round.rounds < 2) return null;
  return (
    <p className="row">
      {round.round > 1 && (
        <a className="button small" href={link("replay", round.table, round.round - 1) + query}>
          ← {t.round} {round.round - 1}
        </a>
      )}
      {round.round < round.rounds && (
        <a className="button small" href={link("replay", round.table, round.round + 1) + query}>
          {t.round} {round.round + 1} →
        </a>
      )}
    </p>
  );
}
