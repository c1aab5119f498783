/** The tables at which one sits, so that one finds back to them from the hall; the private ones too. */

import type { Connection } from "../wire/connection.ts";
import { Listeners } from "../wire/listeners.ts";

export class SeatsStore {
  tables: readonly number[] = [];
  readonly changed = new Listeners<[]>();

  constructor(connection: Connection) {
    const isMe = (player: number): boolean => player === connection.player?.id;
    connection.welcomed.add(({ tables }) => this.become(tables.map(({ table }) => table)));
    connection.changed.add(() => {
      if (!connection.player && this.tables.length > 0) this.become([]);
    });
    connection.on("seated", ({ table }) => this.sits(table, true));
    connection.on("table_view", ({ table, status, players }) => {
      this.sits(table, status !== "closed" && players.some(({ id, left }) => isMe(id) && !left));
    });
    connection.on("player_left", ({ table, player }) => {
      if (isMe(player)) this.sits(table, false);
    });
    connection.on("table_events", ({ table, events }) => {
      if (events.some(({ type }) => type === "closed")) this.sits(table, false);
    });
  }

  private sits(table: number, sits: boolean): void {
    if (this.tables.includes(table) === sits) return;
    this.become(sits ? [...this.tables, table] : this.tables.filter((each) => each !== table));
  }

  private become(tables: readonly number[]): void {
    this.tables = tables;
    this.changed.call();
  }
}
