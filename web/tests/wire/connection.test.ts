import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type Keeper, Refusal } from "../../src/wire/connection.ts";
import { FakeSocket, settled, useFakeSockets, welcome } from "./fake-socket.ts";

let keeper: Keeper;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  useFakeSockets();
  keeper = { token: null, name: "Anna" };
  connection = new Connection("ws://hall/ws", keeper, () => "en");
  connection.open();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("whoever only looks is nobody yet", async () => {
  await FakeSocket.last.accept();
  const asked = connection.request("list_games", {});
  await FakeSocket.last.answer(FakeSocket.last.only("list_games"), { games: [] });
  expect(await asked).toEqual({ games: [] });
  expect(FakeSocket.last.asked("hello")).toEqual([]);
  expect(connection.player).toBeNull();
});

test("a first request that needs a name says hello with it, once", async () => {
  await FakeSocket.last.accept();
  void connection.request("seek", { game: "connect-four" });
  void connection.request("watch", { table: 1 });
  await settled();
  const hello = FakeSocket.last.only("hello");
  expect(hello.payload).toEqual({ lang: "en", name: "Anna" });
  expect(FakeSocket.last.asked("seek")).toEqual([]);
  await FakeSocket.last.answer(hello, welcome());
  expect(FakeSocket.last.asked("seek").length + FakeSocket.last.asked("watch").length).toBe(2);
  expect(keeper.token).toBe("token-of-anna");
});

test("what was not answered is asked again under the same id, after hello", async () => {
  await FakeSocket.last.accept();
  const acted = connection.request("act", { table: 1, command: { type: "drop", column: 3 } });
  await settled();
  await FakeSocket.last.answer(FakeSocket.last.only("hello"), welcome());
  const first = FakeSocket.last.only("act");
  FakeSocket.last.close();
  expect(connection.state).toBe("offline");
  await vi.advanceTimersByTimeAsync(1000);
  const again = FakeSocket.last;
  expect(FakeSocket.every).toHaveLength(2);
  await again.accept();
  expect(again.asked("act")).toEqual([]);
  expect(again.only("hello").payload).toEqual({ lang: "en", token: "token-of-anna" });
  await again.answer(again.only("hello"), welcome());
  expect(again.only("act").requestId).toBe(first.requestId);
  await again.answer(again.only("act"), { table: 1, seq: 5 });
  expect(await acted).toEqual({ table: 1, seq: 5 });
});

test("a greeting that was lost with its connection is said again, once", async () => {
  await FakeSocket.last.accept();
  const sought = connection.request("seek", { game: "connect-four" });
  await settled();
  FakeSocket.last.only("hello");
  FakeSocket.last.close();
  await vi.advanceTimersByTimeAsync(1000);
  await FakeSocket.last.accept();
  await FakeSocket.last.answer(FakeSocket.last.only("hello"), welcome());
  await FakeSocket.last.answer(FakeSocket.last.only("seek"), {});
  expect(await sought).toEqual({});
});

test("who one is stays known while the hall is away", async () => {
  keeper.token = "t";
  await FakeSocket.last.accept();
  await FakeSocket.last.answer(FakeSocket.last.only("hello"), welcome());
  FakeSocket.last.close();
  await vi.advanceTimersByTimeAsync(1000);
  await FakeSocket.last.accept();
  expect(connection.player?.name).toBe("Anna");
  expect(FakeSocket.last.asked("hello")).toHaveLength(1);
});

test("a token that is not valid any more is dropped, and a guest is made", async () => {
  keeper.token = "old";
  await FakeSocket.last.accept();
  await FakeSocket.last.refuse(FakeSocket.last.only("hello"), "bad_token");
  const hello = FakeSocket.last.asked("hello")[1];
  expect(hello?.payload).toEqual({ lang: "en", name: "Anna" });
});

test("a refusal has its code", async () => {
  await FakeSocket.last.accept();
  const asked = connection.request("list_tables", { game: "chess" });
  const refused = expect(asked).rejects.toMatchObject({ code: "no_such_game" });
  await FakeSocket.last.refuse(FakeSocket.last.only("list_tables"), "no_such_game");
  await refused;
  await expect(asked).rejects.toBeInstanceOf(Refusal);
});

test("unavailable means: the same once more", async () => {
  await FakeSocket.last.accept();
  const asked = connection.request("list_tables", {});
  const first = FakeSocket.last.only("list_tables");
  await FakeSocket.last.refuse(first, "unavailable");
  await vi.advanceTimersByTimeAsync(1500);
  expect(FakeSocket.last.asked("list_tables")).toHaveLength(2);
  await FakeSocket.last.answer(first, { tables: [], next: null });
  expect(await asked).toEqual({ tables: [], next: null });
});

test("a hall that has gone silent is left, and looked for again", async () => {
  await FakeSocket.last.accept();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(FakeSocket.last.asked("ping")).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connection.state).toBe("offline");
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeSocket.every).toHaveLength(2);
});

test("the pauses grow, and have an end", async () => {
  const tries = async (ms: number): Promise<number> => {
    const before = FakeSocket.every.length;
    for (let at = 0; at < ms; at += 100) {
      FakeSocket.last.close();
      await vi.advanceTimersByTimeAsync(100);
    }
    return FakeSocket.every.length - before;
  };
  expect(await tries(2000)).toBeGreaterThanOrEqual(2);
  await tries(30_000);
  expect(await tries(10_000)).toBeGreaterThanOrEqual(1);
  expect(await tries(10_000)).toBeLessThanOrEqual(5);
});

test("notices reach who listens, until they no longer do", async () => {
  await FakeSocket.last.accept();
  const heard: number[] = [];
  const stop = connection.on("seated", ({ table }) => heard.push(table));
  await FakeSocket.last.tell("seated", { table: 4, game: "connect-four", seat: 0 });
  stop();
  await FakeSocket.last.tell("seated", { table: 5, game: "connect-four", seat: 0 });
  expect(heard).toEqual([4]);
});
