"""What one request means for a table: judged by the rules, on a draft of its state."""

from __future__ import annotations

from gamehall.errors import HallError, NotSeated
from gamehall.games.game import Command
from gamehall.hall.beat.draws import TableDraws
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.sent_again import RoundRequests
from gamehall.hall.beat.steps import Kind, Step
from gamehall.store.appends import Request
from gamehall.table_log import house
from gamehall.table_log.journal import Row, chained
from gamehall.table_log.table_state import TableState


class Decider:
    __slots__ = ("_draws", "_kind", "_requests", "_table")

    def __init__(self, table: int, kind: Kind, draws: TableDraws, requests: RoundRequests) -> None:
        self._table = table
        self._kind = kind
        self._draws = draws
        self._requests = requests

    def _answered(self, ask: Ask, request: Request, draft: TableState | None) -> Done | None:
        """What it was answered before, if it is sent again. Raises NotInMemory."""
        if isinstance(ask.sought, HallError):
            raise ask.sought
        if ask.sought is not None:
            return ask.sought
        if self.notes(ask.command):
            return self._requests.noted(request)
        return self._requests.answer(ask, request, 1 if draft is None else draft.opened.round)

    def notes(self, command: Command) -> bool:
        """Whether it only changes what is noted beside the journal."""
        return isinstance(command, (house.Presence, self._kind.game.notes))

    def decide(self, draft: TableState | None, ask: Ask, seq: int, chain: str) -> Step | Done:
        """A step, whose state replaces `draft`; or the answer, where nothing changes.

        Raises:
            HallError: it is refused, and `draft` is as it was.
            NotInMemory: the journal has to be asked first.
        """
        if ask.request is not None:
            known = self._answered(ask, ask.request, draft)
            if known is not None:
                return known
        command, game = ask.command, self._kind.game
        seat: int | None = None
        walks_in: house.Person | None = None
        if draft is not None and ask.player is not None:
            seat = draft.seat_of.get(ask.player)
            if draft.walk_in and isinstance(command, house.Leave):
                return Done(self._table, seq, seat)  # Nobody is bound, and bets stand.
            if seat is None and not isinstance(command, house.Sit) and draft.closed is None:
                walks_in = ask.person if draft.walk_in else None
                if walks_in is None or not isinstance(command, game.commands):
                    raise NotSeated
        if self.notes(command) and ask.player is not None and draft is not None:
            note(self._kind, draft, ask.player, command, ask.at_ms)
            return Done(self._table, seq, seat)
        decision = self._kind.rules.decide(
            draft, seat, command, ask.at_ms, self._draws, chain, walks_in, ask.cannot_pay
        )
        sits_on = seat_after(decision.state, ask.player, seat)
        if not decision.events:
            return Done(self._table, seq, sits_on)
        round = 1 if draft is None else draft.opened.round
        events = tuple(decision.events)
        sender = sits_on if walks_in is not None else seat
        row = Row(self._table, seq + 1, round, ask.at_ms, sender, command, events)
        line = self._kind.codec.encode(row)
        answer = Done(self._table, seq + 1, sits_on, events, round)
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


def seat_after(state: TableState | None, player: int | None, seat: int | None) -> int | None:
    """The seat that a request's answer tells."""
    if state is None or player is None:
        return seat
    if state.game is None and state.opened.drawn:
        return None  # The draw, when all are there, may move everyone.
    return state.seat_of.get(player, seat)
