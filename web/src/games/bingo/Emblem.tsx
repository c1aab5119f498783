/** A ball with a number. */
export function Emblem() {
  return (
    <svg className="bingo-emblem" viewBox="0 0 44 44" aria-hidden="true">
      <circle className="ball" cx="22" cy="22" r="21" />
      <circle className="label" cx="22" cy="22" r="12" />
      <text x="22" y="27" textAnchor="middle" fontSize="14" fontWeight="bold">
        75
      </text>
    </svg>
  );
}
