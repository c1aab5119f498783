/** What the page reads over HTTP. */

import { useEffect, useState } from "react";
import { Refusal } from "./connection.ts";
import type { ApiAnswers, ErrorCode } from "./messages.ts";

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Raises Refusal. `route` is the operation's name in openapi.json, and gives the answer its type. */
export async function get<R extends keyof ApiAnswers>(
  _route: R,
  path: string,
  query: Query = {},
): Promise<ApiAnswers[R]> {
  return (await call(path, query)) as ApiAnswers[R];
}

/** As the operator, whose token it takes. */
export async function post<R extends keyof ApiAnswers>(
  _route: R,
  path: string,
  body: unknown,
  token: string,
): Promise<ApiAnswers[R]> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return (await call(path, {}, { method: "POST", headers, body: JSON.stringify(body) })) as ApiAnswers[R];
}

async function call(path: string, query: Query, init?: RequestInit): Promise<unknown> {
  const url = new URL(path.replace(/^\//, ""), new URL(".", location.href.split("#")[0]));
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw new Refusal("unavailable", String(error));
  }
  let answer: unknown;
  try {
    answer = await response.json();
  } catch (error) {
    // Something between here and the hall has answered in its place, or the connection was torn.
    throw new Refusal("unavailable", String(error));
  }
  if (response.ok) return answer;
  const { error } = answer as { error: { code: ErrorCode; message: string } };
  throw new Refusal(error.code, error.message);
}

export interface Loaded<T> {
  value: T | null;
  refusal: Refusal | null;
  again: () => void;
}

/** What `load` gives, asked anew when `of` changes, and every `everyMs` if that is given. */
export function useLoaded<T>(of: string, load: () => Promise<T>, everyMs?: number): Loaded<T> {
  const [loaded, setLoaded] = useState<{ of: string; value: T | null; refusal: Refusal | null } | null>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let wanted = true;
    const once = (): void => {
      load().then(
        (value) => wanted && setLoaded({ of, value, refusal: null }),
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          // What was there before is better than nothing while the hall is away.
          if (wanted) setLoaded((before) => ({ of, value: before?.of === of ? before.value : null, refusal: error }));
        },
      );
    };
    once();
    const timer = everyMs === undefined ? undefined : setInterval(once, everyMs);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
    // `load` is new with every render; `of` says when it means something else.
  }, [of, everyMs, times]);
  const current = loaded?.of === of ? loaded : null;
  return { value: current?.value ?? null, refusal: current?.refusal ?? null, again: () => setTimes((n) => n + 1) };
}
