/** Has the real rules write journals, honest and forged, before the tests that judge them. */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const FOLDER = "node_modules/.cache";

export default function setup(): void {
  const journals = execFileSync("python", ["journals.py"], { maxBuffer: 64 * 1024 * 1024 });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/journals.json`, journals);
}
