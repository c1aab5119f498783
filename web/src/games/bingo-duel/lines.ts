/** A full row, column or diagonal, by the places of its ends. */
export interface Line {
  from: readonly [row: number, column: number];
  to: readonly [row: number, column: number];
}

/** The lines of a square board whose numbers were all picked; a hidden number, 0, never was. */
export function fullLines(board: readonly (readonly number[])[], picked: ReadonlySet<number>): Line[] {
  const last = board.length - 1;
  const places = board.map((_, n) => n);
  const full = (place: (n: number) => number | undefined): boolean => places.every((n) => picked.has(place(n) ?? 0));
  const lines: Line[] = [];
  for (const n of places) {
    if (full((k) => board[n]?.[k])) lines.push({ from: [n, 0], to: [n, last] });
    if (full((k) => board[k]?.[n])) lines.push({ from: [0, n], to: [last, n] });
  }
  if (full((k) => board[k]?.[k])) lines.push({ from: [0, 0], to: [last, last] });
  if (full((k) => board[k]?.[last - k])) lines.push({ from: [0, last], to: [last, 0] });
  return lines;
}
