"""What is told around a table and is in no journal, to people at other nodes: chat, how many watch,
and that someone has a seat there.

It passes by the owner, who knows which nodes follow. It may be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
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


class _Counts(Body, frozen=True):
    """How many watch, by table: at the follower that says so, or everywhere else, as owners say."""

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
        self._exchange.on("watching", _Counts, self._hear_follower)
        self._exchange.on("watched", _Counts, self._hear_owner)
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
        """What was known of others may be what an owner before this one had told."""
        self._audiences.forget_elsewhere(table.id)
        if isinstance(table, Replica):
            self._tell_owner(table.node, [table.id])

    def counted(self, id: int) -> None:
        """How many watch there has changed at this node."""
        table = self._tables.loaded(id)
        if isinstance(table, Replica):
            self._tell_owner(table.node, [id])
        elif table is not None:
            for node in self._tables.followers.of(id):
                self._exchange.tell(node, "watched", _Counts((self._beside(id, node),)))

    def _tell_owner(self, node: str, tables: Sequence[int]) -> None:
        here = tuple((id, self._audiences.watching_here(id)) for id in tables)
        self._exchange.tell(node, "watching", _Counts(here))

    def _beside(self, table: int, node: str) -> tuple[int, int]:
        """The table, and how many watch it at other nodes than that one."""
        elsewhere = self._audiences.of(table).elsewhere
        others = sum(count for other, count in elsewhere.items() if other != node)
        return table, self._audiences.watching_here(table) + others

    def _hear_follower(self, node: str, counts: _Counts) -> None:
        for id, count in counts.watching:
            table = self._tables.loaded(id)
            # Of one that does not follow, its end might not be heard. It follows again in a moment.
            if table is None or node not in self._tables.followers.of(id):
                continue
            self._audiences.watched_elsewhere(id, node, count)
            if count:
                table.wake()  # It may have begun to rest before this was heard.
        owned = [id for id, _ in counts.watching if self._tables.owned(id)]
        if owned:
            told = tuple(self._beside(id, node) for id in owned)
            self._exchange.tell(node, "watched", _Counts(told))

    def _hear_owner(self, node: str, counts: _Counts) -> None:
        for id, count in counts.watching:
            table = self._tables.loaded(id)
            if isinstance(table, Replica) and table.node == node:
                self._audiences.watched_elsewhere(id, node, count)

    def _tell_owners(self) -> None:
        """Again, since a count that was lost would stand for ever."""
        of_node: dict[str, list[int]] = {}
        for table in self._tables.all_loaded():
            if isinstance(table, Replica):
                of_node.setdefault(table.node, []).append(table.id)
        for node, tables in of_node.items():
            self._tell_owner(node, tables)

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
            self._tell_owners()
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
