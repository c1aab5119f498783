import { useText } from "../../text/text.ts";
import { boardTexts } from "./texts.ts";
import "./dice.css";

const LOW = 8;
const MIDDLE = 15;
const HIGH = 22;
const CORNERS = [
  [LOW, LOW],
  [HIGH, HIGH],
  [LOW, HIGH],
  [HIGH, LOW],
] as const;
const CENTRE = [MIDDLE, MIDDLE] as const;

const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [CENTRE],
  2: CORNERS.slice(0, 2),
  3: [...CORNERS.slice(0, 2), CENTRE],
  4: CORNERS,
  5: [...CORNERS, CENTRE],
  6: [...CORNERS, [LOW, MIDDLE], [HIGH, MIDDLE]],
};
const FACES = [1, 2, 3, 4, 5, 6];

/** The pips of one face of 30 by 30. */
export function Pips({ value }: { value: number }) {
  return PIPS[value]?.map(([x, y]) => <circle key={`${x},${y}`} className="pip" cx={x} cy={y} r="2.8" />);
}

interface DiceProps {
  dice: readonly number[];
  /** Still: as they lie. Shaken: nobody knows yet. Landing: they roll until they show `dice`. */
  motion: "still" | "shaken" | "landing";
  /** Whether they are those of the round before. */
  old: boolean;
}

export function Dice({ dice, motion, old }: DiceProps) {
  const t = useText(boardTexts);
  const label = motion === "shaken" ? t.diceShaken : t.dice(dice, old);
  return (
    <div className={old ? "sicbo-dice old" : "sicbo-dice"} role="img" aria-label={label}>
      {dice.map((value, n) => (
        <span key={n} className={`sicbo-die ${motion}`}>
          <span className={`sicbo-cube shows-${value}`}>
            {FACES.map((face) => (
              <svg key={face} className={`sicbo-face at-${face}`} viewBox="0 0 30 30">
                <Pips value={face} />
              </svg>
            ))}
          </span>
        </span>
      ))}
    </div>
  );
}
