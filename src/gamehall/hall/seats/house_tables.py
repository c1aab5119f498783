"""Tables that stand open: the hall's own, for games whose rounds begin empty."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import KW_ONLY, dataclass
from itertools import count

import msgspec

from gamehall.errors import NoSuchTable
from gamehall.hall.beat.requests import Ask, unheard
from gamehall.hall.beat.steps import Kind
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.audience import Audiences
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store
from gamehall.table_log import house
from gamehall.table_log.sitting import has_seat_for

SEARCHED_MAX = 100
"""Tables that are looked at for a seat, those that have waited longest first."""


@dataclass(eq=False, repr=False)
class HouseTables:
    _tables: Tables
    _audiences: Audiences
    _store: Store
    _clock: Clock
    _: KW_ONLY
    seat_ms: int

    def __post_init__(self) -> None:
        self._by_game: dict[str, int] = {}

    def begins_empty(self, game: str) -> bool:
        """Whether rounds of this game wait for nobody, so that the hall has a table of its own.

        Raises:
            NoSuchGame: it is not here.
        """
        kind = self._tables.public_kind(game)
        return kind.game.seats(kind.rules.read_options({})).least == 0

    async def with_room(self, game: str, player: int) -> int:
        """The hall's own table, or one that waits for players and has a seat for this one.

        Raises:
            NoSuchTable: there is none.
        """
        if self.begins_empty(game):
            return await self.table(game)
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

    async def table(self, game: str) -> int:
        """The hall's own table of a game whose rounds begin empty; opened on first need.

        Raises:
            NoSuchTable: this game is played by appointment, and needs none.
        """
        name = self._tables.kind(game).game.name
        if not self.begins_empty(name):
            raise NoSuchTable
        known = self.known(name)
        if known is not None and self._tables.loaded(known) is None:
            # Another node may have it, and a fault may have closed it there.
            info = await self._store.table(known)
            if info is None or info.status == "closed":
                self._tables.of_the_house.discard(known)
                known = None
        if known is not None:
            return known
        for number in count(1):
            table = await self._tables.open(name, {}, origin=_origin(name, number))
            info = await self._store.table(table)
            if info is not None and info.status != "closed":
                break  # Else a fault has closed it, and another takes its place.
        self._by_game[name] = table
        self._tables.of_the_house.add(table)
        return table

    def known(self, game: str) -> int | None:
        """The hall's own table, if it was asked for since the start and is open."""
        table = self._by_game.get(game)
        return table if table in self._tables.of_the_house else None

    async def recognise(self, kind: Kind, table: int) -> None:
        """Knows the hall's own table of a game, if this is it: another node may have opened it."""
        if kind.game.public and self.begins_empty(kind.game.name):
            async for known in self._opened(kind.game.name):
                if known == table:
                    self._tables.of_the_house.add(table)
                    return

    async def find(self, games: Iterable[str]) -> None:
        """After a start: finds them again, and gives them the options of the settings."""
        for game in games:
            async for table in self._opened(game):
                info = await self._store.table(table)
                if info is None:
                    break
                if info.status == "closed":
                    continue
                self._tables.of_the_house.add(table)
                options = msgspec.to_builtins(self._tables.kind(game).rules.read_options({}))
                self._tables.put(Ask(table, None, house.SetOptions(options), unheard))

    async def walked_into(self, player: int) -> list[int]:
        """The hall's own tables where this player has a stake in the round."""
        found = []
        for game in self._walk_in_games():
            async for id in self._opened(game):
                info = await self._store.table(id)
                if info is None or info.status == "closed":
                    continue
                state = (await self._tables.load(id)).state
                if player in state.seat_of and not state.over:
                    found.append(id)
        return found

    async def _opened(self, game: str) -> AsyncIterator[int]:
        """Every table of a game that the hall has opened for itself, the first one first."""
        for number in count(1):
            table = await self._store.table_by_origin(_origin(game, number))
            if table is None:
                return
            yield table

    def _walk_in_games(self) -> list[str]:
        kinds = {kind.game.name: kind for kind in self._tables.public_kinds()}
        seats = {name: k.game.seats(k.rules.read_options({})) for name, k in kinds.items()}
        return [name for name, each in seats.items() if each.least == 0 and not each.kept]

    def close_deserted(self) -> None:
        """Closes tables into which nobody walks: players have opened them, and gone."""
        now_ms = self._clock.now_ms()
        for table in self._tables.all_loaded():
            state = table.state
            if not state.walk_in or table.id in self._tables.of_the_house:
                continue
            if not table.owned:
                continue  # Its owner knows whether it is the hall's own.
            if state.seat_of or self._audiences.has_people(table.id) or self._tables.is_new(table):
                continue
            if table.time.last_ms < table.time.at(now_ms) - self.seat_ms:
                self._tables.put(Ask(table.id, None, house.Close("empty"), unheard))


def _origin(game: str, number: int) -> str:
    return f"house:{game}" if number == 1 else f"house:{game}:{number}"
