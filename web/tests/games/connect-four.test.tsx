import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectFour } from "../../src/games/connect-four/index.ts";
import type { BoardProps } from "../../src/games/game.ts";
import { chooseLanguage } from "../../src/text/text.ts";

type Props = BoardProps<"connect-four">;
const { Board, reduce } = connectFour;

beforeEach(() => chooseLanguage("en"));
afterEach(cleanup);

const EMPTY: Props["view"] = {
  board: Array.from({ length: 6 }, () => Array<number>(7).fill(0)),
  length: 4,
  turn: 0,
  last: null,
  line: [],
  offer: null,
  deadline_ms: null,
};

function after(...columns: number[]): Props["view"] {
  return columns.reduce((view, column, n) => {
    const next = reduce(view, { type: "dropped", seat: n % 2, column, at_ms: 0 }, { seat: null, options: {} });
    return next ?? view;
  }, EMPTY);
}

function show(change: Partial<Props> = {}) {
  const act = vi.fn();
  const props: Props = {
    view: EMPTY,
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

const column = (number: number) => screen.getByRole("button", { name: new RegExp(`^Column ${number},`) });

describe("dropping", () => {
  it("goes to the clicked column", () => {
    const { act } = show();
    fireEvent.click(column(3));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "drop", column: 2 });
  });

  it("goes to the column that the arrow keys have chosen", () => {
    const { act } = show();
    column(4).focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
    }
    expect(document.activeElement).toBe(column(5));
    expect(column(5).tabIndex).toBe(0);
    expect(column(4).tabIndex).toBe(-1);
    fireEvent.click(column(5));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "drop", column: 4 });
  });

  it("stays on the board at its ends", () => {
    show();
    column(4).focus();
    for (const [key, number] of [
      ["End", 7],
      ["ArrowRight", 7],
      ["Home", 1],
      ["ArrowLeft", 1],
    ] as const) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      expect(document.activeElement).toBe(column(number));
    }
  });

  it.each([
    ["a spectator", { seat: null, act: null }],
    ["a player who may not act", { act: null }],
    ["the other player", { seat: 1 }],
    ["anyone after the end", { outcome: { winners: [], reason: "agreed" } }],
  ])("is not for %s", (_, change) => {
    const { act, container } = show(change);
    fireEvent.click(column(3));
    expect(act).not.toHaveBeenCalled();
    expect(column(3).getAttribute("aria-disabled")).toBe("true");
    expect(container.querySelector(".ghost")).toBeNull();
  });

  it("is not possible in a full column", () => {
    const { act } = show({ view: after(2, 2, 2, 2, 2, 2) });
    const full = screen.getByRole("button", { name: /^Column 3, full, 6 stones/ });
    fireEvent.click(full);
    expect(act).not.toHaveBeenCalled();
    expect(full.getAttribute("aria-disabled")).toBe("true");
    expect(column(4).getAttribute("aria-disabled")).toBe("false");
  });
});

describe("the board", () => {
  it("reads out what lies in a column", () => {
    show({ view: after(3, 3, 3) });
    expect(column(4).getAttribute("aria-label")).toBe("Column 4, 3 stones, from below: dot, ring, dot");
    expect(column(1).getAttribute("aria-label")).toBe("Column 1, empty");
  });

  it("marks the winning line", () => {
    const { container } = show({ view: after(3, 2, 3, 2, 3, 2, 3) });
    expect(container.querySelectorAll(".in-line")).toHaveLength(4);
    expect(column(4).querySelectorAll(".in-line")).toHaveLength(4);
  });

  it("marks the last stone, and lets it fall only if it has just been dropped", () => {
    const view = after(3, 5);
    const { container } = show({ view });
    expect(column(6).querySelectorAll(".stone.last")).toHaveLength(1);
    expect(container.querySelector(".falls")).toBeNull();
    cleanup();
    show({ view, recent: [{ type: "dropped", seat: 1, column: 5, at_ms: 0 }] });
    expect(column(6).querySelectorAll(".stone.falls")).toHaveLength(1);
  });

  it("says who is to move, and what was dropped", () => {
    const { container } = show({ view: after(3) });
    const turn = screen.getAllByRole("listitem").find((item) => item.getAttribute("aria-current"));
    expect(turn && within(turn).getByText("Bo")).toBeTruthy();
    expect(container.querySelector("[aria-live=polite]")?.textContent).toBe("Dot in column 4.");
  });

  it("has the size of the options", () => {
    show({ view: { ...EMPTY, board: Array.from({ length: 3 }, () => Array<number>(12).fill(0)) } });
    expect(screen.getAllByRole("button")).toHaveLength(12);
  });
});
