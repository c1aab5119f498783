/** The rules of the house around those of a game: what each command causes at a table. */

import type { Chance } from "./chance.ts";
import { type Chair, openedEvent, type Person, personIn, personsIn, writtenOutcome } from "./house.ts";
import { type AnyRules, type Context, Refused, type Timer, type Typed } from "./rules/rules.ts";
import { ascending, freeSeat, hasPeople, openedState, record, type TableState } from "./seats.ts";
import type { Fields } from "./shapes.ts";
import type { DrawCounts } from "./verdict.ts";

export type Event = Typed & Fields;

/** The secrets and commitments in a journal. */
export interface Draws {
  /** In hex. Throws Untold. */
  secret(round: number): string;
  chance(round: number): Chance;
  commitment(round: number): string;
}

const VOID_PAUSE_MS = 1000;

export class Table {
  #state: TableState | null = null;
  #events: Event[] = [];
  #atMs = 0;
  #chain = "";

  constructor(
    readonly rules: AnyRules,
    readonly draws: Draws,
    readonly drawn: DrawCounts,
  ) {}

  get state(): TableState | null {
    return this.#state;
  }

  /** The state of a table that is open. */
  get #now(): TableState {
    if (this.#state === null) throw new Refused("not_started");
    return this.#state;
  }

  /** What the command causes, in small steps. Throws Refused; the table is of no more use then. */
  *decide(
    seat: number | null,
    command: Event,
    atMs: number,
    chain: string,
    walksIn: Person | null,
  ): Generator<void, Event[]> {
    this.#events = [];
    this.#atMs = atMs;
    this.#chain = chain;
    if (this.#state === null) {
      if (command.type !== "open") throw new Refused("not_started");
      this.#open(command);
      return this.#events;
    }
    if (this.#state.closed) throw new Refused("table_closed");
    if (!this.#house(seat, command)) yield* this.#play(seat, command, walksIn);
    this.#endIfOver();
    return this.#events;
  }

  /** Takes an event as it is. */
  take(event: Event): void {
    if (event.type === "opened") this.#state = openedState(event as never, this.rules);
    else record(this.#now, event, this.rules);
  }

  /** What a round begins with. */
  begun(atMs: number): Event[] {
    this.#atMs = atMs;
    return this.rules.begin?.(this.#now.game, this.#context()) ?? [];
  }

  /** The one thing that happens by itself next. */
  timer(): Timer | null {
    const state = this.#now;
    if (state.closed) return null;
    if (state.game === null) {
      const dueMs = state.opened.reserved_until_ms ?? 0;
      return state.reserved.length > 0 ? { dueMs, command: "expire" } : null;
    }
    if (!state.over) return this.rules.timer(state.game);
    // Where no round follows by itself, the hall closes the table: it needs no clock for that.
    return state.againMs === null ? null : { dueMs: state.endedAtMs + state.againMs, command: "next_round" };
  }

  get #opensByItself(): boolean {
    return this.rules.least === 0;
  }

  #emit(event: Event): void {
    this.take(event);
    this.#events.push(event);
  }

  #context(): Context {
    return { atMs: this.#atMs, chance: this.draws.chance(this.#now.opened.round), drawn: this.drawn };
  }

  #secret(): string {
    return this.draws.secret(this.#now.opened.round);
  }

  *#play(seat: number | null, command: Event, walksIn: Person | null): Generator<void, void> {
    const state = this.#now;
    if (state.game === null) throw new Refused("not_started");
    if (state.over) throw new Refused("round_over");
    const taken = walksIn === null ? seat : freeSeat(state, this.rules, walksIn.player, null);
    const context = this.#context();
    if (this.rules.prepare) yield* this.rules.prepare(state.game, command, context);
    const events = this.rules.decide(state.game, taken, command, context);
    if (walksIn !== null) this.#emit({ type: "seated", seat: taken, person: walksIn });
    for (const event of events) this.#emit(event);
  }

  /** Whether the command was one of the house. */
  #house(seat: number | null, command: Event): boolean {
    switch (command.type) {
      case "sit":
        this.#sit(personIn(command.person), (command.seat ?? null) as number | null);
        return true;
      case "leave":
        this.#leave(seat, (command.reason ?? "left") as string);
        return true;
      case "rematch":
        this.#rematch(seat);
        return true;
      case "next_round":
        this.#nextRound();
        return true;
      case "expire":
        this.#expire();
        return true;
      case "set_options":
        this.#setOptions(command.options as Fields);
        return true;
      case "void":
        this.#void(command.reason as string);
        return true;
      case "close":
        this.#shut(command.reason as string);
        return true;
      default:
        return false;
    }
  }

