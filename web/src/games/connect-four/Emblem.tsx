/** Four in a row, aslant. */
export function Emblem() {
  const rows = [3, 2, 1, 0];
  return (
    <svg className="c4-emblem" viewBox="0 0 44 44" aria-hidden="true">
      <rect className="face" width="44" height="44" rx="7" />
      {rows.flatMap((row) =>
        rows.map((column) => {
          const line = column + row === 3;
          const other = !line && column + row > 3 && column % 2 === 1;
          const kind = line ? "first" : other ? "second" : "hole";
          return <circle key={`${column},${row}`} className={kind} cx={7 + 10 * column} cy={7 + 10 * row} r="4" />;
        }),
      )}
    </svg>
  );
}
