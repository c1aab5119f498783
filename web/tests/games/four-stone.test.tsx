import { cleanup, fireEvent, render, screen, act as settled } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fourStone } from "../../src/games/four-stone/index.ts";
import type { BoardProps } from "../../src/games/game.ts";
import { chooseLanguage } from "../../src/text/text.ts";

type Props = BoardProps<"four-stone">;
const { Board, reduce } = fourStone;
const SIGHT = { seat: null, options: {} };

beforeEach(() => chooseLanguage("en"));
afterEach(cleanup);

const START: Props["view"] = {
  board: [
    [2, 2, 2, 2],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [1, 1, 1, 1],
  ],
  turn: 0,
  last: null,
  times: 1,
  deadline_ms: null,
};

function show(change: Partial<Props> = {}) {
  const act = vi.fn();
  const props: Props = {
    view: START,
    recent: [],
    seat: 0,
    players: [
      { seat: 0, id: 1, name: "An" },
      { seat: 1, id: 2, name: "Bo" },
    ],
    options: {},
    table: 4,
    outcome: null,
    act,
    now: () => 0,
    ...change,
  };
  const { container } = render(<Board {...props} />);
  return { act, container };
}

const place = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name},`) });
const targets = () => screen.queryAllByRole("button", { name: /possible move/ });

describe("moving by clicks", () => {
  it("takes a stone to a free place beside it", () => {
    const { act } = show();
    fireEvent.click(place("B1"));
    expect(place("B1").getAttribute("aria-pressed")).toBe("true");
    expect(targets()).toEqual([place("B2")]);
    fireEvent.click(place("B2"));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "move", from: [1, 3], to: [1, 2] });
    expect(targets()).toEqual([]);
  });

  it("picks up another stone instead, and puts it back on a second click or elsewhere", () => {
    const { act } = show();
    fireEvent.click(place("B1"));
    fireEvent.click(place("C1"));
    expect(targets()).toEqual([place("C2")]);
    fireEvent.click(place("C1"));
    expect(targets()).toEqual([]);
    fireEvent.click(place("C1"));
    fireEvent.click(place("A3"));
    expect(targets()).toEqual([]);
    expect(act).not.toHaveBeenCalled();
  });

  it.each([
    ["a spectator", { seat: null, act: null }],
    ["a player who may not act", { act: null }],
    ["the other player", { seat: 1 }],
    ["anyone after the end", { outcome: { winners: [1], reason: "resigned" } }],
  ])("is not for %s", (_, change) => {
    const { act } = show(change);
    for (const name of ["A1", "A4"]) {
      fireEvent.click(place(name));
      expect(place(name).getAttribute("aria-disabled")).toBe("true");
    }
    expect(targets()).toEqual([]);
    expect(act).not.toHaveBeenCalled();
  });
});

it("is played with the keyboard", () => {
  const { act } = show();
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  settled(() => place("A1").focus());
  press("ArrowRight");
  expect(document.activeElement).toBe(place("B1"));
  // A browser makes a click of Enter on a button.
  fireEvent.click(place("B1"));
  press("Escape");
  expect(targets()).toEqual([]);
  fireEvent.click(place("B1"));
  press("ArrowUp");
  expect(document.activeElement).toBe(place("B2"));
  fireEvent.click(place("B2"));
  expect(act).toHaveBeenCalledExactlyOnceWith({ type: "move", from: [1, 3], to: [1, 2] });
});

describe("dragging", () => {
  function drag(from: string, by: { x: number; y: number }) {
    const board = screen.getByRole("group");
    board.getBoundingClientRect = () => new DOMRect(0, 0, 400, 400);
    const stone = place(from);
    const start = { pointerId: 1, isPrimary: true, button: 0, clientX: 150, clientY: 350 };
    const end = { ...start, clientX: 150 + by.x, clientY: 350 + by.y };
    fireEvent.pointerDown(stone, start);
    fireEvent.pointerMove(stone, end);
    const shown = targets().length;
    fireEvent.pointerUp(stone, end);
    fireEvent.click(stone, { detail: 1 });
    return shown;
  }

  it("takes a stone to where it is let go", () => {
    const { act } = show();
    expect(drag("B1", { x: 10, y: -90 })).toBe(1);
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "move", from: [1, 3], to: [1, 2] });
    expect(targets()).toEqual([]);
  });

  it("puts it back where it may not go", () => {
    const { act } = show();
    drag("B1", { x: 0, y: -190 });
    expect(act).not.toHaveBeenCalled();
    expect(targets()).toEqual([]);
  });

  it("leaves the next click of a key as it is", () => {
    show();
    drag("B1", { x: 0, y: -190 });
    fireEvent.click(place("B1"), { detail: 0 });
    expect(targets()).toEqual([place("B2")]);
  });

  it("is a click if the pointer hardly moves", () => {
    const { act } = show();
    drag("B1", { x: 2, y: -3 });
    expect(act).not.toHaveBeenCalled();
    expect(targets()).toEqual([place("B2")]);
  });
});

describe("the board", () => {
  const taking = { type: "moved", seat: 0, from: [0, 3], to: [0, 2], taken: [[0, 0]], at_ms: 0 } as const;
  const event = structuredClone(taking) as unknown as Props["recent"][number];

  it("shows the last move and what it took", () => {
    const view = reduce(START, event, SIGHT) ?? START;
    const { container } = show({ view, recent: [event] });
    expect(place("A2").querySelector(".came .last")).not.toBeNull();
    expect(place("A4").querySelector(".fs-taken .stone-1")).not.toBeNull();
    expect(place("A1").className).toContain("left");
    expect(container.querySelector("[aria-live=polite]")?.textContent).toBe("Dot from A1 to A2. One stone is taken.");
    cleanup();
    show({ view });
    expect(place("A4").querySelector(".fs-taken")).not.toBeNull();
    expect(place("A4").querySelector(".stone")).toBeNull();
  });

  it("warns of a position that is there again", () => {
    show({ view: { ...START, times: 2 } });
    expect(screen.getByText(/for the second time/)).toBeTruthy();
  });
});

describe("a view from the middle of a game", () => {
  const quiet = {
    type: "moved",
    seat: 0,
    from: [0, 3],
    to: [0, 2],
    taken: [],
    at_ms: 0,
  } as unknown as Props["recent"][number];
  const last = { from: [0, 1], to: [0, 0], taken: [] } as unknown as NonNullable<Props["view"]["last"]>;

  it("does not tell how often a position was there, until a stone falls", () => {
    const view = { ...START, last };
    expect(reduce(view, quiet, SIGHT)).toBeNull();
    const taking = { ...quiet, taken: [[0, 0]] } as unknown as Props["recent"][number];
    expect(reduce(view, taking, SIGHT)?.times).toBe(1);
  });
});
