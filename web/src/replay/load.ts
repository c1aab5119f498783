/** A finished round, frame by frame. */

import { get } from "../wire/api.ts";
import type { ApiAnswers } from "../wire/messages.ts";

export type Frame = ApiAnswers["getReplay"]["frames"][number];
export interface Recording {
  round: ApiAnswers["getReplay"]["round"];
  frames: readonly Frame[];
  /** There are more than the page shows. */
  cut: boolean;
}

const PAGE = 200;
const FRAMES_MAX = 4000;

export async function loadReplay(
  table: number,
  round: number,
  seat: number | null,
  key: string | null,
): Promise<Recording> {
  const frames: Frame[] = [];
  let after = 0;
  for (;;) {
    const page = await get("getReplay", `api/tables/${table}/replay`, { round, seat, key, after, limit: PAGE });
    frames.push(...page.frames);
    if (page.next === null || frames.length >= FRAMES_MAX)
      return { round: page.round, frames, cut: page.next !== null };
    after = page.next;
  }
}
