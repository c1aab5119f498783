/** Draws from a round's secret, the same as the hall's: docs/fairness.md says how, with test vectors. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const WORD = 2 ** 32;
const utf8 = new TextEncoder();

export class Chance {
  // What depends on the key alone is computed once: a round can have thousands of cards.
  readonly #keyed: ReturnType<typeof hmac.create>;

  constructor(secret: Uint8Array) {
    this.#keyed = hmac.create(sha256, secret);
  }

  /** One number for each size, from 0 up to but not including it. */
  below(label: string, sizes: readonly number[]): number[] {
    const words = this.#words(label);
    return sizes.map((size) => below(words, size));
  }

  /** The items in a random order. */
  shuffled<T>(label: string, items: readonly T[]): T[] {
    const words = this.#words(label);
    const order = [...items];
    for (let top = order.length - 1; top > 0; top--) {
      const other = below(words, top + 1);
      [order[top], order[other]] = [order[other] as T, order[top] as T];
    }
    return order;
  }

  *#words(label: string): Generator<number, never> {
    const name = utf8.encode(label);
    const message = new Uint8Array(name.length + 5);
    message.set(name);
    const number = new DataView(message.buffer, name.length + 1);
    for (let block = 0; ; block++) {
      number.setUint32(0, block);
      const digest = this.#keyed.clone().update(message).digest();
      const words = new DataView(digest.buffer, digest.byteOffset);
      for (let place = 0; place < digest.length; place += 4) yield words.getUint32(place);
    }
  }
}

function below(words: Generator<number, never>, size: number): number {
  // Words beyond it would make small numbers likelier.
  const limit = WORD - (WORD % size);
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % size;
  }
}

/** What the hall tells before the first seat is taken. */
export function commitmentTo(secret: Uint8Array): string {
  return bytesToHex(sha256(secret));
}

/** The hash of a row's line, after the hash of the row before it. */
export function chained(previous: string, line: Uint8Array): string {
  return bytesToHex(sha256.create().update(utf8.encode(previous)).update(line).digest());
}
