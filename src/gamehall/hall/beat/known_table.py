"""A table as a node knows it: its state, built from its rows. See table.py and replica.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from gamehall.hall.beat.deciding import seat_after
from gamehall.hall.beat.draws import TableDraws
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.beat.sent_again import RoundRequests
from gamehall.hall.beat.steps import Kind, opened_in
from gamehall.hall.beat.telling import Teller
from gamehall.hall.nodes.clock import TableTime
from gamehall.store.appends import Request
from gamehall.store.journals import Line
from gamehall.table_log import house
from gamehall.table_log.journal import Row, chained, since_opened
from gamehall.table_log.table_state import TableState


@dataclass(eq=False, repr=False)
class KnownTable:
    """What owned tables and replicas share."""

    owned: ClassVar[bool]
    """Whether this node decides what happens there."""
    id: int
    kind: Kind
    epoch: int
    draws: TableDraws
    state: TableState
    """As the running round opened, until rows are replayed or another is succeeded."""

    def __post_init__(self) -> None:
        self.head = 0
        self.hash = ""
        self.round_seq = 0
        self.gone = False
        """Stepped down or let go: it takes nothing any more."""
        self.time = TableTime()
        self._requests = RoundRequests()
        self._teller = Teller(self.kind)

    @property
    def key(self) -> str:
        """What opens it, where it is private."""
        return self.draws.table_key()

    @property
    def closed(self) -> bool:
        return self.state.closed is not None

    def put(self, ask: Ask) -> None:
        """Takes a request; its reply comes when the answer is durable."""
        raise NotImplementedError

    def wake(self) -> None:
        """Someone has come to a table that rests."""
        raise NotImplementedError

    def retire(self) -> None:
        """Takes nothing any more; the next request loads the table again."""
        self.gone = True

    def replay(self, lines: Sequence[Line]) -> None:
        """Takes rows as they lie in the store, from the one in which the round opened."""
        for line in lines:
            row = self.kind.codec.read(line.line)
            events = row.events if self.head else since_opened(row)
            self.state = reduce(self.kind.rules.apply, events, self.state)
            self._remember(line, row, _sits_on(line, row, self.state))
        self._teller.start_at(self.head)

    def take(self, lines: Sequence[Line]) -> Told:
        """Takes rows that follow those it has; what they tell."""
        rows = [self.kind.codec.read(line.line) for line in lines]
        before = self.state
        draft = self.kind.rules.fork(before, to_close=before.closed is not None)
        seats: list[int | None] = []
        for line, row in zip(lines, rows, strict=True):
            draft = reduce(self.kind.rules.apply, row.events, draft)
            seats.append(_sits_on(line, row, draft))
        # From here on nothing fails: it takes all of them, or none.
        self.state = draft
        hashes: list[str] = []
        for line, row, seat in zip(lines, rows, seats, strict=True):
            self._remember(line, row, seat)
            hashes.append(self.hash)
        by_the_house = any(type(event) in house.EVENT_TYPES for row in rows for event in row.events)
        return self._teller.tell(rows, hashes, before, draft, by_the_house)

    def succeed(self, other: KnownTable) -> None:
        """Goes on where another, of the same table, is at."""
        self.state = other.state
        self.head, self.hash, self.round_seq = other.head, other.hash, other.round_seq
        self.time.last_ms = other.time.last_ms
        self._requests.succeed(other._requests)
        self._teller = other._teller

    def _remember(self, line: Line, row: Row, seat: int | None) -> None:
        """Takes note of a row that is applied; `seat` is the one that its answer tells."""
        opened = opened_in(row)
        if opened is not None:
            self._open_round(row.seq, opened.round)
        self.head, self.hash = row.seq, chained(self.hash, line.line)
        self.time.last_ms = row.at_ms
        if line.request is not None:
            done = Done(self.id, row.seq, seat, row.events, row.round)
            self._requests.remember(line.request, done)

    def knows(self, player: int, request: str) -> bool:
        """Whether this request was accepted in the running round, or is on its way."""
        return self._requests.knows(player, request)

    def caused(self, request: Request, seq: int) -> Done | None:
        """The answer that lies in this row, if it is of the running round or the one before."""
        return self._requests.caused(request, seq)

    def _open_round(self, seq: int, round: int) -> None:
        self.round_seq = seq
        self._requests.next_round(round)


def _sits_on(line: Line, row: Row, state: TableState) -> int | None:
    """The seat that the answer to this row's request tells; `state` is the one after it."""
    return None if line.request is None else seat_after(state, line.request.player, row.seat)
