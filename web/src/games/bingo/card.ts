/** What stands on a card, and what is complete on it. */

export const LETTERS = ["B", "I", "N", "G", "O"] as const;
/** How many numbers belong to each letter. */
export const COLUMN = 15;
/** The centre that needs no call. */
export const FREE = 0;

export function letterOf(number: number): string {
  return LETTERS[Math.floor((number - 1) / COLUMN)] ?? "";
}

const PLACES = [0, 1, 2, 3, 4];
/** Rows, columns and diagonals, as places counted row by row. */
const LINES: readonly (readonly number[])[] = [
  ...PLACES.map((row) => PLACES.map((column) => row * 5 + column)),
  ...PLACES.map((column) => PLACES.map((row) => row * 5 + column)),
  PLACES.map((n) => n * 6),
  PLACES.map((n) => (n + 1) * 4),
];

/** The 25 numbers row by row; the hall gives them by columns. */
export function rowByRow(card: readonly (readonly number[])[]): number[] {
  return PLACES.flatMap((row) => PLACES.map((column) => card[column]?.[row] ?? FREE));
}

/** The places that are part of a complete line. */
export function placesInLines(numbers: readonly number[], isMarked: (number: number) => boolean): Set<number> {
  const full = LINES.filter((line) => line.every((place) => isMarked(numbers[place] ?? FREE)));
  return new Set(full.flat());
}
