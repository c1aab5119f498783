// Colyseus. It tells a room's state every 50 ms by itself; here each move is told at once, as
// everywhere else, so that what is compared is work and not waiting.
import http from "node:http";
import { Room, Server } from "@colyseus/core";
import { ArraySchema, defineTypes, Schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import express from "express";
import { COLUMNS, drop, ROWS, ready } from "./connect_four.mjs";

class State extends Schema {
  constructor() {
    super();
    this.cells = new ArraySchema(...new Array(COLUMNS * ROWS).fill(0));
    this.turn = 0;
    this.winner = 0;
    this.ply = 0;
    // Not told: clients see it from the cells.
    this.heights = new Array(COLUMNS).fill(0);
  }
}
defineTypes(State, { cells: ["uint8"], turn: "uint8", winner: "uint8", ply: "uint16" });

class ConnectFour extends Room {
  onCreate() {
    this.maxClients = 2;
    this.seatReservationTimeout = 120;
    this.autoDispose = false;
    this.patchRate = null;
    this.state = new State();
    this.seats = new Map();
    this.onMessage("move", (client, message) => {
      const state = this.state;
      const seat = this.seats.get(client.sessionId);
      if (seat !== state.turn || !drop(state, seat, message.column)) {
        client.send("error", { code: "refused" });
        return;
      }
      state.turn = 1 - seat;
      this.broadcastPatch();
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const server = http.createServer(express());
const transport = new WebSocketTransport({ server, pingInterval: 0 });
const games = new Server({ transport, greet: false });
games.define("connect-four", ConnectFour);
await games.listen(0, "127.0.0.1");
ready(server);
