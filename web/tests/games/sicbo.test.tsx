import { cleanup, fireEvent, render, screen, act as settle } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BoardProps } from "../../src/games/game.ts";
import { sicBo } from "../../src/games/sicbo/index.ts";
import { chooseLanguage } from "../../src/text/text.ts";
import { connection } from "../../src/wire/session.ts";

type Props = BoardProps<"sicbo">;
type View = Props["view"];
const { Board, reduce } = sicBo;

const TALLY = { big: 0, small: 0, players: 0, players_big: 0, players_small: 0 };
/** The sides that there are, as the hall's documents name them. */
const NUMBERS = [1, 2, 3, 4, 5, 6];
const ODDS: View["odds"] = {
  ...every(["BIG", "SMALL", "ODD", "EVEN"], 1),
  ...every(
    NUMBERS.map((n) => `LEO${n}`),
    180,
  ),
  ANY_LEO: [30],
  ...Object.fromEntries([60, 30, 17, 12, 8, 6, 6, 6, 6, 8, 12, 17, 30, 60].map((odds, n) => [`SUM${n + 4}`, [odds]])),
  ...every(
    NUMBERS.map((n) => `DICE${n}SG`),
    1,
    2,
    3,
  ),
  ...every(
    NUMBERS.map((n) => `DICE${n}DB`),
    10,
  ),
  ...every(
    NUMBERS.flatMap((low) => NUMBERS.slice(low).map((high) => `DICE${low}${high}`)),
    5,
  ),
};

function every(sides: readonly string[], ...odds: number[]): View["odds"] {
  return Object.fromEntries(sides.map((side) => [side, odds]));
}

const VIEW: View = {
  round: 7,
  status: "BETTING_OPEN",
  open_ms: 0,
  close_ms: 30_000,
  tally: { big: 50_000, small: 20_000, players: 3, players_big: 2, players_small: 1 },
  sides: {},
  dice: [],
  sum: 0,
  result: null,
  bet_max: 1_000_000,
  chips: [10_000, 20_000],
  odds: ODDS,
  stake: { big: 0, small: 0 },
  bets: [],
  history: [{ round: 6, open_ms: 0, close_ms: 0, tally: TALLY, dice: [1, 1, 2], sum: 4, result: "SMALL" }],
};
const ROLLED: Props["recent"][number] = { type: "rolled", dice: [2, 4, 6], sum: 12, result: "BIG" };
const FINISHED: View = { ...VIEW, status: "FINISH", dice: [2, 4, 6], sum: 12, result: "BIG" };

beforeEach(() => chooseLanguage("en"));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  connection.player = null;
});

function props(change: Partial<Props> = {}): Props {
  return {
    view: VIEW,
    recent: [],
    seat: null,
    players: [],
    options: {},
    table: 4,
    outcome: null,
    act: vi.fn(),
    now: () => 0,
    ...change,
  };
}

