/** What can happen at any table, whatever is played, as a journal has it. */

import type { HouseEvent, Outcome } from "../wire/messages.ts";
import { type Fields, has, list, maybe, object, orNull, type Shape, text, truth, whole } from "./shapes.ts";

export interface Person {
  player: number;
  name: string;
  bot?: string;
}

export interface Chair {
  seat: number;
  person: Person;
}

export type Opened = Extract<HouseEvent, { type: "opened" }>;

const PERSON: Shape = { player: whole, name: text, bot: maybe(orNull(text)) };
const isPerson = (value: unknown): boolean => has(value, PERSON);
const isChair = (value: unknown): boolean => has(value, { seat: whole, person: isPerson });

/** The hall's own commands by type: their other fields. */
export const COMMANDS: Readonly<Record<string, Shape>> = {
  open: {
    game: text,
    options: object,
    nonce: text,
    drawn: maybe(truth),
    private: maybe(truth),
    rated: maybe(truth),
    reserved: maybe(list(isPerson)),
    reserved_until_ms: maybe(whole),
    by_invitation: maybe(truth),
  },
  sit: { person: isPerson, seat: maybe(orNull(whole)) },
  leave: { reason: maybe(text) },
  rematch: {},
  next_round: {},
  expire: {},
  set_options: { options: object },
  void: { reason: text },
  close: { reason: text },
};

const OPENED: Shape = {
  game: text,
  options: object,
  round: whole,
  commitment: text,
  nonce: text,
  previous: text,
  drawn: maybe(truth),
  private: maybe(truth),
  rated: maybe(truth),
  reserved: maybe(list(isPerson)),
  reserved_until_ms: maybe(whole),
  chairs: maybe(list(isChair)),
  by_invitation: maybe(truth),
};

/** The hall's own events by type. Only those are looked into from which the judging starts out: all
 * others are compared with what they should be. */
export const EVENTS: Readonly<Record<HouseEvent["type"], Shape>> = {
  opened: OPENED,
  round_ended: { outcome: object, secret: text, at_ms: whole },
  round_voided: { reason: text, secret: text, at_ms: whole },
  seated: {},
  seats_drawn: { order: list(whole) },
  started: {},
  left: {},
  rematch_wanted: {},
  reservations_lapsed: {},
  options_set: {},
  closed: {},
};

/** Only what is told of a person, in the written order. */
export function personIn(value: unknown): Person {
  const { player, name, bot } = value as Person;
  return { player, name, ...(bot != null && { bot }) };
}

export function personsIn(value: unknown): Person[] {
  return Array.isArray(value) ? value.map(personIn) : [];
}

/** The event that opens a round: what is as usual is left out of it. */
export function openedEvent(fields: {
  game: string;
  options: Fields;
  round: number;
  commitment: string;
  nonce: string;
  previous: string;
  drawn: boolean;
  private: boolean;
  rated: boolean;
  reserved: Person[];
  reservedUntilMs: number;
  chairs: Chair[];
  carry: unknown;
  byInvitation: boolean;
}): Opened {
  const { game, options, round, commitment, nonce, previous } = fields;
  return {
    type: "opened",
    ...{ game, options, round, commitment, nonce, previous },
    ...(!fields.drawn && { drawn: false }),
    ...(fields.private && { private: true }),
    ...(fields.rated && { rated: true }),
    ...(fields.reserved.length > 0 && { reserved: fields.reserved }),
    ...(fields.reservedUntilMs !== 0 && { reserved_until_ms: fields.reservedUntilMs }),
    ...(fields.chairs.length > 0 && { chairs: fields.chairs }),
    ...(fields.carry != null && { carry: fields.carry as Record<string, unknown> }),
    ...(fields.byInvitation && { by_invitation: true }),
  };
}

/** How a round ended, in the written order. */
export function writtenOutcome({ winners, reason, scores, again_ms }: Outcome): Outcome {
  return { winners, reason, ...(scores != null && { scores }), ...(again_ms != null && { again_ms }) };
}
