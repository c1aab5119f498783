"""Asks that wait for the journal, since memory cannot tell whether they were answered before.

What their players ask meanwhile waits behind them, in its order. The others at the table do not
wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamehall.errors import Forgotten, HallError
from gamehall.faults import as_refusal
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.sent_again import IDS_MAX, RoundRequests, same, scope
from gamehall.hall.beat.steps import starts
from gamehall.hall.nodes.exchange import Spawn
from gamehall.store.appends import Request
from gamehall.store.journals import Line
from gamehall.store.store import Store
from gamehall.table_log import house
from gamehall.table_log.journal import Row, RowCodec

Found = Callable[[list[Ask]], None]
"""It is given what has waited long enough."""


@dataclass(eq=False, repr=False)
class Recalling:
    _table: int
    _codec: RowCodec
    _requests: RoundRequests
    _store: Store
    _spawn: Spawn

    def __post_init__(self) -> None:
        self._waiting: dict[int, list[Ask]] = {}
        """By player; the first of each is being looked for."""
        self.count = 0
        """How many wait."""

    def holds(self, ask: Ask) -> bool:
        """Whether its player asked for something that waits; then so does this."""
        waiting = None if ask.player is None else self._waiting.get(ask.player)
        if waiting is None:
            return False
        waiting.append(ask)
        self.count += 1
        return True

    def without_waiting(self, asks: list[Ask]) -> list[Ask]:
        """Those that do not wait here."""
        if not self.count:
            return asks
        waiting = {ask for asks in self._waiting.values() for ask in asks}
        return [ask for ask in asks if ask not in waiting]

    def look(self, ask: Ask, open_round: int, found: Found) -> None:
        """Searches the journal for the request of this ask."""
        assert ask.request is not None
        self._waiting[ask.request.player] = [ask]
        self.count += 1
        self._spawn(self._look(ask, ask.request, open_round, found))

    def release(self) -> list[Ask]:
        """All that waits, which waits no more."""
        waiting, self._waiting, self.count = self._waiting, {}, 0
        return [ask for asks in waiting.values() for ask in asks]

    async def _look(self, ask: Ask, request: Request, open_round: int, found: Found) -> None:
        sought: Done | HallError | None
        try:
            sought = await self._answer(ask, request, open_round)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            sought = as_refusal(error, "cannot_look_back", table=self._table)
        waiting = self._waiting.get(request.player)
        if waiting is None or waiting[0] is not ask:
            return  # It was handed to another owner meanwhile.
        del self._waiting[request.player]
        self.count -= len(waiting)
        ask.looked_back, ask.sought = True, sought
        found(waiting)

    async def _answer(self, ask: Ask, request: Request, open_round: int) -> Done | None:
        """What the request was answered in an earlier round; None: nothing."""
        if request.by_round:
            line = await self._in_rounds(request, *scope(ask, request, open_round))
        else:
            line = await self._at_table(request)
        if line is None or line.request is None:
            return None
        row = self._codec.read(line.line)
        seat = await self._seat_told(row, request.player)
        return same(line.request, request, Done(self._table, row.seq, seat, row.events, row.round))

    async def _in_rounds(self, request: Request, first: int, last: int) -> Line | None:
        """Raises Forgotten."""
        last = min(last, self._requests.round - 1)  # The running round is in memory.
        spans = [await self._store.round_span(self._table, round) for round in (first, last)]
        if spans[0] is None or spans[1] is None:
            raise Forgotten
        return await self._store.request_between(
            self._table, request.player, request.id, spans[0].first_seq, spans[1].last_seq
        )

    async def _at_table(self, request: Request) -> Line | None:
        player = request.player
        while not self._requests.has_earlier(player):
            began = self._requests.round
            ids = await self._store.used_ids(self._table, player, IDS_MAX + 1)
            if self._requests.round - began < 2:
                # Else a round has left memory that was not read.
                self._requests.take_earlier(player, ids)
        if not self._requests.may_be_earlier(request):
            return None
        return await self._store.request(self._table, player, request.id)

    async def _seat_told(self, row: Row, player: int) -> int | None:
        """The seat that the answer to the row's request has told."""
        seat, started = row.seat, starts(row)
        for event in row.events:
            if isinstance(event, house.Seated) and event.person.player == player:
                seat = event.seat
            elif isinstance(event, house.SeatsDrawn) and seat is not None:
                seat = event.order[seat]
        if row.seat is not None or seat is None or started or row.round > 1:
            return seat
        # Before the draw, nobody is told.
        first = self._codec.read((await self._store.read(self._table, 0, 1))[0].line)
        drawn = any(isinstance(event, house.Opened) and event.drawn for event in first.events)
        return seat if starts(first) or not drawn else None
