"""The rules of a table: those of the house around those of one game, as pure as the game itself.

The table decides with them, and so does everyone who verifies a finished log.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from gamehall.errors import BadOptions, NotStarted, RoundOver, TableClosed
from gamehall.games.game import Command, Event, Game, Payment, Timer, copied
from gamehall.table_log import house, rounds, sitting
from gamehall.table_log.decision import Decision, Draws
from gamehall.table_log.money import check_payments, count_payments, given_back
from gamehall.table_log.table_state import TableState, opened_state, record

_HOUSE: dict[type, Callable[[Decision, int | None, Any], None]] = {
    house.Sit: sitting.sit,
    house.Leave: sitting.leave,
    house.Rematch: rounds.rematch,
    house.NextRound: rounds.next_round,
    house.Expire: rounds.expire,
    house.SetOptions: rounds.set_options,
    house.Void: rounds.void,
    house.Close: rounds.close,
}


class TableRules:
    """The rules of tables at which `game` is played."""

    def __init__(
        self,
        game: Game[Any],
        rematch_ms: int = 120_000,
        defaults: Mapping[str, Any] | None = None,
    ) -> None:
        """`defaults` are options that hold where none are given."""
        self.game = game
        self._defaults = defaults or {}
        self._rematch_ms = rematch_ms
        self.has_money = type(game).money is not Game.money
        self.noted = frozenset((house.Presence, *game.notes))
        """Commands that only change what is noted beside the journal."""

    def read_options(self, options: object) -> Any:
        """The game's options, checked. Raises BadOptions."""
        try:
            given = msgspec.convert(options, dict[str, Any])
            read = msgspec.convert({**self._defaults, **given}, self.game.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"The game cannot be played with these options: {error}") from None
        self.game.seats(read)
        return read

    def fork(self, state: TableState, *, to_close: bool = False) -> TableState:
        """A copy that `decide` and `apply` may change; `to_close` is without the game's help."""
        forked = copied(state)
        if state.game is not None and not to_close:
            forked.game = self.game.fork(state.game)
        forked.owns_seats = False
        forked.owns_stakes = False
        return forked

    # Deciding

    def decide(
        self,
        state: TableState | None,
        seat: int | None,
        command: Command,
        at_ms: int,
        draws: Draws,
        chain: str,
        walks_in: house.Person | None = None,
        cannot_pay: Collection[int] = (),
    ) -> Decision:
        """What `command` causes. None as `state` is a table that is not open yet; else `state` is
        a fork, and belongs to the decision. `walks_in` is who is seated by this command;
        `cannot_pay` are players who lack the chips for a round that it begins.

        Raises:
            Refused: nothing has changed, `state` neither.
            RulesFault: the game did what no game may; `state` is of no use any more.
        """
        decision = Decision(self, state, at_ms, draws, chain, cannot_pay=cannot_pay)
        pot = 0 if state is None else state.pot
        round = 1 if state is None else state.opened.round
        if state is None:
            if not isinstance(command, house.Open):
                raise NotStarted
            rounds.open_table(decision, command)
        elif state.closed is not None:
            raise TableClosed
        else:
            handler = _HOUSE.get(type(command))
            if handler is not None:
                handler(decision, seat, command)
            else:
                self._play(decision, seat, command, walks_in)
            rounds.end_if_over(decision)
        if self.has_money and (decision.payments or decision.ended):
            check_payments(round, pot, decision.payments, (over.round for over in decision.ended))
        return decision

    def _play(
        self,
        decision: Decision,
        seat: int | None,
        command: Command,
        walks_in: house.Person | None,
    ) -> None:
        state: TableState = decision.state
        if state.game is None:
            raise NotStarted
        if state.over:
            raise RoundOver
        if walks_in is not None:
            seat = sitting.free_seat(self.game, state, walks_in.player, None)
        events = self.game.decide(state.game, seat, command, decision.context)
        if walks_in is not None and seat is not None:
            # Only now: a command that is refused leaves no trace.
            decision.emit(house.Seated(seat, walks_in))
        for event in events:
            decision.emit(event)

    # Recording

    def apply(self, state: TableState | None, event: Event) -> TableState:
        """The next state; `state` may be changed. Total, as a game's own `apply`."""
        return self.record(state, event, self.payments(state, event))

    def replayed(self, state: TableState | None, events: Iterable[Event]) -> TableState | None:
        """The state after these events of a journal. It may begin with the end of a round that is
        not in it, which is passed over."""
        for event in events:
            if state is not None or isinstance(event, house.Opened):
                state = self.apply(state, event)
        return state

    def record(
        self, state: TableState | None, event: Event, payments: tuple[Payment, ...]
    ) -> TableState:
        """As `apply`, for an event that moves these chips."""
        if isinstance(event, house.Opened):
            return opened_state(event, self.game)
        assert state is not None, "a log begins with Opened"
        if type(event) in house.EVENT_TYPES:
            record(self.game, state, event)
        else:
            if payments:
                state.pot += count_payments(state.own_stakes(), payments)
            state.game = self.game.apply(state.game, event)
        return state

    # What follows from a state

    def seats(self, state: TableState, command: Command) -> bool:
        """Whether this command seats whoever sends it without a seat."""
        return state.walk_in or isinstance(command, self.game.seating)

    def players(self, state: TableState) -> dict[int, house.Person]:
        """Those for whom a round counts that has just ended."""
        seats = self.game.took_part(state.game)
        chairs = state.chairs
        return dict(chairs) if seats is None else {seat: chairs[seat] for seat in seats}

    def payments(self, state: TableState | None, event: Event) -> tuple[Payment, ...]:
        """The chips that an event moves; `state` is the one before it."""
        if not self.has_money or state is None:
            return ()
        if isinstance(event, house.RoundVoided):
            return given_back(state.stakes, state.pot)
        if type(event) in house.EVENT_TYPES:
            return ()
        return self.game.money(state.game, event)

    def timer(self, state: TableState) -> Timer | None:
        """The one thing that happens by itself next at this table."""
        if state.closed is not None:
            return None
        if state.game is None:
            return Timer(state.opened.reserved_until_ms, house.Expire()) if state.reserved else None
        if not state.over:
            return self.game.timer(state.game)
        if state.again_ms is not None:
            return Timer(state.ended_at_ms + state.again_ms, house.NextRound())
        return Timer(state.ended_at_ms + self._rematch_ms, house.Close("finished"))
