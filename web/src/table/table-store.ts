/** One table as this page sees it, kept up to date by what the hall tells. */

import { drawn } from "../games/registry.ts";
import { type Connection, Refusal } from "../wire/connection.ts";
import { Listeners } from "../wire/listeners.ts";
import type { HouseEvent, Notices, Outcome, TableView } from "../wire/messages.ts";
import { keepReceipt } from "../wire/receipts.ts";
import { Paced } from "./paced.ts";

export interface Line {
  /** Counts up, so that lists have keys. */
  number: number;
  player: number;
  name: string;
  text: string;
}

export interface TableState {
  view: TableView | null;
  /** The events that led from the view before to this one. */
  recent: readonly { type: string }[];
  watching: number;
  lines: readonly Line[];
  /** Players whose connection is away, and until when their seats are kept; 0 if that is not known. */
  away: ReadonlyMap<number, number>;
  /** Why the table cannot be seen. */
  refusal: Refusal | null;
  closed: boolean;
}

const LINES_MAX = 100;
const PLAYERS_MAX = 50;
const CROWD = 50;
const CROWD_PAUSE_MS = 400;
/** Drawing a table takes some ms: at a busy one, what comes meanwhile is drawn together. */
const DRAWN_PAUSE_MS = 100;

type TableEvent = { type: string } & Record<string, unknown>;

/** What the hall itself writes into a journal; everything else is the game's. */
const HOUSE: ReadonlySet<string> = new Set<HouseEvent["type"]>([
  "opened",
  "seated",
  "seats_drawn",
  "started",
  "left",
  "rematch_wanted",
  "reservations_lapsed",
  "options_set",
  "round_ended",
  "round_voided",
  "closed",
]);

/** How far the hall's clock is ahead of this machine's. */
let clockAheadMs = 0;
export const hallNow = (): number => Date.now() + clockAheadMs;

export class TableStore {
  state: TableState = {
    view: null,
    recent: [],
    watching: 0,
    lines: [],
    away: new Map(),
    refusal: null,
    closed: false,
  };
  readonly changed = new Listeners<[]>();
  private readonly ends: (() => void)[];
  private looking = false;
  private watches = false;
  private lookAgain = false;
  private shown = false;
  private left = false;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private readonly drawing = new Paced(() => this.draw(), DRAWN_PAUSE_MS);
  /** Events that are in the view, but of which nobody has been told. */
  private undrawn: TableEvent[] = [];

  constructor(
    private readonly connection: Connection,
    readonly table: number,
    private readonly key: string | null,
  ) {
    const mine =
      <P extends { table: number }>(heard: (payload: P) => void) =>
      (payload: P): void => {
        if (payload.table === table) heard(payload);
      };
    this.ends = [
      connection.on(
        "table_view",
        mine((view) => this.seen(view)),
      ),
      connection.on(
        "table_events",
        mine((told) => this.told(told)),
      ),
      connection.on(
        "table_over",
        mine((over) => this.over(over)),
      ),
      connection.on(
        "player_dropped",
        mine(({ player, seconds }) => this.isAway(player, hallNow() + seconds * 1000)),
      ),
      connection.on(
        "player_back",
        mine(({ player }) => this.isAway(player, null)),
      ),
      connection.on(
        "said",
        mine((said) => this.said(said)),
      ),
      connection.on(
        "watching",
        mine(({ count }) => this.become({ watching: count })),
      ),
      connection.on(
        "glance",
        mine(({ view }) => this.glance(view)),
      ),
      connection.welcomed.add(() => {
        if (this.shown) void this.look();
      }),
    ];
    void this.look();
  }

  /** Nobody looks any more. Whoever sits there still does. */
  close(): void {
    for (const end of this.ends) end();
    this.drawing.end();
    clearTimeout(this.soon);
    this.left = true;
    if (!this.looking) this.unwatch();
  }

  private unwatch(): void {
    if (this.watches) this.connection.request("unwatch", { table: this.table }).catch(expected);
  }

  act(command: unknown): Promise<unknown> {
    return this.connection.request("act", { table: this.table, command } as never);
  }

  /** Asks how the table stands, and to be told of all that follows. */
  private async look(): Promise<void> {
    if (this.left) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = true;
    try {
      await this.follow();
      this.shown = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.become({ refusal: error });
    } finally {
      this.looking = false;
      // It was asked for while someone still looked.
      if (this.left) this.unwatch();
      else if (this.lookAgain) {
        this.lookAgain = false;
        void this.look();
      }
    }
  }

