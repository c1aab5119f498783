/** The page's connection to the hall: it comes back by itself, and no request is lost on the way. */

import { Listeners } from "./listeners.ts";
import type { Action, Answer, Ask, ErrorCode, NoticeName, Notices } from "./messages.ts";

export type ConnectionState = "connecting" | "online" | "offline";
export type Player = Answer<"hello">["player"];
type Welcome = Answer<"hello">;

/** The hall has said no; `code` is stable, `message` is its English sentence. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

interface Pending {
  action: Action;
  text: string;
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

interface Received {
  action: string;
  requestId?: string;
  payload?: unknown;
}

/** Who the page is to the hall, kept for the next visit. */
export interface Keeper {
  token: string | null;
  name: string | null;
}

const PAUSE_MS_MAX = 5_000;
const PING_MS = 15_000;
const ANSWER_MS = 10_000;
/** What anyone may ask without a name. */
const OPEN: ReadonlySet<Action> = new Set<Action>([
  "list_games",
  "list_tables",
  "list_players",
  "history",
  "journal",
  "standings",
  "list_tournaments",
  "tournament",
  "ratings",
  "ping",
]);
const WELCOMES: ReadonlySet<Action> = new Set<Action>(["hello", "register", "login"]);

export class Connection {
  state: ConnectionState = "connecting";
  player: Player | null = null;
  /** Of that player, also where the browser keeps nothing. */
  token: string | null = null;
  readonly changed = new Listeners<[]>();
  /** Someone is known again, after the connection was away: tables are to be resumed. */
  readonly welcomed = new Listeners<[Welcome]>();

  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private readonly notices = new Map<string, Listeners<[never]>>();
  private greeting: Promise<Player> | null = null;
  private attempts = 0;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private reopening: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly keeper: Keeper,
    private readonly language: () => string,
  ) {}

  open(): void {
    addEventListener("online", () => this.reopen());
    this.connect();
  }

  on<N extends NoticeName>(notice: N, listener: (payload: Notices[N]) => void): () => void {
    const found = this.notices.get(notice) ?? new Listeners<[never]>();
    this.notices.set(notice, found);
    return found.add(listener as (payload: never) => void);
  }

  /** The hall's answer. It waits while the hall is away, and is asked again under the same id. */
  async request<A extends Action>(action: A, payload: Ask<A>): Promise<Answer<A>> {
    if (!OPEN.has(action) && !WELCOMES.has(action)) await this.greet();
    return this.ask(action, payload);
  }

  /** Who this is; a new guest, under the name that was chosen, if nobody yet. */
  greet(): Promise<Player> {
    if (this.player) return Promise.resolve(this.player);
    return this.greetAnew();
  }

  /** Each connection is greeted once: whoever wants it meanwhile waits for the same answer. */
  private greetAnew(): Promise<Player> {
    this.greeting ??= this.hello().finally(() => (this.greeting = null));
    return this.greeting;
  }

  async register(name: string, password: string): Promise<void> {
    this.welcome(await this.ask("register", { name, password }));
  }

  async login(name: string, password: string): Promise<void> {
    this.welcome(await this.ask("login", { name, password }));
  }

  /** Nobody in particular again. */
  async logout(): Promise<void> {
    await this.ask("logout", {});
    this.player = null;
    this.token = this.keeper.token = this.keeper.name = null;
    this.changed.call();
    // A new connection: on this one the tables of before might still be told.
    this.socket?.close();
  }

  private async hello(): Promise<Player> {
    const token = this.token ?? this.keeper.token;
    const { name } = this.keeper;
    const lang = this.language();
    try {
      return this.welcome(await this.ask("hello", { lang, ...(token ? { token } : name ? { name } : {}) }));
    } catch (error) {
      if (!(error instanceof Refusal) || !token || error.code !== "bad_token") throw error;
      // Logged out elsewhere, or the hall is a new one.
      this.token = this.keeper.token = null;
      return this.hello();
    }
  }

  private welcome(welcome: Welcome): Player {
    this.player = welcome.player;
    this.token = this.keeper.token = welcome.token;
    this.keeper.name = welcome.player.name;
    this.changed.call();
    this.welcomed.call(welcome);
    return welcome.player;
  }

  private ask<A extends Action>(action: A, payload: Ask<A>): Promise<Answer<A>> {
    const requestId = randomId();
    const text = JSON.stringify({ action, requestId, payload });
    return new Promise<Answer<A>>((resolve, reject) => {
      const pending: Pending = { action, text, resolve: resolve as (answer: never) => void, reject };
      this.pending.set(requestId, pending);
      // On a new connection nothing but a greeting goes out before it was answered.
      if (this.state === "online" || (action === "hello" && this.isOpen())) this.socket?.send(text);
    });
  }

  private isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => void this.opened(socket);
    socket.onmessage = (event) => this.received(JSON.parse(String(event.data)) as Received);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private async opened(socket: WebSocket): Promise<void> {
    this.pinging = setInterval(() => this.ping(socket), PING_MS);
    for (const [id, { action }] of this.pending) if (action === "hello") this.resend(id);
    // Before anything else, a registration too: it is this guest who registers.
    if (this.greeting || this.token || this.keeper.token) {
      try {
        await this.greetAnew();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        socket.close();
        return;
      }
    }
    if (this.socket !== socket) return;
    this.attempts = 0;
    this.become("online");
    for (const [id, { action }] of this.pending) if (action !== "hello") this.resend(id);
  }

  private resend(id: string): void {
    const pending = this.pending.get(id);
    if (pending) this.socket?.send(pending.text);
  }

  private lost(): void {
    clearInterval(this.pinging);
    this.socket = null;
    // Nobody waits for it any more.
    for (const [id, { action }] of this.pending) if (action === "ping") this.pending.delete(id);
    this.become("offline");
    const pause = Math.min(PAUSE_MS_MAX, 250 * 2 ** this.attempts++);
    this.reopening = setTimeout(() => this.connect(), pause * (0.5 + Math.random() / 2));
  }

  private reopen(): void {
    if (this.socket) return;
    clearTimeout(this.reopening);
    this.connect();
  }

  private ping(socket: WebSocket): void {
    const late = setTimeout(() => socket.close(), ANSWER_MS);
    void this.ask("ping", {}).then(() => clearTimeout(late));
  }

  private received({ action, requestId, payload }: Received): void {
    if (action === "error") {
      const { code, message, requestId: of } = payload as { code: ErrorCode; message: string; requestId?: string };
      const pending = of === undefined ? undefined : this.pending.get(of);
      if (!pending) {
        // Refused before it was read, so it is not known which: nothing may wait for ever.
        if (code === "rate_limited" || code === "too_large") this.socket?.close();
        return;
      }
      if (code === "unavailable") {
        setTimeout(() => this.resend(of as string), 1000);
        return;
      }
      this.pending.delete(of as string);
      pending.reject(new Refusal(code, message));
      return;
    }
    const pending = requestId === undefined ? undefined : this.pending.get(requestId);
    if (pending && requestId !== undefined) {
      this.pending.delete(requestId);
      pending.resolve(payload as never);
      return;
    }
    this.notices.get(action)?.call(payload as never);
  }

  private become(state: ConnectionState): void {
    if (state === this.state) return;
    this.state = state;
    this.changed.call();
  }
}

/** Works without a secure context, where `crypto.randomUUID` does not exist. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