  #open(command: Event): void {
    const { game, options, nonce, drawn, rated, reserved, reserved_until_ms, by_invitation } = command;
    this.#emit(
      openedEvent({
        game: game as string,
        options: options as Fields,
        round: 1,
        commitment: this.draws.commitment(1),
        nonce: nonce as string,
        previous: this.#chain,
        drawn: drawn !== false,
        private: command.private === true,
        rated: rated === true,
        reserved: personsIn(reserved),
        reservedUntilMs: (reserved_until_ms ?? 0) as number,
        chairs: [],
        carry: null,
        byInvitation: by_invitation === true,
      }) as unknown as Event,
    );
    this.#startIfReady();
  }

  #sit(person: Person, wish: number | null): void {
    const state = this.#now;
    if (state.seatOf.has(person.player)) return;
    if (state.over && state.againMs === null) throw new Refused("round_over");
    const seat = freeSeat(state, this.rules, person.player, wish);
    let joined: Event[] = [];
    if (state.game !== null && !state.over) {
      if (this.rules.join === undefined) throw new Refused("table_full");
      joined = this.rules.join(state.game, seat, this.#context());
    }
    this.#emit({ type: "seated", seat, person });
    for (const event of joined) this.#emit(event);
    this.#startIfReady();
  }

  #startIfReady(): void {
    const state = this.#now;
    if (state.game !== null || state.chairs.size < this.rules.least) return;
    if (state.opened.drawn !== false && state.chairs.size > 1) {
      this.drawn.seats += 1;
      const order = this.#context().chance.shuffled("seats", ascending(state.chairs.keys()));
      this.#emit({ type: "seats_drawn", order });
    }
    this.#emit({ type: "started", at_ms: this.#atMs });
    if (this.rules.begin) for (const event of this.begun(this.#atMs)) this.#emit(event);
  }

  #leave(seat: number | null, reason: string): void {
    const state = this.#now;
    if (seat === null) throw new Refused("not_seated");
    const running = state.game !== null && !state.over;
    const events: Event[] = running ? this.rules.leave(state.game, seat) : [];
    this.#emit({ type: "left", seat, reason });
    for (const event of events) this.#emit(event);
    if (hasPeople(state) || this.#opensByItself) return;
    if (state.over) this.#shut("finished");
    else if (!running && state.reserved.length === 0) this.#shut("empty");
  }

  #rematch(seat: number | null): void {
    const state = this.#now;
    if (seat === null) throw new Refused("not_seated");
    if (!state.over) throw new Refused(state.game === null ? "not_started" : "round_running");
    if (state.againMs !== null) throw new Refused("round_over");
    if (state.gone.size > 0) throw new Refused("not_free");
    if (state.rematch.has(seat)) return;
    this.#emit({ type: "rematch_wanted", seat });
    if (state.rematch.size < state.chairs.size) return;
    // The seats move on by one, so that another begins.
    const seats = ascending(state.chairs.keys());
    this.#openNext(seats.map((old, n) => [old, seats[(n + 1) % seats.length] as number]));
  }

  #nextRound(): void {
    const state = this.#now;
    if (!state.over) throw new Refused("round_running");
    const seats = this.rules.walkIn ? [] : ascending(state.seatOf.values());
    this.#openNext(seats.map((seat) => [seat, seat]));
  }

  #openNext(seats: readonly (readonly [from: number, to: number])[]): void {
    const { opened, chairs, game } = this.#now;
    const moved = seats.map(([from, to]): Chair => ({ seat: to, person: chairs.get(from) as Person }));
    this.#emit(
      openedEvent({
        game: opened.game,
        options: this.#nextOptions(),
        round: opened.round + 1,
        commitment: this.draws.commitment(opened.round + 1),
        nonce: opened.nonce,
        previous: this.#chain,
        drawn: false,
        private: opened.private === true,
        rated: opened.rated === true,
        reserved: [],
        reservedUntilMs: 0,
        chairs: moved.sort((one, other) => one.seat - other.seat),
        carry: this.rules.carry?.(game) ?? null,
        byInvitation: opened.by_invitation === true,
      }) as unknown as Event,
    );
    this.#startIfReady();
  }

  /** Empty options that were set are the same as none. */
  #nextOptions(): Fields {
    const { nextOptions, opened } = this.#now;
    return nextOptions !== null && Object.keys(nextOptions).length > 0 ? nextOptions : (opened.options as Fields);
  }

  #expire(): void {
    const state = this.#now;
    if (state.game !== null || state.reserved.length === 0) return;
    const nobodyElse = state.reserved.length >= this.rules.least;
    this.#emit({ type: "reservations_lapsed" });
    if (nobodyElse || !hasPeople(state)) this.#shut("no_show");
  }

  #setOptions(options: Fields): void {
    this.rules.readOptions(options);
    if (!same(options, this.#nextOptions())) this.#emit({ type: "options_set", options });
  }

  #void(reason: string): void {
    const state = this.#now;
    if (state.over) throw new Refused("round_over");
    if (state.game === null) throw new Refused("not_started");
    const again = this.#opensByItself && { again_ms: VOID_PAUSE_MS };
    this.#emit({ type: "round_voided", reason, secret: this.#secret(), at_ms: this.#atMs, ...again });
  }

  /** Every end reveals, also that of a round which never began. */
  #shut(reason: string): void {
    if (!this.#now.over) {
      this.#emit({ type: "round_voided", reason, secret: this.#secret(), at_ms: this.#atMs });
    }
    this.#emit({ type: "closed", reason });
  }

  #endIfOver(): void {
    const state = this.#now;
    if (state.game === null || state.over) return;
    const outcome = this.rules.outcome(state.game);
    if (outcome === null) return;
    const ended = { outcome: writtenOutcome(outcome), secret: this.#secret(), at_ms: this.#atMs };
    this.#emit({ type: "round_ended", ...ended });
    if (state.seatOf.size === 0 && !this.#opensByItself) this.#emit({ type: "closed", reason: "finished" });
    else if (outcome.again_ms === 0) this.#nextRound();
  }
}

function same(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
