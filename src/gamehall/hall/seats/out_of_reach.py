"""Seats that this node knows from the store alone: it could not load their tables yet, or has not
heard of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gamehall.errors import NoSuchGame
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store


@dataclass(eq=False, repr=False)
class OutOfReach:
    """Who plays where this node cannot look must not be brought to another table meanwhile."""

    _tables: Tables
    _players: Players
    _store: Store

    async def binds(self, table: int) -> bool:
        """Whether a seat there keeps its player busy, as the store says. Raises Unavailable."""
        info = await self._store.table(table)
        if info is None or info.status not in ("waiting", "playing"):
            return False
        try:
            return self._tables.kind(info.game).game.binding
        except NoSuchGame:
            return False

    async def plays_elsewhere(self, people: Sequence[int], table: int) -> bool:
        """Whether a seat at another table than this keeps one of these busy, as the store says: it
        knows of a seat before any node but the table's has heard of it. Raises Unavailable."""
        for _, other in await self._store.seats_of(people):
            if other != table and await self.binds(other):
                return True
        return False

    def mark(self, online: Online, table: int, *, binds: bool) -> None:
        """The player is busy with a table that is out of reach, or is not any more."""
        is_old = self._players.online.get(online.player.id) is not online
        if is_old or table in online.seated or binds == (table in online.out_of_reach):
            return
        for tables in (online.out_of_reach, online.busy):
            (tables.add if binds else tables.discard)(table)
        self._players.on_change(online)

    def release(self, online: Online, tables: Iterable[int]) -> None:
        """The store says that it has no seat at these any more."""
        for table in tables:
            self.mark(online, table, binds=False)
