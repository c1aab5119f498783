// Node and `ws`, and nothing else: what the bare sketch in memory is in Python.
import { WebSocketServer } from "ws";
import { drop, newGame, ready } from "./connect_four.mjs";

const rooms = new Map();
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", backlog: 1000 });

function roomNumbered(number) {
  let room = rooms.get(number);
  if (!room) {
    room = { game: newGame(), turn: 0, players: [] };
    rooms.set(number, room);
  }
  return room;
}

server.on("listening", () => ready(server));
server.on("connection", (socket, request) => {
  const [, , number, place] = request.url.split("/");
  const seat = Number(place);
  const room = roomNumbered(number);
  room.players[seat] = socket;
  socket.on("error", () => {});
  socket.on("message", (data) => {
    const move = JSON.parse(data);
    const game = room.game;
    if (seat !== room.turn || !drop(game, seat, move.payload.column)) {
      socket.send(JSON.stringify({ type: "error", requestId: move.requestId }));
      return;
    }
    room.turn = 1 - seat;
    const state = { type: "state", board: game.cells.join(""), turn: room.turn, winner: game.winner, ply: game.ply };
    const text = JSON.stringify(state);
    for (const player of room.players) player?.send(text);
  });
});
