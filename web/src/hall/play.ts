/** The ways into a game. Each ends at a table, or says why not. */

import { go, link } from "../routes.ts";
import { attempt } from "../shell/toasts.ts";
import { Listeners } from "../wire/listeners.ts";
import type { GameInfo } from "../wire/messages.ts";
import { connection, keeper } from "../wire/session.ts";

/** The name that a guest wants, for when it first needs one. */
export function wantName(name: string): void {
  if (!connection.player) keeper.name = name.trim() || null;
}

/** Opens a table and sits down there. */
export async function openTable(game: string, how: { private?: boolean; bots?: string[] } = {}): Promise<void> {
  const { table } = await connection.request("open_table", { game, ...how });
  await sit(table);
}

export async function sit(table: number): Promise<void> {
  await connection.request("sit", { table });
  // The hall has taken whoever sits off its wait lists.
  seeking.end();
  go("table", table);
}

export const needsOpponent = (game: GameInfo): boolean => game.least === 2 && game.most === 2;

/** A game of which the hall keeps a table of its own: one just comes in. */
export async function comeIn(game: string): Promise<void> {
  const stop = connection.on("table_view", (view) => {
    if (view.game !== game) return;
    stop();
    go("table", view.table);
  });
  try {
    await connection.request("seek", { game });
  } catch (error) {
    stop();
    throw error;
  }
}

/** The wait list for an opponent: it is kept up while the connection comes and goes. */
class Seeking {
  game: string | null = null;
  readonly changed = new Listeners<[]>();

  constructor() {
    connection.on("seated", () => this.end());
    connection.on("not_begun", () => this.again());
    // The hall forgets who waits when their connection goes.
    connection.welcomed.add(() => this.again());
    connection.changed.add(() => {
      if (!connection.player) this.end();
    });
  }

  async start(game: string): Promise<void> {
    // Before one waits: being welcomed means to wait again for what one has waited for.
    await connection.greet();
    this.become(game);
    try {
      await connection.request("seek", { game });
    } catch (error) {
      this.become(null);
      throw error;
    }
  }

  end(): void {
    if (this.game !== null) this.become(null);
  }

  async cancel(): Promise<void> {
    this.become(null);
    await connection.request("cancel_seek", {});
  }

  private again(): void {
    if (this.game !== null) void attempt(this.start(this.game));
  }

  private become(game: string | null): void {
    this.game = game;
    this.changed.call();
  }
}

export const seeking = new Seeking();

/** What a friend opens to sit down at a private table. */
export function invitation(table: number, key: string): string {
  return new URL(`${link("table", table)}?key=${encodeURIComponent(key)}`, location.href).href;
}
