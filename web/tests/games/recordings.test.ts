import { describe, expect, inject, it } from "vitest";
import { drawn, games } from "../../src/games/registry.ts";
import { LANGUAGES, type Language } from "../../src/text/text.ts";
import type { Course, Recording } from "../recordings.setup.ts";

const recordings = inject("recordings");

describe.each(Object.keys(games))("%s", (name) => {
  const own = recordings.filter(({ game }) => game === name);
  const courses = own.flatMap((recording) =>
    recording.courses.map((course) => ({ recording, course, seat: course.seat ?? "nobody", reason: recording.reason })),
  );

  it.each(courses)("comes to the server's views: $reason, seen by $seat", ({ recording, course }) => {
    for (const { reduced, expected, step } of followed(recording, course)) {
      if (reduced !== null) expect(reduced, `after step ${step}`).toEqual(expected);
    }
  });

  it("asks the hall for fewer views than it finds itself", () => {
    const all = own.flatMap((recording) => recording.courses.flatMap((course) => [...followed(recording, course)]));
    const asked = all.filter(({ reduced }) => reduced === null);
    expect(all.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(all.length / 2);
  });

  it.each(Object.keys(LANGUAGES) as Language[])("says in %s why each round ended", (language) => {
    const told = Object.keys(drawn(name)?.words[language].reasons ?? {});
    expect(told.toSorted()).toEqual([...new Set(own.map(({ reason }) => reason))].toSorted());
  });
});

it("finds all of Connect Four and Four Stone from the first view on", () => {
  const boards = recordings.filter(({ game }) => game === "connect-four" || game === "four-stone");
  for (const recording of boards) {
    for (const course of recording.courses) {
      for (const { reduced } of followed(recording, course)) expect(reduced).not.toBeNull();
    }
  }
});

/** After each step the view that the page has, null if it must ask, and the one that is right. */
function* followed(recording: Recording, { seat, first, steps }: Course) {
  const game = drawn(recording.game);
  if (!game) throw new Error(`${recording.game} is not drawn`);
  let view: object = frozen(first);
  for (const [step, { glance, events, view: expected }] of steps.entries()) {
    let reduced: object | null = glance === null ? view : frozen({ ...view, ...glance });
    for (const event of events) {
      if (reduced === null) break;
      reduced = game.reduce(reduced as never, frozen(event) as never, { seat, options: recording.options as never });
    }
    yield { step, reduced, expected };
    view = frozen(reduced ?? expected);
  }
}

/** So that a reducer that changes what it was given fails. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
