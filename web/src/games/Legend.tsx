import type { SeatInfo } from "../wire/messages.ts";
import { Stone } from "./Stone.tsx";
import "./legend.css";

/** Who plays which stones; the one to move stands out. */
export function Legend({ players, turn }: { players: readonly SeatInfo[]; turn: number | null }) {
  return (
    <ul className="legend">
      {players.map((player) => (
        <li key={player.seat} aria-current={player.seat === turn ? "true" : undefined}>
          <Stone seat={player.seat} />
          <span>{player.name}</span>
        </li>
      ))}
    </ul>
  );
}