  private async follow(): Promise<void> {
    try {
      await this.connection.request("resume", { table: this.table });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not_seated") throw error;
      const { table, key } = this;
      await this.connection.request("watch", { table, ...(key ? { key } : {}) });
      this.watches = true;
    }
  }

  private seen(view: TableView): void {
    if (view.clock) clockAheadMs = view.clock.now_ms - Date.now();
    const away = new Map(this.state.away);
    for (const { id, here } of view.players) {
      if (here !== false) away.delete(id);
      else if (!away.has(id)) away.set(id, 0);
    }
    this.undrawn = [];
    this.become({ view, recent: [], watching: view.watching, away, refusal: null }, false);
  }

  /** Parts of the view that changed by what only others were told. */
  private glance(parts: object): void {
    const { view } = this.state;
    if (view?.view) this.become({ view: { ...view, view: { ...view.view, ...parts } }, recent: this.undrawn });
  }

  private told({ seq, after, events }: Notices["table_events"]): void {
    const { view } = this.state;
    if (!view || seq <= view.seq) return;
    if (after > view.seq) {
      void this.look();
      return;
    }
    let next: TableView = { ...view, seq };
    let whole = true;
    const recent: TableEvent[] = [];
    const game = drawn(view.game);
    for (const event of events as TableEvent[]) {
      if (HOUSE.has(event.type)) {
        const after = houseEvent(next, event as unknown as HouseEvent);
        if (after) next = after;
        else whole = false;
      } else if (game && next.view) {
        const after = game.reduce(next.view, event as never, { seat: next.seat, options: next.options as never });
        if (after === null) whole = false;
        else next = { ...next, view: after };
        recent.push(event);
      } else whole = false;
      if (event.type === "closed") this.become({ closed: true });
    }
    this.undrawn = [...this.undrawn, ...recent];
    this.become({ view: next, recent: this.undrawn }, next.status === view.status);
    // A round that begins, or a game that is drawn by its picture: the hall says how it looks.
    if (!whole) this.lookSoon(view.count);
  }

  /** Thousands who hear of the same moment do not all ask in the same moment. */
  private lookSoon(count: number): void {
    if (count <= CROWD) void this.look();
    else this.soon = setTimeout(() => void this.look(), Math.random() * CROWD_PAUSE_MS);
  }

  private over({ table, round, hash, outcome, seq }: Notices["table_over"]): void {
    keepReceipt(table, round, hash);
    const { view } = this.state;
    if (view && view.round === round) {
      this.become({
        view: { ...view, seq: Math.max(seq, view.seq), outcome: outcome ?? null, status: "over", clock: null },
      });
    }
  }

  private isAway(player: number, until: number | null): void {
    const away = new Map(this.state.away);
    if (until === null) away.delete(player);
    else away.set(player, until);
    this.become({ away });
  }

  private said({ player, name, text }: Notices["said"]): void {
    const number = (this.state.lines.at(-1)?.number ?? 0) + 1;
    this.become({ lines: [...this.state.lines, { number, player, name, text }].slice(-LINES_MAX) });
  }

  /** What begins or ends a round does not wait: what follows it at once may take its place. */
  private become(change: Partial<TableState>, mayWait = true): void {
    this.state = { ...this.state, ...change };
    if (mayWait) this.drawing.ask();
    else this.drawing.askNow();
  }

  private draw(): void {
    this.undrawn = [];
    this.changed.call();
  }
}

/** The table after an event of the hall itself; null if that does not say enough. */
function houseEvent(view: TableView, event: HouseEvent): TableView | null {
  switch (event.type) {
    case "seated": {
      const { player: id, name, bot } = event.person;
      const count = view.count + 1;
      if (view.players.length >= PLAYERS_MAX) return { ...view, count };
      return {
        ...view,
        count,
        players: [...view.players, { seat: event.seat, id, name, bot: bot ?? null, here: true }],
      };
    }
    case "left":
      return {
        ...view,
        count: view.count - 1,
        players:
          view.status === "waiting"
            ? view.players.filter((each) => each.seat !== event.seat)
            : view.players.map((each) => (each.seat === event.seat ? { ...each, left: true } : each)),
      };
    case "rematch_wanted":
      return { ...view, rematch: [...view.rematch, event.seat] };
    case "round_ended":
      return { ...view, outcome: event.outcome as Outcome, status: "over", clock: null };
    case "round_voided":
      return { ...view, outcome: null, status: "over", clock: null };
    case "closed":
      return { ...view, status: "closed", clock: null };
    case "reservations_lapsed":
      return view;
    default:
      return null;
  }
}

/** For requests whose refusal needs no answer: nobody looks at that table any more. */
function expected(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
