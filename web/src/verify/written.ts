/** How the hall writes a row, so that bytes can be compared. */

const SHOWN_MAX = 200;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON without blanks; a Map is an object in the order of its entries. */
export function encode(value: unknown): string {
  // A round can have ten thousand cards: numbers need no second look.
  if (Array.isArray(value) && typeof value[0] === "number") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([name, each]) => `${JSON.stringify(String(name))}:${encode(each)}`).join(",")}}`;
}

/** Whether two texts differ at most in how numbers are written: `1.0` in options reads as `1`. */
export function sameButNumbers(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(written: string): string {
  return written.replace(TOKEN, (token) => (token.startsWith('"') ? token : String(Number(token))));
}

/** Short enough to be quoted in a sentence. */
export function shortened(words: string): string {
  return words.length <= SHOWN_MAX ? words : `${words.slice(0, SHOWN_MAX)}…`;
}
