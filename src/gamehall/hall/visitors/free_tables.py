"""A table for someone who wants to play a game and names none."""

from __future__ import annotations

from gamehall.errors import NoSuchTable
from gamehall.hall.seats.house_tables import HouseTables
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store
from gamehall.table_log.sitting import has_seat_for

SEARCHED_MAX = 100
"""Tables that are looked at, those that have waited longest first."""


class FreeTables:
    def __init__(self, house_tables: HouseTables, store: Store, tables: Tables) -> None:
        self._house_tables = house_tables
        self._store = store
        self._tables = tables

    async def find(self, game: str, player: int) -> int:
        """The hall's own table, or one that waits for players and has a seat for this one.

        Raises:
            NoSuchTable: there is none.
        """
        if self._house_tables.begins_empty(game):
            return await self._house_tables.table(game)
        waiting = await self._store.tables(
            game=game, status="waiting", private=False, after=0, limit=SEARCHED_MAX
        )
        for info in waiting:
            table = await self._tables.load(info.id)
            state = table.state
            if state.status != "waiting" or state.opened.by_invitation:
                continue  # It has begun meanwhile, or the hall gives out its seats.
            if has_seat_for(table.kind.game, state, player):
                return info.id
        raise NoSuchTable("No table of this game waits for players. Open one.")
