import { useState } from "react";
import { useText } from "../../text/text.ts";
import type { Views } from "../../wire/messages.ts";
import type { BoardProps } from "../game.ts";
import { BeadRoad } from "./BeadRoad.tsx";
import { Chips } from "./Chips.tsx";
import { Countdown } from "./Countdown.tsx";
import { Dice } from "./Dice.tsx";
import { useChipFormat } from "./format.ts";
import { PlaceGroup } from "./PlaceGroup.tsx";
import { Rebet } from "./Rebet.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { allChips, GROUPS, HALVES, onSide, ownTotal, type Side } from "./sides.ts";
import { boardTexts } from "./texts.ts";
import { Wallet } from "./Wallet.tsx";
import "./board.css";

/** What lies on the table before the first round. */
const NO_DICE = [1, 2, 3];

export function Board({ table, view, recent, act, now }: BoardProps<"sicbo">) {
  const t = useText(boardTexts);
  const { full } = useChipFormat();
  const [chosen, setChosen] = useState<number | null>(null);
  const chip = chosen !== null && view.chips.includes(chosen) ? chosen : (view.chips[0] ?? view.bet_max);
  // Dice that one saw thrown roll; those of a view that came whole lie there.
  const [thrown, setThrown] = useState<number | null>(null);
  if (thrown !== view.round && recent.some((event) => event.type === "rolled")) setThrown(view.round);
  // Between two rounds nobody can act, but chips and balance stay where they are.
  const [live, setLive] = useState(act !== null);
  if (act && !live) setLive(true);
  const open = view.status === "BETTING_OPEN";
  const finished = view.status === "FINISH";
  const landing = finished && thrown === view.round;
  const own = ownTotal(view);
  const onBet = act && open ? (side: Side) => act({ type: "bet", side, amount: chip, round: view.round }) : null;

  return (
    <div className="sicbo">
      <header className="sicbo-head">
        <h3>{t.round(view.round)}</h3>
        {open && <Countdown openMs={view.open_ms} closeMs={view.close_ms} now={now} />}
        <span className="sicbo-money">{t.playMoney}</span>
      </header>
      <div className={`sicbo-cup ${landing ? "landing" : ""}`}>
        <Dice
          key={view.round}
          dice={finished ? view.dice : (view.history.at(-1)?.dice ?? NO_DICE)}
          motion={landing ? "landing" : view.status === "BETTING_CLOSE" ? "shaken" : "still"}
          old={open}
        />
        <p className="sicbo-said" aria-live="polite">
          {open && t.open}
          {view.status === "BETTING_CLOSE" && t.closed}
          {finished && view.result && (
            <span className="sicbo-result">
              <strong>{t.rolled(view.sum, t.results[view.result])}</strong> <Own view={view} full={full} />
            </span>
          )}
        </p>
      </div>
      {live && (
        <div className="sicbo-betting">
          <Chips chips={view.chips} chosen={chip} onChoose={setChosen} />
          <Rebet table={table} round={view.round} open={onBet !== null} />
        </div>
      )}
      <div className="sicbo-sides">
        {HALVES.map((side) => (
          <SidePanel key={side} side={side} on={onSide(view, side)} chip={chip} onBet={onBet && (() => onBet(side))} />
        ))}
      </div>
      {GROUPS.map(([name, places]) => (
        <PlaceGroup key={name} name={name} places={places} view={view} chip={chip} onBet={onBet} />
      ))}
      <p className="sicbo-all soft">
        {t.players(view.tally.players)} · {t.chips(full(allChips(view)))}
      </p>
      {own > 0 && <p className="sicbo-own-total">{t.ownTotal(full(own))}</p>}
      {live && <Wallet moment={`${view.round} ${view.status} ${view.bets.length}`} />}
      <BeadRoad history={view.history} />
    </div>
  );
}

/** What one's own bets have brought. */
function Own({ view, full }: { view: Views["sicbo"]; full: (chips: number) => string }) {
  const t = useText(boardTexts);
  if (view.bets.length === 0 || view.bets.some((bet) => typeof bet.paid !== "number")) return null;
  const gain = view.bets.reduce((sum, bet) => sum + (bet.paid ?? 0) - bet.amount, 0);
  if (gain === 0) return <span>{t.even}</span>;
  return gain > 0 ? (
    <span className="good">{t.won(full(gain))}</span>
  ) : (
    <span className="refusal">{t.lost(full(-gain))}</span>
  );
}
