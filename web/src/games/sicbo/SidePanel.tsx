import { useText } from "../../text/text.ts";
import { useChipFormat } from "./format.ts";
import { boardTexts } from "./texts.ts";

interface SidePanelProps {
  side: "BIG" | "SMALL";
  /** What everyone has on it together. */
  chips: number;
  players: number;
  /** One's own. */
  stake: number;
  won: boolean;
  chip: number;
  onBet: (() => void) | null;
}

/** One half of the table; a click anywhere on it bets. */
export function SidePanel({ side, chips, players, stake, won, chip, onBet }: SidePanelProps) {
  const t = useText(boardTexts);
  const { full } = useChipFormat();
  return (
    <section className={won ? "sicbo-side won" : "sicbo-side"}>
      <h3>
        {t.results[side]} <span className="sicbo-range">{side === "BIG" ? "11–17" : "4–10"}</span>
      </h3>
      <p className="sicbo-total">{t.chips(full(chips))}</p>
      <p className="soft">{t.players(players)}</p>
      <p className="sicbo-stake">{stake > 0 ? t.stake(full(stake)) : t.noStake}</p>
      <button
        type="button"
        className="button sicbo-bet"
        aria-label={t.bet(full(chip), t.results[side])}
        disabled={onBet === null}
        onClick={() => onBet?.()}
      >
        {t.betShort(full(chip))}
      </button>
    </section>
  );
}
