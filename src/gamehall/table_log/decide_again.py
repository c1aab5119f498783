"""Every command of a log, decided again with the secrets that were told."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

import msgspec

from gamehall.errors import Refused
from gamehall.games.chance import Chance
from gamehall.games.game import Context, Event, Game, RulesFault
from gamehall.table_log import house
from gamehall.table_log.journal import Row, since_opened
from gamehall.table_log.log import Log, LogError, shortened
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState


class _Written(msgspec.Struct):
    events: msgspec.Raw


class DecideAgain:
    """Takes the rows of a log in order; each must be what its command causes.

    Raises LogError for one that is not, and Untold where its draw cannot be made again.
    """

    def __init__(self, log: Log) -> None:
        self._game = log.game
        self._rules = TableRules(log.game)
        self._draws = log
        self._state: TableState | None = None

    def take_first(self, row: Row) -> None:
        """Begins with a row that is not the table's first: with what it opened.

        Raises:
            LogError: it opened a round in a way no later round is opened.
        """
        opened, *others = since_opened(row)
        unpaid = len(list(takewhile(_could_not_pay, others)))
        started, begun = others[unpaid : unpaid + 1], others[unpaid + 1 :]
        # Seats are drawn in a table's first round only.
        if opened.drawn or started not in ([], [house.Started(row.at_ms)]):
            raise LogError(row.seq, "This is not how a later round opens.")
        self._record(opened, *others[:unpaid], *started)
        if started and begun != self._begun(row):
            raise LogError(row.seq, "The round does not begin as its secret says.")
        self._record(*begun)

    def _record(self, *events: Event) -> None:
        for event in events:
            self._state = self._rules.apply(self._state, event)

    def _begun(self, row: Row) -> list[Event]:
        """What a round begins with."""
        assert self._state is not None
        if type(self._game).begin is Game.begin:
            return []
        seed = self._draws.secret(self._state.opened.round)
        return list(self._game.begin(self._state.game, Context(row.at_ms, Chance(seed))))

    def take(self, row: Row, line: bytes) -> None:
        """Goes on with the next row.

        Raises:
            LogError: the command is not its sender's, is refused, or causes something else.
        """
        state = self._state
        self._check_sender(state, row)
        chain = next((e.previous for e in row.events if isinstance(e, house.Opened)), "")
        round_before = 1 if state is None else state.opened.round
        try:
            walks_in = self._walks_in(state, row)
            seat = row.seat if walks_in is None else None
            decision = self._rules.decide(
                state, seat, row.command, row.at_ms, self._draws, chain, walks_in,
                # What someone has is in no log: whoever could not pay is taken at its word.
                _unseated(state, row.events),
            )  # fmt: skip
        except Refused as refusal:
            raise LogError(row.seq, f"The rules refuse this command ({refusal.code}).") from None
        except RulesFault as fault:
            raise LogError(row.seq, f"The game's rules are at fault here: {fault}") from None
        # The bytes count: a decoded event would hide what an older or newer reader sees in them.
        written = bytes(msgspec.json.decode(line, type=_Written).events)
        if written != msgspec.json.encode(decision.events):
            raise LogError(row.seq, _difference(decision.events, row.events))
        self._state = decision.state
        if row.round not in (round_before, decision.state.opened.round):
            raise LogError(row.seq, f"It is not of round {row.round}.")

    def _check_sender(self, state: TableState | None, row: Row) -> None:
        game, command, seat = self._game, row.command, row.seat
        if state is None:
            if seat is not None or not isinstance(command, house.Open):
                raise LogError(row.seq, "A table's first row is the hall's, and opens it.")
        elif seat is not None:
            if not _sits(state, seat) and self._walks_in(state, row) is None:
                raise LogError(row.seq, f"Nobody sits on seat {seat}.")
            if not isinstance(command, (house.Leave, house.Rematch, *game.commands)):
                raise LogError(row.seq, "No seat can send this command.")
        elif isinstance(command, game.by_hall):
            return
        elif isinstance(command, (house.NextRound, house.Expire, *game.timers)):
            self._check_timer(state, row)
        elif not isinstance(command, house.Sit | house.SetOptions | house.Void | house.Close):
            raise LogError(row.seq, "This command is a player's, and no seat sent it.")

    def _walks_in(self, state: TableState | None, row: Row) -> house.Person | None:
        """Who was seated by this very command."""
        if state is None or row.seat is None or _sits(state, row.seat):
            return None
        if not self._rules.seats(state, row.command):
            return None
        first = row.events[0] if row.events else None
        if not isinstance(first, house.Seated) or first.seat != row.seat:
            return None
        # Someone who sits there already cannot walk in again.
        return None if first.person.player in state.seat_of else first.person

    def _check_timer(self, state: TableState, row: Row) -> None:
        timer = self._rules.timer(state)
        if timer is None or timer.command != row.command:
            raise LogError(row.seq, "No timer was set that sends this command.")
        # Notes can change when a timer is due, and are not in the log.
        if row.at_ms < timer.due_ms and not self._game.notes:
            raise LogError(row.seq, "The timer that sends this command was not due yet.")


def _unseated(state: TableState | None, events: Iterable[Event]) -> frozenset[int]:
    """The players who, by these events, gave up their seats because they could not pay."""
    chairs = {} if state is None else dict(state.chairs)
    players = set()
    for event in events:
        if isinstance(event, house.Opened):
            chairs = {chair.seat: chair.person for chair in event.chairs}
        elif isinstance(event, house.Seated):
            chairs[event.seat] = event.person
        elif isinstance(event, house.Left) and _could_not_pay(event) and event.seat in chairs:
            players.add(chairs[event.seat].player)
    return frozenset(players)


def _could_not_pay(event: Event) -> bool:
    return isinstance(event, house.Left) and event.reason == house.NO_FUNDS


def _sits(state: TableState, seat: int) -> bool:
    person = state.chairs.get(seat)
    return person is not None and state.seat_of.get(person.player) == seat


def _difference(decided: list[Event], recorded: tuple[Event, ...]) -> str:
    for place in range(max(len(decided), len(recorded))):
        right = _shown(decided[place : place + 1])
        found = _shown(recorded[place : place + 1])
        if right != found:
            return (
                f"Decided again, event {place + 1} is {shortened(right)};"
                f" the log says {shortened(found)}."
            )
    return "Its events are not written as the hall writes them."


def _shown(events: Iterable[Event]) -> str:
    return ", ".join(msgspec.json.encode(event).decode() for event in events) or "none"