describe("betting", () => {
  it("puts the chosen chip on a side of this round, without a seat", () => {
    const given = props();
    render(<Board {...given} />);
    fireEvent.click(screen.getByRole("radio", { name: "20,000 chips" }));
    fireEvent.click(screen.getByRole("button", { name: "Bet 20,000 on Small" }));
    expect(given.act).toHaveBeenCalledExactlyOnceWith({ type: "bet", side: "SMALL", amount: 20_000, round: 7 });
  });

  it("is possible on each of the 52 sides, with its odds", () => {
    const given = props();
    const { container } = render(<Board {...given} />);
    for (const button of container.querySelectorAll(".sicbo-bet, .sicbo-place")) fireEvent.click(button);
    const bets = vi
      .mocked(given.act as NonNullable<typeof given.act>)
      .mock.calls.map(([command]) => command as { side: string });
    expect(bets.map(({ side }) => side).toSorted()).toEqual(Object.keys(ODDS).toSorted());
    const shown = [...container.querySelectorAll(".sicbo-odds")].map((odds) => odds.textContent);
    expect(shown).toEqual(bets.map(({ side }) => `${ODDS[side]?.join("/")}:1`));
  });

  it.each([
    ["the sum 4, 60 to 1", "SUM4"],
    ["three times 2, 180 to 1", "LEO2"],
    ["any three alike, 30 to 1", "ANY_LEO"],
    ["twice 5, 10 to 1", "DICE5DB"],
    ["the number 6, 1/2/3 to 1", "DICE6SG"],
    ["2 and 5, 5 to 1", "DICE25"],
  ])("is said as on %s", (name, side) => {
    const given = props();
    render(<Board {...given} />);
    fireEvent.click(screen.getByRole("button", { name: `Bet 10,000 on ${name}` }));
    expect(given.act).toHaveBeenCalledExactlyOnceWith({ type: "bet", side, amount: 10_000, round: 7 });
  });

  it("tells what everyone has on a side, and oneself", () => {
    const sides = { SUM4: { total: 90_000, players: 2 }, ODD: { total: 5_000, players: 1 } };
    const stake = { big: 0, small: 0, sides: { SUM4: 30_000 } };
    const bets = [{ bet: 1, side: "SUM4", amount: 30_000, paid: null } as const];
    const tally = { ...VIEW.tally, others: 95_000 };
    const { container } = render(<Board {...props({ view: { ...VIEW, sides, stake, bets, tally } })} />);
    const sum = screen.getByRole("button", { name: /90,000 chips, 2 players, Your stake: 30,000$/ });
    expect(sum.querySelector("[aria-hidden]")?.textContent).toBe("460:190K30K");
    const odd = [...container.querySelectorAll(".sicbo-side")].find((side) => side.textContent?.startsWith("Odd"));
    expect(odd?.textContent).toContain("5,000 chips1 player");
    expect(container.querySelector(".sicbo-all")?.textContent).toBe("3 players · 165,000 chips");
    expect(screen.getByText("Your bets of this round: 30,000 chips")).toBeTruthy();
  });

  it("repeats the last bets when that is asked for", () => {
    const request = vi.spyOn(connection, "request").mockImplementation(() => new Promise(() => {}));
    const { rerender } = render(<Board {...props()} />);
    const again = () => screen.getByRole<HTMLButtonElement>("button", { name: "Repeat my last bets" });
    fireEvent.click(again());
    expect(request).toHaveBeenCalledExactlyOnceWith("rebet", { table: 4, round: 7 });
    rerender(<Board {...props({ view: { ...VIEW, status: "BETTING_CLOSE" } })} />);
    expect(again().disabled).toBe(true);
  });

  it("is over when betting has closed", () => {
    render(<Board {...props({ view: { ...VIEW, status: "BETTING_CLOSE" } })} />);
    for (const bet of screen.getAllByRole<HTMLButtonElement>("button", { name: /^Bet/ }))
      expect(bet.disabled).toBe(true);
    expect(screen.queryByRole("timer")).toBeNull();
  });

  it("is nothing for who only looks on", () => {
    render(<Board {...props({ act: null })} />);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: /on Big/ }).disabled).toBe(true);
    expect(screen.queryAllByRole("radio")).toEqual([]);
  });

  it("counts down by the hall's clock", () => {
    vi.useFakeTimers();
    let now = 18_500;
    render(<Board {...props({ now: () => now })} />);
    expect(screen.getByRole("timer").textContent).toBe("12 s");
    now = 27_000;
    settle(() => void vi.advanceTimersByTime(1000));
    expect(screen.getByRole("timer").textContent).toBe("3 s");
  });

  it("says that it is play money", () => {
    render(<Board {...props()} />);
    expect(screen.getByText("Play money")).toBeTruthy();
  });
});

describe("the dice", () => {
  const motion = (container: HTMLElement) => container.querySelector(".sicbo-die")?.className;

  it("roll to the true result when one sees them thrown, and go on when more is told", () => {
    const { container, rerender } = render(<Board {...props({ view: FINISHED, recent: [ROLLED] })} />);
    const shown = () => [...container.querySelectorAll(".sicbo-cube")].map((cube) => cube.className.at(-1));
    expect(motion(container)).toContain("landing");
    expect(shown()).toEqual(["2", "4", "6"]);
    rerender(<Board {...props({ view: { ...FINISHED }, recent: [] })} />);
    expect(motion(container)).toContain("landing");
  });

  it("lie still in a view that came whole", () => {
    const { container } = render(<Board {...props({ view: FINISHED })} />);
    expect(motion(container)).toContain("still");
    expect(screen.getByRole("img", { name: "Dice: 2, 4, 6" })).toBeTruthy();
  });

  it("mark every side that they win", () => {
    const { container } = render(<Board {...props({ view: FINISHED })} />);
    const won = [...container.querySelectorAll(".won")].map((each) => each.firstChild?.textContent);
    expect(won).toEqual([
      "Big 11–17",
      "Even no triple",
      "Bet 10,000 on the sum 12, 6 to 1, it wins",
      ...[2, 4, 6].map((n) => `Bet 10,000 on the number ${n}, 1/2/3 to 1, it wins`),
      ...["2 and 4", "2 and 6", "4 and 6"].map((pair) => `Bet 10,000 on ${pair}, 5 to 1, it wins`),
    ]);
    // Not by colours alone.
    expect(screen.getAllByText("✓").length).toBe(9);
  });

  it("tell what one's bets have brought", () => {
    const bets = [
      { bet: 1, side: "BIG", amount: 30_000, paid: 60_000 },
      { bet: 2, side: "SMALL", amount: 10_000, paid: 0 },
    ] as const;
    const { container } = render(<Board {...props({ view: { ...FINISHED, bets: [...bets] } })} />);
    expect(container.querySelector("[aria-live]")?.textContent).toBe("12: Big. You won 20,000 chips.");
  });
});

