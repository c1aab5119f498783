/** Has the server's rules play the rounds that the reducers are held against. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

export interface Recording {
  game: string;
  options: object;
  /** Why the round ended. */
  reason: string;
  courses: readonly Course[];
}

/** A round as one is told of it who looks from this seat, or as a spectator. */
export interface Course {
  seat: number | null;
  first: object;
  steps: readonly { glance: object | null; events: readonly object[]; view: object }[];
}

declare module "vitest" {
  export interface ProvidedContext {
    recordings: Recording[];
  }
}

export default function setup(project: TestProject): void {
  const script = fileURLToPath(new URL("../recordings.py", import.meta.url));
  const printed = execFileSync("python", [script], { encoding: "utf8", maxBuffer: 2 ** 26 });
  project.provide("recordings", JSON.parse(printed) as Recording[]);
}
