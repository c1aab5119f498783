import { useText } from "../../text/text.ts";
import type { Views } from "../../wire/messages.ts";
import { Pips } from "./Dice.tsx";
import { useChipFormat } from "./format.ts";
import { type GroupName, onSide, type Place, type Side, shownOdds } from "./sides.ts";
import { boardTexts } from "./texts.ts";

interface Betting {
  view: Views["sicbo"];
  chip: number;
  onBet: ((side: Side) => void) | null;
}

/** Places of one kind, each a button that bets. */
export function PlaceGroup({ name, places, ...betting }: Betting & { name: GroupName; places: readonly Place[] }) {
  const t = useText(boardTexts);
  return (
    <section className={`sicbo-group sicbo-${name}`}>
      <h3>{t.groups[name]}</h3>
      <div className="sicbo-places">
        {places.map((place) => (
          <PlaceButton key={place.side} group={name} place={place} {...betting} />
        ))}
      </div>
    </section>
  );
}

function PlaceButton({ group, place, view, chip, onBet }: Betting & { group: GroupName; place: Place }) {
  const t = useText(boardTexts);
  const { full, short } = useChipFormat();
  const { side, numbers } = place;
  const on = onSide(view, side);
  const name = numbers.length === 0 ? t.sides.any : t.sides[group](numbers[0] ?? 0, numbers[1] ?? 0);
  const said = [
    t.bet(full(chip), name),
    t.odds(on.odds.join("/")),
    ...(on.chips > 0 ? [t.chips(full(on.chips)), t.players(on.players)] : []),
    ...(on.stake > 0 ? [t.stake(full(on.stake))] : []),
    ...(on.won ? [t.wins] : []),
  ];
  return (
    <button
      type="button"
      className={on.won ? "sicbo-place won" : "sicbo-place"}
      disabled={onBet === null}
      onClick={() => onBet?.(side)}
    >
      <span className="hidden-text">{said.join(", ")}</span>
      <span className="sicbo-place-face" aria-hidden="true">
        <span className="sicbo-place-name">
          {numbers.length === 0 && t.any}
          {group === "sums" ? numbers[0] : numbers.map((number, n) => <Face key={n} value={number} />)}
        </span>
        <span className="sicbo-odds">{shownOdds(on.odds)}</span>
        <span className="sicbo-place-total">{on.chips > 0 && short(on.chips)}</span>
        {on.stake > 0 && <span className="sicbo-own">{short(on.stake)}</span>}
        {on.won && <span className="sicbo-won">✓</span>}
      </span>
    </button>
  );
}

function Face({ value }: { value: number }) {
  return (
    <svg className="sicbo-small-face" viewBox="0 0 30 30">
      <Pips value={value} />
    </svg>
  );
}
