import { useId } from "react";
import { useText } from "../../text/text.ts";
import { useChipFormat } from "./format.ts";
import { boardTexts } from "./texts.ts";

interface ChipsProps {
  chips: readonly number[];
  chosen: number;
  onChoose: (chip: number) => void;
}

/** The chips one bets with. */
export function Chips({ chips, chosen, onChoose }: ChipsProps) {
  const t = useText(boardTexts);
  const { full, short } = useChipFormat();
  const name = useId();
  return (
    <fieldset className="sicbo-chips">
      <legend className="hidden-text">{t.chip}</legend>
      {chips.map((chip) => (
        <label key={chip} className="sicbo-chip">
          <input
            type="radio"
            className="hidden-text"
            name={name}
            checked={chip === chosen}
            onChange={() => onChoose(chip)}
            aria-label={t.chips(full(chip))}
          />
          <span aria-hidden="true">{short(chip)}</span>
        </label>
      ))}
    </fieldset>
  );
}
