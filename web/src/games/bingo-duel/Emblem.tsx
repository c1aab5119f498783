/** Two boards that overlap, and a line on the upper one. */
export function Emblem() {
  const places = [0, 1, 2];
  return (
    <svg className="duel-emblem" viewBox="0 0 44 44" aria-hidden="true">
      <rect className="back" x="14" y="1" width="29" height="29" rx="5" />
      <rect className="front" x="1" y="10" width="33" height="33" rx="5" />
      {places.flatMap((row) =>
        places.map((column) => (
          <rect
            key={`${row},${column}`}
            className={row === column ? "picked" : "number"}
            x={5 + column * 9}
            y={14 + row * 9}
            width="7"
            height="7"
            rx="1.5"
          />
        )),
      )}
      <line className="strike" x1="6" y1="15" x2="29" y2="38" />
    </svg>
  );
}
