"""What requests mean for a table: judged by the rules, one after the other, on a draft."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from gamehall.errors import HallError, NotSeated
from gamehall.games.game import Command
from gamehall.hall.beat.draws import TableDraws
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.sent_again import RoundRequests
from gamehall.hall.beat.steps import Kind, Step
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.journal import Row, chained
from gamehall.table_log.table_state import TableState

Held = tuple[Ask, Done | HallError]
"""An answer that may rest on steps which are not written yet: it is told with them."""


class Draft(msgspec.Struct, eq=False):
    """Where a table would stand with the steps that were decided so far."""

    state: TableState
    """A fork of the table's own."""
    seq: int
    chain: str
    steps: list[Step] = []
    held: list[Held] = []

    def take(self, step: Step) -> None:
        self.state = step.decision.state
        self.seq, self.chain = step.row.seq, step.hash
        self.steps.append(step)


@dataclass(slots=True, eq=False, repr=False)
class Decider:
    _table: int
    _kind: Kind
    _draws: TableDraws
    _requests: RoundRequests

    def decide(self, draft: Draft, ask: Ask) -> None:
        """Adds a step to `draft`; or the answer, where nothing changes or the ask is refused.

        Raises:
            NotInMemory: the journal has to be asked first.
        """
        try:
            step = self._decided(draft.state, ask, draft.seq, draft.chain)
        except HallError as error:
            draft.held.append((ask, error))
            return
        if isinstance(step, Step):
            draft.take(step)
        else:
            draft.held.append((ask, step))

    def _decided(self, draft: TableState, ask: Ask, seq: int, chain: str) -> Step | Done:
        command, game, noted = ask.command, self._kind.game, self._kind.rules.noted
        request = ask.request
        if request is not None:
            known: Done | HallError | None
            if ask.sought is not None:
                known = ask.sought  # As the journal has it.
            elif type(command) in noted:
                known = self._requests.noted(request)
            else:
                known = self._requests.answer(ask, request, draft.opened.round)
            if isinstance(known, HallError):
                raise known
            if known is not None:
                return known
        seat: int | None = None
        walks_in: house.Person | None = None
        if ask.player is not None:
            seat = draft.seat_of.get(ask.player)
            if draft.walk_in and isinstance(command, house.Leave):
                return Done(self._table, seq, seat)  # Nobody is bound, and bets stand.
            if seat is None and not isinstance(command, house.Sit) and draft.closed is None:
                walks_in = ask.person if self._kind.rules.seats(draft, command) else None
                if walks_in is None or not isinstance(command, game.commands):
                    raise NotSeated
        if type(command) in noted and ask.player is not None:
            note(self._kind, draft, ask.player, command, ask.at_ms)
            return Done(self._table, seq, seat)
        decision = self._kind.rules.decide(
            draft, seat, command, ask.at_ms, self._draws, chain, walks_in, ask.cannot_pay
        )
        if not decision.events:
            return Done(self._table, seq, seat_after(decision.state, ask.player, seat))
        sits_on = seat
        if decision.by_the_house:
            sits_on = seat_after(decision.state, ask.player, seat)
        sender = sits_on if walks_in is not None else seat
        events = tuple(decision.events)
        row = Row(self._table, seq + 1, draft.opened.round, ask.at_ms, sender, command, events)
        return _step(self._kind, ask, row, chain, decision, sits_on)


def opening(kind: Kind, ask: Ask, draws: TableDraws) -> Draft:
    """The first step of a table, whose command is `Open`. Raises Refused."""
    decision = kind.rules.decide(None, None, ask.command, ask.at_ms, draws, "")
    row = Row(ask.table, 1, 1, ask.at_ms, None, ask.command, tuple(decision.events))
    draft = Draft(decision.state, 0, "")
    draft.take(_step(kind, ask, row, "", decision, None))
    return draft


def _step(
    kind: Kind, ask: Ask, row: Row, chain: str, decision: Decision, sits_on: int | None
) -> Step:
    line = kind.codec.encode(row)
    answer = Done(row.table, row.seq, sits_on, row.events, row.round)
    return Step(ask, row, line, chained(chain, line), decision, answer)


def note(kind: Kind, state: TableState, player: int, command: Command, at_ms: int) -> None:
    """Notes what is not journaled, of someone who has a seat."""
    seat = state.seat_of.get(player)
    if seat is None or state.status != "playing":
        return
    if isinstance(command, house.Presence):
        kind.game.presence(state.game, seat, command.here)
    else:
        kind.game.note(state.game, seat, command, at_ms)


def seat_after(state: TableState, player: int | None, seat: int | None) -> int | None:
    """The seat that a request's answer tells."""
    if player is None:
        return seat
    if state.game is None and state.opened.drawn:
        return None  # The draw, when all are there, may move everyone.
    return state.seat_of.get(player, seat)
