/** Row by row; in the third, two stones take one of the other colour. */
const PLACES = [
  ["hole", "hole", "second", "hole"],
  ["hole", "hole", "hole", "second"],
  ["first", "first", "second", "hole"],
  ["hole", "hole", "hole", "first"],
].flat();

export function Emblem() {
  return (
    <svg className="fs-emblem" viewBox="0 0 44 44" aria-hidden="true">
      <rect className="face" width="44" height="44" rx="7" />
      {PLACES.map((kind, n) => (
        <circle key={n} className={kind} cx={7 + 10 * (n % 4)} cy={7 + 10 * Math.floor(n / 4)} r="4" />
      ))}
    </svg>
  );
}
