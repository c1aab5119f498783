"""What is told around a table and is in no journal, to people at other nodes: chat, how many watch,
and that someone has a seat there.

It passes by the owner, who knows which nodes follow. It may be lost.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from gamehall.errors import HallError, Unavailable
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn
from gamehall.hall.people.audience import Audiences
from gamehall.hall.people.notices import Said
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.seats.attendance import Attendance
from gamehall.hall.tables.replica import Replica
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0
"""How often seats are looked up that nobody here was told of, and counts are told again."""
SEATS_MAX = 1000
"""Players whose seats are asked for at once."""


class _Said(Body, frozen=True):
    table: int
    player: int
    name: str
    text: str


class _Watched(Body, frozen=True):
    """From a follower: how many watch there. From the owner: how many watch elsewhere."""

    table: int
    count: int


class _Counts(Body, frozen=True):
    """From a follower, from time to time: how many watch there, by table."""

    watching: tuple[tuple[int, int], ...]


class _SeatedAt(Body, frozen=True):
    table: int
    after: int
    """The row before those in which it got the seat."""


@dataclass(eq=False, repr=False)
class TableTalk:
    _exchange: Exchange
    _tables: Tables
    _players: Players
    _attendance: Attendance
    _audiences: Audiences
    _store: Store
    _spawn: Spawn

    def __post_init__(self) -> None:
        if self._exchange.alone:
            return
        self._exchange.on("said", _Said, self._hear_said)
        self._exchange.on("watched", _Watched, self._hear_watched)
        self._exchange.on("counts", _Counts, self._hear_counts)
        self._exchange.on("seated", _SeatedAt, self._hear_seated)

    # Chat

    def said(self, said: Said) -> None:
        """Something was said at this node."""
        self._pass(_Said(said.table, said.player, said.name, said.text), None)

    def _hear_said(self, node: str, said: _Said) -> None:
        self._audiences.hear(Said(said.table, said.player, said.name, said.text))
        self._pass(said, node)

    def _pass(self, said: _Said, sender: str | None) -> None:
        table = self._tables.loaded(said.table)
        if isinstance(table, Replica) and sender is None:
            self._exchange.tell(table.node, "said", said)
        elif table is not None and table.owned:
            others = [node for node in self._tables.followers.of(table.id) if node != sender]
            self._exchange.tell_each(others, "said", said)

    # How many watch

    def table_loaded(self, table: KnownTable) -> None:
        """With a new owner maybe: what was known of others is what the one before had told."""
        self._audiences.forget_elsewhere(table.id)
        if isinstance(table, Replica) and self._audiences.watching_here(table.id):
            self.counted(table.id)

    def counted(self, id: int) -> None:
        """How many watch there has changed at this node."""
        table = self._tables.loaded(id)
        here = self._audiences.watching_here(id)
        if isinstance(table, Replica):
            self._exchange.tell(table.node, "watched", _Watched(id, here))
        elif table is not None:
            elsewhere = self._audiences.of(id).elsewhere
            total = here + sum(elsewhere.values())
            for node in self._tables.followers.of(id):
                others = total - elsewhere.get(node, 0)
                self._exchange.tell(node, "watched", _Watched(id, others))

    def _hear_watched(self, node: str, watched: _Watched) -> None:
        self._watched_at(node, watched.table, watched.count)

    def _hear_counts(self, node: str, counts: _Counts) -> None:
        for table, count in counts.watching:
            if self._tables.owned(table):
                self._watched_at(node, table, count)

    def _watched_at(self, node: str, id: int, count: int) -> None:
        table = self._tables.loaded(id)
        if table is None or not self._shares(table, node):
            return
        self._audiences.watched_elsewhere(id, node, count)
        if table.owned and count:
            table.wake()  # It may have begun to rest before this was heard.

    def _shares(self, table: KnownTable, node: str) -> bool:
        """Whether that node owns or follows the table, so that its people are counted once."""
        if isinstance(table, Replica):
            return table.node == node
        return node in self._tables.followers.of(table.id)

    def _tell_counts(self) -> None:
        """Again, since one that was lost would stand for ever."""
        of_node: dict[str, list[tuple[int, int]]] = {}
        for table in self._tables.all_loaded():
            if isinstance(table, Replica):
                count = self._audiences.watching_here(table.id)
                of_node.setdefault(table.node, []).append((table.id, count))
        for node, counts in of_node.items():
            self._exchange.tell(node, "counts", _Counts(tuple(counts)))

    # Seats

    def seated(self, online: Online, table: int, after: int) -> None:
        """A player who is connected to other nodes has got a seat."""
        if self._tables.owned(table):
            self._exchange.tell_each(online.elsewhere, "seated", _SeatedAt(table, after))

    def _hear_seated(self, node: str, seated: _SeatedAt) -> None:
        if self._tables.loaded(seated.table) is None:
            self._spawn(self._find(seated.table, seated.after))

    async def _find(self, table: int, after: int) -> None:
        try:
            await self._tables.load(table, after)
        except HallError as error:
            log.warning("seat_out_of_reach", table=table, code=error.code)

    async def run(self) -> None:
        """Heals what was lost, for as long as the hall runs."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._tell_counts()
            try:
                await self._look_up_seats()
            except Unavailable:
                log.warning("cannot_look_up_seats")

    async def _look_up_seats(self) -> None:
        here = [
            id
            for id, online in self._players.online.items()
            if (online.links or online.out_of_reach) and online.player.kind != "bot"
        ]
        for start in range(0, len(here), SEATS_MAX):
            # As it is before the store is read: what is found meanwhile is newer.
            players = {
                player: (online, {*online.out_of_reach})
                for player in here[start : start + SEATS_MAX]
                if (online := self._players.online.get(player)) is not None
            }
            tables: dict[int, list[int]] = {player: [] for player in players}
            for player, table in await self._store.seats_of([*players]):
                tables[player].append(table)
            for player, (online, out_of_reach) in players.items():
                self._attendance.out_of_reach.release(online, out_of_reach - {*tables[player]})
                await self._find_all(online, tables[player])

    async def _find_all(self, online: Online, tables: list[int]) -> None:
        """Finds the player's seats, which are at these tables."""
        for table in tables:
            if table not in online.seated and self._tables.loaded(table) is None:
                await self._attendance.find_seat(online, table)
