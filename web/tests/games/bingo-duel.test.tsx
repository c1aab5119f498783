import { cleanup, fireEvent, render, screen, act as settle, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bingoDuel } from "../../src/games/bingo-duel/index.ts";
import { fullLines } from "../../src/games/bingo-duel/lines.ts";
import type { BoardProps } from "../../src/games/game.ts";
import { chooseLanguage } from "../../src/text/text.ts";

type Props = BoardProps<"bingo-duel">;
const { Board } = bingoDuel;

beforeEach(() => chooseLanguage("en"));
afterEach(cleanup);

const OWN = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
];
const HIDDEN = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

const VIEW: Props["view"] = {
  size: 3,
  turn: 1,
  picked: [],
  sides: [
    { board: HIDDEN, lines: null },
    { board: OWN, lines: 0 },
  ],
  seat: 1,
};

function show(change: Partial<Props> = {}) {
  const act = vi.fn();
  const props: Props = {
    view: VIEW,
    recent: [],
    seat: 1,
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

const number = (name: RegExp | string) => screen.getByRole("button", { name });

describe("picking", () => {
  it("takes the clicked number", () => {
    const { act } = show();
    fireEvent.click(number("6"));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "pick", number: 6 });
  });

  it("takes the number that the arrow keys have reached", () => {
    const { act } = show();
    number("1").focus();
    const path = [
      ["ArrowUp", "1"],
      ["ArrowLeft", "1"],
      ["ArrowDown", "4"],
      ["ArrowRight", "5"],
      ["ArrowUp", "2"],
      ["ArrowLeft", "1"],
      ["End", "3"],
      ["ArrowRight", "3"],
      ["ArrowDown", "6"],
      ["ArrowDown", "9"],
      ["ArrowDown", "9"],
      ["Home", "7"],
    ] as const;
    for (const [key, reached] of path) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      expect(document.activeElement).toBe(number(reached));
    }
    fireEvent.click(number("7"));
    expect(act).toHaveBeenCalledExactlyOnceWith({ type: "pick", number: 7 });
  });

  it("lets Tab reach one number only, the last that had the focus", () => {
    show();
    settle(() => number("5").focus());
    const reached = screen.getAllByRole("button").filter((each) => each.tabIndex === 0);
    expect(reached).toEqual([number("5")]);
  });

  it.each([
    ["of a number that was picked", { view: { ...VIEW, picked: [6, 1], turn: 1 } }],
    ["out of turn", { view: { ...VIEW, turn: 0 } }],
    ["after the end", { outcome: { winners: [0], reason: "bingo" } }],
    ["offline", { act: null }],
  ])("sends nothing %s", (_, change: Partial<Props>) => {
    const { act } = show(change);
    fireEvent.click(number(/^6/));
    expect(act).not.toHaveBeenCalled();
  });
});

describe("the boards", () => {
  it("show the opponent's face down", () => {
    show();
    expect(screen.getByRole("img", { name: /An.*face down/ })).toBeTruthy();
  });

  it("name who picked a number", () => {
    const { container } = show({ view: { ...VIEW, picked: [6, 1], turn: 1 } });
    expect(number("6, picked by Bo").className).toContain("by-1");
    expect(number("1, picked by An").className).toContain("by-0");
    expect(container.textContent).toContain("An picked 1.");
  });

  it("strike full lines and count them", () => {
    const { container } = show({
      view: { ...VIEW, picked: [1, 2, 3, 5, 9], sides: [VIEW.sides[0], { board: OWN, lines: 2 }], turn: 0 },
    });
    expect(container.querySelectorAll(".duel-strikes line")).toHaveLength(2);
    expect(screen.getByText("2 of 3 lines")).toBeTruthy();
  });

  it("give a spectator nothing to press", () => {
    show({ seat: null, act: null, view: { ...VIEW, seat: null } });
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(within(screen.getByRole("table", { name: "Board of Bo" })).getAllByRole("cell")).toHaveLength(9);
  });
});

it("finds every kind of line", () => {
  const ends = (...picked: number[]) => fullLines(OWN, new Set(picked)).map(({ from, to }) => [from, to]);
  expect(ends(4, 5, 6)).toEqual([
    [
      [1, 0],
      [1, 2],
    ],
  ]);
  expect(ends(2, 5, 8)).toEqual([
    [
      [0, 1],
      [2, 1],
    ],
  ]);
  expect(ends(1, 5, 9)).toEqual([
    [
      [0, 0],
      [2, 2],
    ],
  ]);
  expect(ends(3, 5, 7)).toEqual([
    [
      [0, 2],
      [2, 0],
    ],
  ]);
  expect(ends(1, 2, 4, 8)).toEqual([]);
  expect(ends(1, 2, 3, 4, 5, 6, 7, 8, 9)).toHaveLength(8);
  expect(fullLines(HIDDEN, new Set([1, 2, 3]))).toEqual([]);
});
