import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableStore } from "../../src/table/table-store.ts";
import { Connection } from "../../src/wire/connection.ts";
import { receiptOf } from "../../src/wire/receipts.ts";
import { FakeSocket, settled, useFakeSockets, welcome } from "../wire/fake-socket.ts";

const EMPTY = Array.from({ length: 6 }, () => [0, 0, 0, 0, 0, 0, 0]);
const VIEW = {
  table: 3,
  seq: 4,
  game: "connect-four",
  options: { columns: 7, rows: 6, length: 4, move_seconds: 0 },
  seat: 0,
  status: "playing",
  round: 1,
  commitment: "c",
  legal: [],
  picture: null,
  count: 2,
  clock: null,
  outcome: null,
  rematch: [],
  watching: 2,
  key: null,
  players: [
    { seat: 0, id: 7, name: "Anna" },
    { seat: 1, id: 8, name: "Ben" },
  ],
  view: { board: EMPTY, length: 4, turn: 0, last: null, line: [], offer: null, deadline_ms: null },
};

let store: TableStore;

beforeEach(async () => {
  useFakeSockets();
  localStorage.clear();
  const connection = new Connection("ws://hall/ws", { token: "t", name: null }, () => "en");
  connection.open();
  await FakeSocket.last.accept();
  await FakeSocket.last.answer(FakeSocket.last.only("hello"), welcome());
  store = new TableStore(connection, 3, null);
  await settled();
});
afterEach(() => vi.unstubAllGlobals());

const dropped = (seat: number, column: number) => ({ type: "dropped", seat, column, at_ms: 1 });
const board = (): number[][] => (store.state.view as typeof VIEW).view.board;

test("it asks how the table stands, and watches if it has no seat there", async () => {
  await FakeSocket.last.refuse(FakeSocket.last.only("resume"), "not_seated");
  expect(FakeSocket.last.only("watch").payload).toEqual({ table: 3 });
  await FakeSocket.last.refuse(FakeSocket.last.only("watch"), "wrong_key");
  expect(store.state.refusal?.code).toBe("wrong_key");
});

test("events of other tables are none of its business", async () => {
  await FakeSocket.last.tell("table_view", { ...VIEW, table: 9 });
  expect(store.state.view).toBeNull();
});

test("events move the board on; those it knows already do not", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  await FakeSocket.last.tell("table_events", { table: 3, seq: 5, after: 4, events: [dropped(0, 3)] });
  expect(board()[5]?.[3]).toBe(1);
  expect(store.state.recent).toEqual([dropped(0, 3)]);
  await FakeSocket.last.tell("table_events", { table: 3, seq: 5, after: 4, events: [dropped(0, 3)] });
  expect(board()[4]?.[3]).toBe(0);
  expect(FakeSocket.last.asked("resume")).toHaveLength(1);
});

test("a gap is noticed, and filled by a new view", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  await FakeSocket.last.answer(FakeSocket.last.only("resume"), { table: 3, missed: null });
  await FakeSocket.last.tell("table_events", { table: 3, seq: 7, after: 6, events: [dropped(1, 2)] });
  expect(board()).toEqual(EMPTY);
  expect(FakeSocket.last.asked("resume")).toHaveLength(2);
});

test("the end brings the outcome, and the receipt is kept", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  const outcome = { winners: [1], reason: "resigned" };
  const ended = { type: "round_ended", outcome, secret: "s", at_ms: 1 };
  await FakeSocket.last.tell("table_events", {
    table: 3,
    seq: 5,
    after: 4,
    events: [{ type: "resigned", seat: 0 }, ended],
  });
  await FakeSocket.last.tell("table_over", { table: 3, seq: 5, after: 5, round: 1, outcome, secret: "s", hash: "h" });
  expect(store.state.view?.status).toBe("over");
  expect(store.state.view?.outcome).toEqual(outcome);
  expect(receiptOf(3, 1)).toBe("h");
});

