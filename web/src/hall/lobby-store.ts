/** Who and what is in the hall right now. */

import { type Connection, Refusal } from "../wire/connection.ts";
import { Listeners } from "../wire/listeners.ts";
import type { Answer, GameInfo, Notices } from "../wire/messages.ts";

export type OpenTable = Notices["lobby"]["tables"][number];
export type Person = Notices["lobby"]["players"][number];

export interface LobbyState {
  games: readonly GameInfo[];
  tables: readonly OpenTable[];
  players: readonly Person[];
}

const PAGE = 200;
const PEOPLE_MAX = 2_000;
const POLL_MS = 5_000;

export class LobbyStore {
  state: LobbyState = { games: [], tables: [], players: [] };
  readonly changed = new Listeners<[]>();
  private users = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly connection: Connection) {
    connection.on("lobby", (changes) => this.heard(changes));
    connection.welcomed.add(() => {
      if (this.users > 0) void this.look();
    });
  }

  /** For as long as someone looks; gives back what ends it. */
  follow = (listener: () => void): (() => void) => {
    const end = this.changed.add(listener);
    if (this.users++ === 0) {
      void this.look();
      // Whoever has no name yet is told nothing, and asks; and what was missed heals.
      this.timer = setInterval(() => void this.look(), POLL_MS);
    }
    return () => {
      end();
      if (--this.users === 0) {
        clearInterval(this.timer);
        if (this.connection.player) this.connection.request("unwatch_lobby", {}).catch(expected);
      }
    };
  };

  private async look(): Promise<void> {
    if (this.connection.state === "offline") return;
    try {
      if (this.connection.player) await this.connection.request("watch_lobby", {});
      const [games, waiting, playing, players] = await Promise.all([
        this.connection.request("list_games", {}),
        this.connection.request("list_tables", { status: "waiting", limit: PAGE }),
        this.connection.request("list_tables", { status: "playing", limit: PAGE }),
        this.everyone(),
      ]);
      const tables = [...waiting.tables, ...playing.tables].filter((each) => each.game !== "tournament");
      this.become({ games: games.games, tables: tables.map(listed), players });
    } catch (error) {
      expected(error);
    }
  }

  /** All of them, up to a bound. */
  private async everyone(): Promise<Person[]> {
    const found: Person[] = [];
    let after = 0;
    while (found.length < PEOPLE_MAX) {
      const page = await this.connection.request("list_players", { after, limit: PAGE });
      found.push(...page.players);
      if (page.next === null) break;
      after = page.next;
    }
    return found;
  }

  private heard({ tables, players }: Notices["lobby"]): void {
    const known = new Map(this.state.tables.map((each) => [each.id, each]));
    for (const each of tables) {
      if (each.status === "waiting" || each.status === "playing") known.set(each.id, each);
      else known.delete(each.id);
    }
    const people = new Map(this.state.players.map((each) => [each.id, each]));
    for (const each of players) {
      if (each.status === "gone") people.delete(each.id);
      else people.set(each.id, each);
    }
    this.become({ tables: [...known.values()], players: [...people.values()] });
  }

  private become(change: Partial<LobbyState>): void {
    this.state = { ...this.state, ...change };
    this.changed.call();
  }
}

function listed(table: Answer<"list_tables">["tables"][number]): OpenTable {
  const { id, game, status, names, count, rated, options = null, most = null } = table;
  return { id, game, status, names, count, rated, options, most } as OpenTable;
}

/** Refused: the next look will show more. */
function expected(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
