/** A WebSocket whose other end is the test. */

import { vi } from "vitest";

export interface Message {
  action: string;
  requestId: string;
  payload: Record<string, unknown>;
}

export class FakeSocket {
  static readonly OPEN = 1;
  static readonly every: FakeSocket[] = [];
  static get last(): FakeSocket {
    const socket = FakeSocket.every.at(-1);
    if (!socket) throw new Error("nobody has connected");
    return socket;
  }

  readyState = 0;
  readonly sent: Message[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.every.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Message);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }

  /** The hall takes the connection. */
  async accept(): Promise<void> {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    await settled();
  }

  async tell(action: string, payload: unknown, requestId?: string): Promise<void> {
    this.onmessage?.({ data: JSON.stringify({ action, payload, ...(requestId ? { requestId } : {}) }) });
    await settled();
  }

  async answer(message: Message, payload: unknown): Promise<void> {
    await this.tell(message.action, payload, message.requestId);
  }

  async refuse(message: Message, code: string): Promise<void> {
    await this.tell("error", { code, message: code, requestId: message.requestId });
  }

  asked(action: string): Message[] {
    return this.sent.filter((message) => message.action === action);
  }

  only(action: string): Message {
    const [message, ...more] = this.asked(action);
    if (!message || more.length > 0) throw new Error(`${action} was asked ${more.length + (message ? 1 : 0)} times`);
    return message;
  }
}

/** Everything that was promised by now has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

export function useFakeSockets(): void {
  FakeSocket.every.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
}

export const welcome = (name = "Anna"): unknown => ({
  player: { id: 7, name, guest: true, balance: 1000 },
  token: "token-of-anna",
  server: { version: "0", protocol: 1 },
  tables: [],
});
