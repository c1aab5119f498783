import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placesInLines, rowByRow } from "../../src/games/bingo/card.ts";
import { bingo } from "../../src/games/bingo/index.ts";
import type { BoardProps } from "../../src/games/game.ts";
import { chooseLanguage } from "../../src/text/text.ts";

type Props = BoardProps<"bingo">;
const { Board, reduce } = bingo;

const CARD = [
  [1, 4, 7, 9, 15],
  [16, 20, 22, 25, 30],
  [31, 33, 0, 40, 45],
  [46, 50, 52, 55, 60],
  [61, 65, 68, 70, 75],
];
const VIEW: Props["view"] = { playing: true, card: CARD, called: [4, 71], players: 3, ready: 0, winner: null };
/** The first row is called. */
const LINE = [1, 16, 31, 46, 61];
const IDLE: Props["view"] = { playing: false, card: null, called: [], players: 0, ready: 0, winner: null };

beforeEach(() => {
  chooseLanguage("en");
  localStorage.removeItem("gamehall.bingo.auto");
  sessionStorage.clear();
});
afterEach(cleanup);

function show(change: Partial<Props> = {}) {
  const act = vi.fn();
  const props: Props = {
    view: VIEW,
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
  const { container, rerender } = render(<Board {...props} />);
  const again = (next: Partial<Props>) => rerender(<Board {...props} {...next} />);
  return { act, container, again };
}

const byHand = () => fireEvent.click(screen.getByRole("switch"));

describe("marking", () => {
  it("goes by itself unless one wants it otherwise", () => {
    show();
    expect(screen.getByRole("cell", { name: "4, marked" })).toBeTruthy();
    expect(screen.getByRole("cell", { name: "free, marked" })).toBeTruthy();
    expect(screen.queryByRole("cell", { name: "20, marked" })).toBeNull();
  });

  it("is done by hand, and kept with the card", () => {
    show();
    byHand();
    const pressed = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-pressed");
    expect(pressed("4")).toBe("false");
    fireEvent.click(screen.getByRole("button", { name: "4" }));
    fireEvent.click(screen.getByRole("button", { name: "free" }));
    expect([pressed("4"), pressed("free")]).toEqual(["true", "true"]);
    cleanup();
    show();
    expect(pressed("4")).toBe("true");
    cleanup();
    show({ view: { ...VIEW, card: CARD.toReversed() } });
    expect(pressed("4")).toBe("false");
  });

  it("can be undone", () => {
    show();
    byHand();
    const place = screen.getByRole("button", { name: "4" });
    fireEvent.click(place);
    fireEvent.click(place);
    expect(place.getAttribute("aria-pressed")).toBe("false");
  });
});

describe("being ready", () => {
  it("is said once for each number, by itself", () => {
    const { act, again } = show();
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "ready" });
    again({ view: { ...VIEW, players: 2 } });
    expect(act).toHaveBeenCalledTimes(1);
    again({ view: { ...VIEW, called: [4, 71, 5] } });
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("is said again after the connection was away", () => {
    const { act, again } = show();
    again({ act: null });
    again({});
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("waits while one has a line to claim", () => {
    const { act, container } = show({ view: { ...VIEW, called: LINE } });
    expect(act).not.toHaveBeenCalled();
    expect(container.querySelectorAll(".in-line")).toHaveLength(5);
    fireEvent.click(screen.getByRole("button", { name: "BINGO" }));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "claim" });
  });

  it("is a button for who marks by hand", () => {
    localStorage.setItem("gamehall.bingo.auto", "no");
    const { act, again } = show({ view: { ...VIEW, called: [] } });
    const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^(Ready|Waiting)/ });
    expect(button().disabled).toBe(true);
    again({ view: VIEW });
    fireEvent.click(button());
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "ready" });
    expect(button().disabled).toBe(true);
    again({ view: { ...VIEW, called: [4, 71, 5] } });
    expect(button().disabled).toBe(false);
  });
});

describe("a round", () => {
  it("is started by anyone at the table, while none is on", () => {
    const { act, again } = show({ view: IDLE });
    fireEvent.click(screen.getByRole("button", { name: "Start a round" }));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "start" });
    again({ view: VIEW });
    expect(screen.queryByRole("button", { name: "Start a round" })).toBeNull();
  });

  it("stays on the table when it is over, with its winner, until the next starts", () => {
    const { container, again } = show();
    again({ view: { ...VIEW, playing: false, winner: 1 } });
    again({ view: IDLE });
    expect(screen.getByText("Bingo! Bo has won.")).toBeTruthy();
    expect(screen.getByRole("cell", { name: "71, called" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "BINGO" })).toBeNull();
    again({ view: { ...VIEW, called: [] } });
    expect(container.textContent).not.toContain("Bingo!");
    expect(screen.queryByRole("cell", { name: "71, called" })).toBeNull();
  });

  it("gives who came late nothing to press", () => {
    show({ view: { ...VIEW, card: null } });
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByText(/You are dealt in at the next/)).toBeTruthy();
  });

  it("can only be watched by a spectator", () => {
    const { act } = show({ seat: null, act: null, view: { ...VIEW, card: null } });
    expect(act).not.toHaveBeenCalled();
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByRole("cell", { name: "4, called" })).toBeTruthy();
  });
});

it("finds every kind of line on a card", () => {
  const numbers = rowByRow(CARD);
  const places = (...called: number[]) => [
    ...placesInLines(numbers, (number) => number === 0 || called.includes(number)),
  ];
  expect(numbers.slice(0, 5)).toEqual([1, 16, 31, 46, 61]);
  expect(places(4, 20, 33, 50, 65)).toEqual([5, 6, 7, 8, 9]);
  expect(places(31, 33, 40, 45)).toEqual([2, 7, 12, 17, 22]);
  expect(places(1, 20, 55, 75)).toEqual([0, 6, 12, 18, 24]);
  expect(places(61, 50, 25, 15)).toEqual([4, 8, 12, 16, 20]);
  expect(places(1, 20, 55, 70)).toEqual([]);
});

it("counts who has a card, and not who came too late for one", () => {
  const sight = { seat: 0, options: {} };
  const joined = reduce(VIEW, { type: "joined", seat: 3 }, sight) ?? VIEW;
  const called = reduce(joined, { type: "called", number: 9, at_ms: 0 }, sight) ?? VIEW;
  const left = reduce(called, { type: "parted", seat: 3 }, sight) ?? VIEW;
  expect(left.players).toBe(3);
  expect(reduce(left, { type: "parted", seat: 2 }, sight)?.players).toBe(2);
});
