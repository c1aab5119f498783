"""Rounds of two-player Bingo as any spectator may see them, read from the journal.

All that a room shows comes from the game's own view for a spectator, which hides what is hidden.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

import msgspec

from gamehall.errors import NotStarted
from gamehall.games.bingo_duel import BingoDuel, View
from gamehall.hall.beat.steps import Kind
from gamehall.hall.tables.tables import Tables
from gamehall.hall.visitors.duel_hello import named_by
from gamehall.store.journals import Line
from gamehall.store.lists import TableInfo
from gamehall.store.store import Store
from gamehall.table_log.table_state import TableState

T = TypeVar("T")

GAME = BingoDuel.name
ROWS_MAX = 1000
"""Rows of one round that are read; the largest board has 400 picks."""
KNOWN_MAX = 1024
"""Rooms that are kept as they were read last."""


class Names(msgspec.Struct, frozen=True):
    """Who plays in a round, by seat, and of which match it is."""

    uids: tuple[str, str]
    match: int | None


class Room(msgspec.Struct, frozen=True):
    names: Names
    view: View
    winner: str | None

    @property
    def next_move(self) -> str:
        """The uid; nothing when the round is over."""
        return "" if self.view.turn is None else self.names.uids[self.view.turn]


class Recent(Generic[T]):
    """What was used last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: Hashable, thing: T) -> T:
        self._kept[key] = thing
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return thing


class DuelRooms:
    """Reads rooms, each once for as long as nothing happens there."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._names: Recent[Names] = Recent(KNOWN_MAX)
        """By table and round."""
        self._rooms: Recent[Room] = Recent(KNOWN_MAX)
        """By table and row."""
        self.reads = 0
        """How often a journal was read so far."""

    @property
    def _kind(self) -> Kind:
        return self._tables.kind(GAME)

    async def now(self, info: TableInfo) -> Room:
        """The table's latest round as it stands. Raises NotStarted."""
        table = self._tables.loaded(info.id)
        names = self._names.get((info.id, info.round))
        if (
            table is None
            or names is None
            or table.head < info.head  # Nobody knows yet what became of a write.
            or table.state.opened.round != info.round
        ):
            return await self.at(info.id, info.round, info.round_seq, info.head)
        return self._room(table.state, names)

    async def at(self, table: int, round: int, first_seq: int, last_seq: int) -> Room:
        """The round as it stood after that row. Raises NotStarted."""
        known = self._rooms.get((table, last_seq))
        if known is not None:
            return known
        self.reads += 1
        lines = await self._store.read(table, first_seq - 1, ROWS_MAX)
        state, names = self._replay([line for line in lines if line.seq <= last_seq])
        room = self._room(state, self._names.keep((table, round), names))
        return self._rooms.keep((table, last_seq), room)

    def _replay(self, lines: list[Line]) -> tuple[TableState, Names]:
        state: TableState | None = None
        match: int | None = None
        uids: dict[int, str] = {}
        for line in lines:
            named = named_by(line.request)
            if named is not None and line.request is not None:
                match, uids[line.request.player] = named[0], str(named[1])
            state = self._kind.rules.replayed(state, self._kind.codec.decode(line.line).events)
        if state is None or state.game is None:
            raise NotStarted("Nobody has begun to play there.")
        first, second = (state.chairs[seat] for seat in (0, 1))
        names = (uids.get(first.player, first.name), uids.get(second.player, second.name))
        return state, Names(names, match)

    def _room(self, state: TableState, names: Names) -> Room:
        if state.game is None:
            raise NotStarted("Nobody has begun to play there.")
        view: View = self._kind.game.view(state.game, None)
        if state.over:
            # Called off, perhaps: then the game itself knows of no end.
            view = msgspec.structs.replace(view, turn=None)
        winners = () if state.outcome is None else state.outcome.winners
        return Room(names, view, names.uids[winners[0]] if winners else None)
