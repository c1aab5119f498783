import { useText } from "../../text/text.ts";
import { useChipFormat } from "./format.ts";
import { type Half, type OnSide, shownOdds } from "./sides.ts";
import { boardTexts } from "./texts.ts";

interface SidePanelProps {
  side: Half;
  on: OnSide;
  chip: number;
  onBet: (() => void) | null;
}

/** One of the four big sides; a click anywhere on it bets. */
export function SidePanel({ side, on, chip, onBet }: SidePanelProps) {
  const t = useText(boardTexts);
  const { full } = useChipFormat();
  return (
    <section className={on.won ? "sicbo-side won" : "sicbo-side"}>
      <h3>
        {t.halves[side]} <span className="sicbo-range">{t.ranges[side]}</span>
      </h3>
      {on.won && (
        <span className="sicbo-won" role="img" aria-label={t.wins}>
          ✓
        </span>
      )}
      <p className="sicbo-odds">{shownOdds(on.odds)}</p>
      <p className="sicbo-total">{t.chips(full(on.chips))}</p>
      <p className="soft">{t.players(on.players)}</p>
      <p className="sicbo-stake">{on.stake > 0 ? t.stake(full(on.stake)) : t.noStake}</p>
      <button
        type="button"
        className="button sicbo-bet"
        aria-label={t.bet(full(chip), t.halves[side])}
        disabled={onBet === null}
        onClick={() => onBet?.()}
      >
        {t.betShort(full(chip))}
      </button>
    </section>
  );
}
