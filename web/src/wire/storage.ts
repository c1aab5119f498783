/** What this browser keeps for the next visit; where it may keep nothing, for this one. */

const memory = new Map<string, string>();

export function read(key: string): string | null {
  return memory.get(key) ?? kept(key);
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    // A browser may forbid it altogether.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function write(key: string, value: string | null): void {
  memory.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // Forbidden, or full.
    if (value !== null) memory.set(key, value);
  }
}

/** A list that was kept as JSON; what is none, by someone else's hand, counts as empty. */
export function readList<T>(key: string, isOne: (value: unknown) => value is T): T[] {
  try {
    const found: unknown = JSON.parse(read(key) ?? "[]");
    return Array.isArray(found) ? found.filter(isOne) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export const isNumber = (value: unknown): value is number => typeof value === "number";
