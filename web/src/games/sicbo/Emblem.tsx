import { Pips } from "./Dice.tsx";

/** A die, and the corner of another. */
export function Emblem() {
  return (
    <svg className="sicbo-emblem" viewBox="0 0 44 44" aria-hidden="true">
      <rect className="other" x="15" y="1" width="28" height="28" rx="6" transform="rotate(12 29 15)" />
      <g transform="translate(1 11) rotate(-8 16 16)">
        <rect className="face" width="30" height="30" rx="6" />
        <Pips value={5} />
      </g>
    </svg>
  );
}