test("who comes, goes and wants to play again", async () => {
  await FakeSocket.last.tell("table_view", { ...VIEW, status: "waiting", players: [VIEW.players[0]], count: 1 });
  const seated = { type: "seated", seat: 1, person: { player: 8, name: "Ben" } };
  await FakeSocket.last.tell("table_events", { table: 3, seq: 5, after: 4, events: [seated] });
  expect(store.state.view?.players.map((each) => each.name)).toEqual(["Anna", "Ben"]);
  await FakeSocket.last.tell("table_events", {
    table: 3,
    seq: 6,
    after: 5,
    events: [{ type: "left", seat: 1, reason: "left" }],
  });
  expect(store.state.view?.players.map((each) => each.name)).toEqual(["Anna"]);
  await FakeSocket.last.tell("player_dropped", { table: 3, player: 7, name: "Anna", seconds: 60 });
  expect(store.state.away.has(7)).toBe(true);
  await FakeSocket.last.tell("player_back", { table: 3, player: 7, name: "Anna" });
  expect(store.state.away.has(7)).toBe(false);
  await FakeSocket.last.tell("table_events", {
    table: 3,
    seq: 7,
    after: 6,
    events: [{ type: "rematch_wanted", seat: 0 }],
  });
  expect(store.state.view?.rematch).toEqual([0]);
});

test("a round that begins is asked for", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  await FakeSocket.last.answer(FakeSocket.last.only("resume"), { table: 3, missed: null });
  await FakeSocket.last.tell("table_events", { table: 3, seq: 5, after: 4, events: [{ type: "started", at_ms: 1 }] });
  expect(FakeSocket.last.asked("resume")).toHaveLength(2);
});

test("chat, and no more of it than can be read", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  for (let n = 0; n < 120; n++) {
    await FakeSocket.last.tell("said", { table: 3, player: 8, name: "Ben", text: `line ${n}` });
  }
  expect(store.state.lines).toHaveLength(100);
  expect(store.state.lines.at(-1)?.text).toBe("line 119");
});

test("after the connection was away it asks again", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  await FakeSocket.last.answer(FakeSocket.last.only("resume"), { table: 3, missed: null });
  vi.useFakeTimers();
  FakeSocket.last.close();
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await FakeSocket.last.accept();
  await FakeSocket.last.answer(FakeSocket.last.only("hello"), welcome());
  expect(FakeSocket.last.only("resume").payload).toEqual({ table: 3 });
});

test("a glance changes parts of the view, and is no event", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  await FakeSocket.last.tell("glance", { table: 3, view: { offer: 1 } });
  expect(store.state.view?.view).toEqual({ ...VIEW.view, offer: 1 });
  expect(store.state.view?.seq).toBe(VIEW.seq);
});

test("at a busy table what comes in a moment is drawn together, and no event of it is lost", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  const drawn: unknown[] = [];
  store.changed.add(() => drawn.push(store.state.recent));
  const drops = [dropped(0, 3), dropped(1, 3), dropped(0, 4)];
  for (const [n, drop] of drops.entries()) {
    await FakeSocket.last.tell("table_events", { table: 3, seq: 5 + n, after: 4 + n, events: [drop] });
  }
  expect(board()[5]?.[4]).toBe(1);
  expect(drawn).toEqual([]);
  await vi.waitUntil(() => drawn.length > 0);
  expect(drawn).toEqual([drops]);
  await FakeSocket.last.tell("table_events", { table: 3, seq: 8, after: 7, events: [dropped(1, 4)] });
  await vi.waitUntil(() => drawn.length > 1);
  expect(drawn[1]).toEqual([dropped(1, 4)]);
});

test("the end of a round is drawn at once, even if the next one begins in the same moment", async () => {
  await FakeSocket.last.tell("table_view", VIEW);
  const drawn: unknown[] = [];
  store.changed.add(() => drawn.push(store.state.view?.status));
  const ended = { type: "round_ended", outcome: { winners: [1], reason: "resigned" }, secret: "s", at_ms: 1 };
  await FakeSocket.last.tell("table_events", { table: 3, seq: 5, after: 4, events: [ended] });
  await FakeSocket.last.tell("table_view", { ...VIEW, seq: 6, round: 2 });
  expect(drawn).toEqual(["over", "playing"]);
});
