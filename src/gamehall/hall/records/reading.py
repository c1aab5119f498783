"""What doors read: tables in memory, and what the store has kept of tables and players."""

from __future__ import annotations

from collections.abc import Sequence

from gamehall.bus.bus import Bus
from gamehall.games.game import Options
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import TableStatus
from gamehall.store.lists import Rating, Standing, TableInfo
from gamehall.store.people import Player, StatementItem
from gamehall.store.store import Store


class Reading:
    """What the store is asked raises Unavailable while it cannot answer."""

    def __init__(self, store: Store, bus: Bus, tables: Tables) -> None:
        self._store = store
        self._bus = bus
        self._tables = tables

    async def ping(self) -> None:
        """Returns if store and bus work."""
        await self._store.ping()
        await self._bus.ping()

    # Games

    def game_name(self, game: str) -> str:
        """The game's first name, by any of its names. Raises NoSuchGame."""
        return self._tables.kind(game).game.name

    def usual_options(self, game: str) -> Options:
        """Those of a table that is opened without any. Raises NoSuchGame."""
        options: Options = self._tables.kind(game).rules.read_options({})
        return options

    # Tables in memory

    def loaded(self, table: int) -> KnownTable | None:
        """The table if it is in memory here, owned or followed."""
        return self._tables.loaded(table)

    def all_loaded(self) -> Sequence[KnownTable]:
        return self._tables.all_loaded()

    async def load(self, table: int) -> KnownTable:
        """The table, loaded if need be. Raises NoSuchTable, NoSuchGame, Unavailable."""
        return await self._tables.load(table)

    # What was kept

    async def tables(
        self, game: str | None, status: TableStatus | None, after: int, limit: int
    ) -> list[TableInfo]:
        """Public tables by id, from the next after `after`; without a status, open ones."""
        return await self._store.tables(
            game=game, status=status, private=False, after=after, limit=limit
        )

    async def standings(self, game: str | None, limit: int) -> list[Standing]:
        return await self._store.standings(game=game, limit=limit)

    async def best_rated(self, game: str, *, bots: bool, limit: int) -> list[Rating]:
        return await self._store.best_rated(game, bots=bots, limit=limit)

    async def player_named(self, name: str) -> Player | None:
        """A member or bot, else the guest of that name who came last."""
        return await self._store.player_named(name)

    async def balance(self, player: int) -> int:
        return await self._store.balance(player)

    async def statement(
        self, player: int, before: int | None, limit: int
    ) -> Sequence[StatementItem]:
        """The player's transfers, newest first, older than the item whose id is `before`."""
        return await self._store.statement(player, before=before, limit=limit)
