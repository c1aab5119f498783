// boardgame.io, with its store in memory. Its state is a plain object that Immer copies.
import net from "node:net";
import core from "boardgame.io/dist/cjs/core.js";
import { Origins, Server } from "boardgame.io/dist/cjs/server.js";
import { drop, newGame, ready } from "./connect_four.mjs";

// It listens on every address, with a backlog of 511; the others here on one, with 1000.
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (_port, ...rest) {
  return listen.call(this, { port: 0, host: "127.0.0.1", backlog: 1000 }, ...rest);
};

const game = {
  name: "connect-four",
  setup: newGame,
  disableUndo: true,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => (drop(G, Number(playerID), column) ? undefined : core.INVALID_MOVE),
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
const { appServer } = await server.run({ port: 1 });
ready(appServer);
