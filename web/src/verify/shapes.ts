/** Whether a value read from a journal has the fields that it should have. */

export type Kind = (value: unknown) => boolean;
/** The fields of an object by name; no others may stand there. */
export type Shape = Readonly<Record<string, Kind>>;
export type Fields = Readonly<Record<string, unknown>>;

export const whole: Kind = (value) => Number.isSafeInteger(value);
export const text: Kind = (value) => typeof value === "string";
export const truth: Kind = (value) => typeof value === "boolean";
export const object: Kind = (value) => isFields(value);
export const place: Kind = (value) => Array.isArray(value) && value.length === 2 && value.every(whole);

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function oneOf(...values: readonly unknown[]): Kind {
  return (value) => values.includes(value);
}

export function list(kind: Kind): Kind {
  return (value) => Array.isArray(value) && value.every(kind);
}

/** A field that may be left out. */
export function maybe(kind: Kind): Kind {
  return (value) => value === undefined || kind(value);
}

export function orNull(kind: Kind): Kind {
  return (value) => value === null || kind(value);
}

export function has(value: unknown, shape: Shape): value is Fields {
  return isFields(value) && Object.entries(shape).every(([name, kind]) => kind(value[name]));
}

export function hasOnly(value: unknown, shape: Shape): value is Fields {
  return has(value, shape) && Object.keys(value).every((name) => Object.hasOwn(shape, name));
}
