"""What doors read: tables in memory, and what the store has kept of tables and players."""

from __future__ import annotations

from gamehall.bus.bus import Bus
from gamehall.games.game import Options
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import TableStatus
from gamehall.store.lists import TableInfo
from gamehall.store.store import Store


class Reading:
    """What the store is asked raises Unavailable while it cannot answer."""

    def __init__(self, store: Store, bus: Bus, tables: Tables) -> None:
        self._store = store
        self._bus = bus
        self._tables = tables
        # What these say themselves is asked as it is there.
        self.loaded, self.all_loaded, self.load = tables.loaded, tables.all_loaded, tables.load
        self.standings, self.best_rated = store.standings, store.best_rated
        self.player_named, self.balance = store.player_named, store.balance
        self.statement = store.statement

    async def ping(self) -> None:
        """Returns if store and bus work."""
        await self._store.ping()
        await self._bus.ping()

    def game_name(self, game: str) -> str:
        """The game's first name, by any of its names. Raises NoSuchGame."""
        return self._tables.kind(game).game.name

    def usual_options(self, game: str) -> Options:
        """Those of a table that is opened without any. Raises NoSuchGame."""
        options: Options = self._tables.kind(game).rules.read_options({})
        return options

    async def tables(
        self, game: str | None, status: TableStatus | None, after: int, limit: int
    ) -> list[TableInfo]:
        """Public tables by id, from the next after `after`; without a status, open ones."""
        return await self._store.tables(
            game=game, status=status, private=False, after=after, limit=limit
        )
