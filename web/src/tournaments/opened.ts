/** The tournaments that this browser has opened, so that it offers to begin them. */

const KEPT = "gamehall.tournaments";
const MOST = 50;

function every(): number[] {
  return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as number[];
}

export function rememberOpened(tournament: number): void {
  localStorage.setItem(KEPT, JSON.stringify([...every(), tournament].slice(-MOST)));
}

export const hasOpened = (tournament: number): boolean => every().includes(tournament);
