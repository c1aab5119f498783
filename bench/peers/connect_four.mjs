// Connect Four for the peers that run in Node: the same rules as connect_four.py.

export const COLUMNS = 7;
export const ROWS = 6;
const LENGTH = 4;
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
/** A `winner`; 0 is nobody yet, 1 and 2 are the seats'. */
export const DRAWN = 3;

/** Whether the stone that was dropped there is part of a line. */
export function hasLine(cells, row, column, stone) {
  for (const [up, right] of DIRECTIONS) {
    let count = 1;
    for (const sign of [1, -1]) {
      let r = row + up * sign;
      let c = column + right * sign;
      while (r >= 0 && r < ROWS && c >= 0 && c < COLUMNS && cells[r * COLUMNS + c] === stone) {
        count++;
        r += up * sign;
        c += right * sign;
      }
    }
    if (count >= LENGTH) return true;
  }
  return false;
}

/**
 * Drops a stone and says whether that was possible. `game` has `cells`, `heights`, `ply` and
 * `winner`, and may be what a framework watches. A move after the end begins the next game.
 */
export function drop(game, seat, column) {
  if (game.winner) {
    for (let i = 0; i < COLUMNS * ROWS; i++) if (game.cells[i] !== 0) game.cells[i] = 0;
    for (let i = 0; i < COLUMNS; i++) game.heights[i] = 0;
    game.winner = 0;
    game.ply = 0;
  }
  if (!Number.isInteger(column) || column < 0 || column >= COLUMNS) return false;
  const row = game.heights[column];
  if (row === ROWS) return false;
  game.cells[row * COLUMNS + column] = seat + 1;
  game.heights[column]++;
  game.ply++;
  if (hasLine(game.cells, row, column, seat + 1)) game.winner = seat + 1;
  else if (game.ply === COLUMNS * ROWS) game.winner = DRAWN;
  return true;
}

export function newGame() {
  return { cells: new Array(COLUMNS * ROWS).fill(0), heights: new Array(COLUMNS).fill(0), ply: 0, winner: 0 };
}

/** Says where the server listens, as the hall does. */
export function ready(server) {
  const { address, port } = server.address();
  process.stderr.write(`door native ${address}:${port}\nready\n`);
}
