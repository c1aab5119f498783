"""The course of a table: how rounds open and end, and how it closes."""

from __future__ import annotations

import msgspec

from gamehall.errors import NotFree, NotSeated, NotStarted, RoundOver, RoundRunning
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.sitting import has_people, opens_by_itself, start_if_ready
from gamehall.table_log.table_state import TableState

VOID_PAUSE_MS = 1000
"""How long after a void the next round opens, where rounds open by themselves."""


def open_table(decision: Decision, command: house.Open) -> None:
    decision.rules.read_options(command.options)
    decision.open(
        game=command.game,
        # As they were written down then: deciding again must not add options of today.
        options=command.options,
        round=1,
        nonce=command.nonce,
        drawn=command.drawn,
        private=command.private,
        rated=command.rated,
        reserved=command.reserved,
        reserved_until_ms=command.reserved_until_ms,
        by_invitation=command.by_invitation is True,
    )
    start_if_ready(decision)


def rematch(decision: Decision, seat: int | None, _: house.Rematch) -> None:
    state: TableState = decision.state
    if seat is None:
        raise NotSeated
    if not state.over:
        raise NotStarted if state.game is None else RoundRunning
    if state.again_ms is not None:
        raise RoundOver("The next round opens by itself.")
    if not decision.game.public:
        raise RoundOver("Only the hall opens such rounds.")
    if state.gone:
        raise NotFree("Someone has left this table.")
    if seat in state.rematch:
        return
    decision.emit(house.RematchWanted(seat))
    if len(decision.state.rematch) == len(state.chairs):
        # The seats move on by one, so that another begins.
        seats = sorted(state.chairs)
        moved = dict(zip(seats, seats[1:] + seats[:1], strict=True))
        _open_next(decision, moved)


def next_round(decision: Decision, _: int | None, __: house.NextRound) -> None:
    state: TableState = decision.state
    if not state.over:
        raise RoundRunning
    seats = () if state.walk_in else sorted(state.seat_of.values())
    _open_next(decision, {seat: seat for seat in seats})


def _open_next(decision: Decision, seats: dict[int, int]) -> None:
    state: TableState = decision.state
    chairs = (house.Chair(seats[seat], state.chairs[seat]) for seat in seats)
    decision.open(
        game=state.opened.game,
        options=state.next_options or state.opened.options,
        round=state.opened.round + 1,
        nonce=state.opened.nonce,
        drawn=False,
        private=state.opened.private,
        rated=state.opened.rated,
        chairs=tuple(sorted(chairs, key=lambda chair: chair.seat)),
        carry=msgspec.to_builtins(decision.game.carry(state.game)),
        by_invitation=state.opened.by_invitation,
    )
    start_if_ready(decision)


def expire(decision: Decision, _: int | None, __: house.Expire) -> None:
    state: TableState = decision.state
    if state.game is not None or not state.reserved:
        return
    nobody_else = len(state.reserved) >= decision.game.seats(state.options).least
    decision.emit(house.ReservationsLapsed())
    if nobody_else or not has_people(state):
        decision.shut("no_show")


def set_options(decision: Decision, _: int | None, command: house.SetOptions) -> None:
    state: TableState = decision.state
    decision.rules.read_options(command.options)
    if command.options != (state.next_options or state.opened.options):
        decision.emit(house.OptionsSet(command.options))


def void(decision: Decision, _: int | None, command: house.Void) -> None:
    state: TableState = decision.state
    if state.over:
        raise RoundOver
    if state.game is None:
        raise NotStarted
    opens_again = decision.game.public and opens_by_itself(decision.game, state)
    again_ms = VOID_PAUSE_MS if opens_again else None
    decision.emit(house.RoundVoided(command.reason, decision.secret(), decision.at_ms, again_ms))


def close(decision: Decision, _: int | None, command: house.Close) -> None:
    decision.shut(command.reason)


def end_if_over(decision: Decision) -> None:
    state: TableState = decision.state
    if state.game is None or state.outcome is not None or state.voided:
        return
    outcome = decision.game.outcome(state.game)
    if outcome is None:
        return
    decision.emit(house.RoundEnded(outcome, decision.secret(), decision.at_ms))
    if not state.seat_of and not opens_by_itself(decision.game, state):
        decision.emit(house.Closed("finished"))
    elif outcome.again_ms == 0:
        next_round(decision, None, house.NextRound())
