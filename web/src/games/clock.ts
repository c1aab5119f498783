/** The move clock, as the rules count it. */

/** When the move that began at `sinceMs` must have been made; null without a clock. */
export function deadlineMs(sinceMs: number, moveSeconds: number | undefined): number | null {
  if (!moveSeconds) return null;
  // A clock of less than a millisecond is still a clock.
  return sinceMs + Math.max(1, halfToEven(moveSeconds * 1000));
}

/** The server rounds so, and both must come to the same number. */
function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
