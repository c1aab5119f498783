#!/usr/bin/env node
// A bot for Connect Four in JavaScript: takes a win, blocks a loss, and else keeps to the centre.
// docs/write-a-bot.md says what it reads and writes.

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** How many stones of this colour follow each other from here, not counting this place. */
function run(board, row, column, down, right, stone) {
  let count = 0;
  while (board[row + down * (count + 1)]?.[column + right * (count + 1)] === stone) count += 1;
  return count;
}

/** Whether this stone would make a line in this column. */
function wins(view, column, stone) {
  const { board, length } = view;
  const row = board.filter((each) => each[column] === 0).length - 1;
  return DIRECTIONS.some(
    ([down, right]) =>
      run(board, row, column, down, right, stone) + run(board, row, column, -down, -right, stone) >=
      length - 1,
  );
}

function choose(view, legal, seat) {
  const drops = legal.filter((command) => command.type === "drop");
  if (drops.length === 0) return legal[0];
  const centre = (view.board[0].length - 1) / 2;
  drops.sort((one, other) => Math.abs(one.column - centre) - Math.abs(other.column - centre));
  const winning = drops.find((drop) => wins(view, drop.column, seat + 1));
  const blocking = drops.find((drop) => wins(view, drop.column, 2 - seat));
  return winning ?? blocking ?? drops[0];
}

let seat = 0;
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") seat = message.seat;
    if (message.type === "turn") {
      console.log(JSON.stringify(choose(message.view, message.legal, seat)));
    }
    if (message.type === "over") console.error(`${message.result} (${message.reason})`);
  });
