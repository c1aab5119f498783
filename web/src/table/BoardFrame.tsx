import { memo, useRef } from "react";
import { drawn } from "../games/registry.ts";
import { attempt } from "../shell/toasts.ts";
import { useText } from "../text/text.ts";
import type { TableView } from "../wire/messages.ts";
import { connection, useConnectionState } from "../wire/session.ts";
import { Countdown } from "./Countdown.tsx";
import { PictureBoard } from "./PictureBoard.tsx";
import { hallNow, type TableStore } from "./table-store.ts";
import { tableTexts } from "./texts.ts";

interface Props {
  view: TableView;
  recent: readonly { type: string }[];
  store: TableStore;
}

/** The board of a table that is live, whichever game it is. */
export const BoardFrame = memo(function BoardFrame({ view, recent, store }: Props) {
  const t = useText(tableTexts);
  const online = useConnectionState() === "online";
  const game = drawn(view.game);
  const asked = useRef(new Set<string>());

  /** A move that was sent is not sent again before it was answered; in turns, neither is another. */
  function acting(command: unknown): void {
    const what = "turn" in (view.view as object) ? "" : JSON.stringify(command);
    if (asked.current.has(what) && !game?.repeats) return;
    asked.current.add(what);
    void attempt(store.act(command)).finally(() => asked.current.delete(what));
  }

  if (view.view === null) return <p className="card table-waiting">{t.waitingForPlayers}</p>;
  // Where people walk in, one acts without a seat.
  const mayAct = online && view.status === "playing" && (view.seat !== null || view.legal.length > 0);
  const act = mayAct ? acting : null;
  const common = { table: view.table, seat: view.seat, players: view.players, outcome: view.outcome, act };
  return (
    <div className="board-frame">
      <Turn view={view} />
      {game ? (
        <game.Board {...common} view={view.view} recent={recent} options={view.options} now={hallNow} />
      ) : (
        view.picture && <PictureBoard picture={view.picture} act={act} />
      )}
    </div>
  );
});

/** Whose turn it is, and how long. Games say it in their views by the same names. */
function Turn({ view }: { view: TableView }) {
  const t = useText(tableTexts);
  const { turn, deadline_ms } = view.view as { turn?: number | null; deadline_ms?: number | null };
  const due = deadline_ms ?? (drawn(view.game) ? null : (view.clock?.due_ms ?? null));
  const player = view.players.find((each) => each.seat === turn);
  const words =
    view.status !== "playing" || turn === undefined || turn === null
      ? ""
      : turn === view.seat
        ? t.yourTurn
        : player
          ? t.turnOf(player.name)
          : "";
  const watches = view.seat === null && !view.players.some((each) => each.id === connection.player?.id);
  return (
    <p className="turn" role="status" aria-live="polite" data-turn={turn ?? ""}>
      {words || (watches && view.legal.length === 0 ? t.spectator : "")}
      {view.status === "playing" && due !== null && due !== undefined && <Countdown dueMs={due} />}
    </p>
  );
}
