"""What a hall has written, replayed by other ways than the hall's own.

Shared with the hall are only the format of rows and the pure rules: of any table, of the games, and
of tournaments, which are a game too.

Reading it demands already that each table's rows are numbered without a gap, chained by their
hashes and in the order of time, that nothing comes after a table's close, that rounds which are
over can be decided again, and that nobody has two seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from gamehall.catalogue import journaled
from gamehall.games.game import Event
from gamehall.simulation.checker.records import Record, Request
from gamehall.simulation.checker.transcripts import Json
from gamehall.table_log import house
from gamehall.table_log.journal import Row, chained, codec_of
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState
from gamehall.table_log.verify import verify_log

OTHERS_SHOWN_MAX = 50
LEGAL_SHOWN_MAX = 512
CHAIRS_TOLD_MAX = 50
GAMES = journaled()


class Journal:
    """One table's journal, and where the table stood after each row."""

    def __init__(self, record: Record) -> None:
        self.table = record.table
        self.origin = record.origin
        self.due_ms = record.due_ms
        self.game = GAMES[record.game]
        self.rules = TableRules(self.game)
        codec = codec_of(self.game)
        numbers = [written.seq for written in record.written]
        told = f"table {record.table}"
        assert numbers == list(range(1, record.head + 1)), f"{told} has rows {numbers}"
        self.rows: list[Row] = [codec.decode(written.line) for written in record.written]
        self.lines = [written.line for written in record.written]
        self.requests = [written.request for written in record.written]
        self.hashes = [""]
        self.states: list[TableState | None] = [None]
        """After each row; before the first, None."""
        for row, written in zip(self.rows, record.written, strict=True):
            in_place = (row.table, row.seq) == (record.table, written.seq)
            assert in_place, f"{told}, row {written.seq} is out of place: {row}"
            self._check_openings(row)
            self.hashes.append(chained(self.hashes[-1], written.line))
            self.states.append(self._after(row))
        assert self.hashes[-1] == record.hash, f"{told}: the chain breaks"
        self._check_decided(record)
        self._check_seated(record)

    @property
    def head(self) -> int:
        return len(self.rows)

    def _check_openings(self, row: Row) -> None:
        for event in row.events:
            if isinstance(event, house.Opened):
                same = event.previous == self.hashes[-1]
                assert same, f"table {self.table}, row {row.seq}: the chain breaks"

    def _after(self, row: Row) -> TableState:
        before = self.states[-1]
        state = None if before is None else self.rules.fork(before)
        told = f"table {self.table}, row {row.seq}"
        for event in row.events:
            assert state is None or state.closed is None, f"{told}: {event} after the close"
            state = self.rules.apply(state, event)
        assert state is not None
        early = row.seq > 1 and row.at_ms < self.rows[row.seq - 2].at_ms
        assert not early, f"{told}: time goes back"
        sitting = [person.player for seat, person in state.chairs.items() if seat not in state.gone]
        assert len(set(sitting)) == len(sitting), f"{told}: someone has two seats: {sitting}"
        return state

    def _check_decided(self, record: Record) -> None:
        """Up to the last secret that was told: what came later cannot be decided again yet."""
        over = (house.RoundEnded, house.RoundVoided)
        told = [row.seq for row in self.rows if any(isinstance(e, over) for e in row.events)]
        if told:
            lines = [written.line for written in record.written[: told[-1]]]
            verdict = verify_log(lines, GAMES, self.hashes[told[-1]])
            assert verdict.ok, f"table {self.table}: {verdict.problems}"

    def _check_seated(self, record: Record) -> None:
        state = self.states[-1]
        if state is None:
            return
        told = f"table {self.table}"
        assert record.status == state.status, f"{told} is {state.status}, not {record.status}"
        if not state.walk_in and self.game.binding:
            sitting = self.bound(self.head)
            kept = f"{told}: {sitting} sit there, and {set(record.seated)} are kept"
            assert sitting == record.seated, kept

    # As someone may see it

    def seat(self, seq: int, player: int) -> int | None:
        """Where the player sits after that row."""
        state = self.states[seq]
        return None if state is None else state.seat_of.get(player)

    def bound(self, seq: int) -> frozenset[int]:
        """The players whom a seat at this table binds after that row."""
        state = self.states[seq]
        if state is None or state.closed is not None or state.walk_in or not self.game.binding:
            return frozenset()
        return frozenset(state.seat_of)

    def busy(self, seq: int) -> frozenset[int]:
        """Those of them who play, or wait for others to come."""
        state = self.states[seq]
        return frozenset() if state is None or state.over else self.bound(seq)

    def seen(self, after: int, seq: int, player: int) -> list[Json]:
        """The events of the rows behind `after`, up to and with `seq`, as the player sees them from
        the seat of that time: one notice may tell of two rounds, and have the first one's bets."""
        sights = (
            self._sight(event, self.seat(row.seq, player), self.walks_in(row.seq))
            for row in self.rows[after:seq]
            for event in row.events
        )
        return [as_json(sight) for sight in sights if sight is not None]

    def seen_by_all(self, row: Row) -> list[Json]:
        """The events of a row as anyone may see them who reads the journal: whole, but for what is
        hidden."""
        walk_in = self.walks_in(row.seq)
        sights = (self._unhidden(event, None, walk_in) for event in row.events)
        return [as_json(sight) for sight in sights if sight is not None]

    def walks_in(self, seq: int) -> bool:
        """Whether people walk in, so that those who listen watch."""
        state = self.states[seq]
        return state is not None and state.walk_in

    def _unhidden(self, event: Event, seat: int | None, walk_in: bool) -> Event | None:
        if type(event) not in house.EVENT_TYPES:
            return self.game.seen(event, seat)
        if walk_in and isinstance(event, house.Seated | house.Left):
            return event if event.seat == seat else None
        return event

    def _sight(self, event: Event, seat: int | None, walk_in: bool) -> Event | None:
        sight = self._unhidden(event, seat, walk_in)
        if isinstance(sight, house.Opened) and (sight.carry or len(sight.chairs) > CHAIRS_TOLD_MAX):
            many = len(sight.chairs) > CHAIRS_TOLD_MAX
            return msgspec.structs.replace(sight, carry=None, chairs=() if many else sight.chairs)
        return sight

    def view(self, seq: int, player: int) -> Json:
        """What a `table_view` of that moment says to this player of what is journaled."""
        state = self.states[seq]
        assert state is not None
        seat = state.seat_of.get(player)
        started = state.game is not None
        view = self.game.view(state.game, seat) if started else None
        others = list(islice((s for s in state.chairs if s != seat), OTHERS_SHOWN_MAX))
        shown = sorted(others if seat is None or seat not in state.chairs else [*others, seat])
        acting = len(state.chairs) if seat is None and state.walk_in else seat
        legal: tuple[Any, ...] = ()
        if acting is not None and state.status == "playing":
            legal = tuple(islice(self.game.legal(state.game, acting), LEGAL_SHOWN_MAX))
        return {
            "game": self.game.name,
            "options": as_json(state.opened.options),
            "seat": seat if started else None,
            "status": state.status,
            "round": state.opened.round,
            "commitment": state.opened.commitment,
            "view": as_json(view),
            "legal": as_json(legal),
            "picture": as_json(self.game.picture(view)) if started else None,
            "players": [_sitting(state, s) for s in shown],
            "count": len(state.seat_of),
            "outcome": as_json(state.outcome),
            "rematch": sorted(state.rematch),
        }


def _sitting(state: TableState, seat: int) -> Json:
    person = state.chairs[seat]
    shown = {"seat": seat, "id": person.player, "name": person.name}
    if person.bot is not None:
        shown["bot"] = person.bot
    return {**shown, "left": True} if seat in state.gone else shown


class Books(msgspec.Struct, frozen=True):
    """All journals of a hall, by table."""

    journals: dict[int, Journal]

    def caused_by(self) -> Iterator[tuple[Request, Journal, int]]:
        """Each request that has a row, with the row's number."""
        for journal in self.journals.values():
            for seq, request in enumerate(journal.requests, 1):
                if request is not None:
                    yield request, journal, seq


def as_json(value: Any) -> Any:
    """As it is on the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def read_books(records: list[Record]) -> Books:
    """Raises AssertionError unless each journal is in order."""
    return Books({record.table: Journal(record) for record in records})