it("draws a bead for each past round, in the place that its number gives it", () => {
  const { container } = render(<Board {...props()} />);
  const bead = container.querySelector<HTMLElement>(".bead");
  expect(bead?.textContent).toContain("Round 6: 4, Small");
  expect(bead?.style.gridRowStart).toBe("6");
});

describe("the wallet", () => {
  const ITEMS = [
    { id: 9, table: 4, seq: 12, n: 0, chips: 20_000, other: "pot:4:6", at_ms: 0 },
    { id: 8, table: 4, seq: 11, n: 0, chips: -10_000, other: "pot:4:6", at_ms: 0 },
    { id: 1, table: 0, seq: 5, n: 0, chips: 100_000, other: "mint", at_ms: 0 },
  ];
  let answers: Record<string, unknown>;

  beforeEach(() => {
    answers = {
      balance: { balance: 9_000 },
      refill: { balance: 100_000 },
      statement: { items: ITEMS, next: null },
    };
    connection.player = { id: 5, name: "An", guest: true, balance: 9_500 };
    vi.spyOn(connection, "request").mockImplementation((action) => Promise.resolve(answers[action] as never));
  });

  it("asks for the balance again after a bet", async () => {
    const { rerender } = render(<Board {...props()} />);
    await screen.findByText("9,000 chips");
    answers.balance = { balance: 8_000 };
    const placed = { bet: 1, side: "BIG", amount: 1_000, paid: null } as const;
    rerender(<Board {...props({ view: { ...VIEW, bets: [placed] } })} />);
    await screen.findByText("8,000 chips");
  });

  it("stays between two rounds, when nobody can act", async () => {
    const { rerender } = render(<Board {...props()} />);
    rerender(<Board {...props({ act: null, view: FINISHED })} />);
    await screen.findByText("9,000 chips");
  });

  it("refills who is nearly broke", async () => {
    render(<Board {...props()} />);
    fireEvent.click(screen.getByRole("button", { name: "Get new play chips" }));
    await screen.findByText("100,000 chips");
    expect(screen.queryByRole("button", { name: "Get new play chips" })).toBeNull();
  });

  it("lists what the chips went for", async () => {
    render(<Board {...props()} />);
    fireEvent.click(screen.getByRole("button", { name: "Statement" }));
    await screen.findByText("Play chips from the hall");
    const cells = screen.getAllByRole("row").map((row) => row.lastChild?.textContent);
    expect(cells).toEqual(["Chips", "+20,000", "-10,000", "+100,000"]);
    expect(screen.getByText("Bet, table 4, round 6")).toBeTruthy();
  });

  it("is not there for nobody, and asks nothing", () => {
    connection.player = null;
    render(<Board {...props()} />);
    expect(connection.request).not.toHaveBeenCalled();
  });
});

it("takes the first bet for one's own before the seat is known, and no bet of another's", () => {
  const stake = { big: 500, small: 0 };
  const tally = { big: 50_500, small: 20_000, players: 4, players_big: 3, players_small: 1 };
  const placed = { type: "bet_placed", seat: 3, bet: 40, side: "BIG", amount: 500, stake, tally } as const;
  const own = [{ bet: 40, side: "BIG", amount: 500, paid: null }];
  expect(reduce(VIEW, placed, { seat: null, options: {} })).toEqual({ ...VIEW, stake, tally, bets: own });
  expect(reduce(VIEW, placed, { seat: 2, options: {} })).toEqual({ ...VIEW, tally });
});
