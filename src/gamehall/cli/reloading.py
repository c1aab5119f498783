"""`gamehall serve --reload`: whenever a game's file changes, the hall goes on with the new rules.

The hall stops and starts within the same process, on the same ports, as after a planned restart:
nothing can hold on to the old rules, tables are rebuilt from their journals, and clients come back
by themselves. Before that the new rules have to load and to rebuild every open table.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from gamehall.catalogue import GameFileError, catalogue, module_name
from gamehall.errors import HallError
from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.journal import RowCodec
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState

if TYPE_CHECKING:
    # Other commands, which import this one too, are not to load the whole server.
    from gamehall.hall.hall import Hall
    from gamehall.server import Server
    from gamehall.store.lists import TableInfo

LOOK_SECONDS = 0.2
PAGE = 256
Games = Mapping[str, Game[Any]]


Start = Callable[[Games, Mapping[str, int]], "Awaitable[Server]"]
"""Starts a hall with these games, its doors on these ports."""


async def keep_up(
    server: Server,
    files: Sequence[Path],
    stopping: asyncio.Event,
    start: Start,
    say: Callable[[str], None],
) -> Server:
    """The hall that runs when `stopping` is set: a new one whenever a file has changed."""
    watched = _Watched(files)
    while await watched.changed(stopping):
        try:
            games = await load_again(files, server.hall)
        except (GameFileError, HallError) as error:
            say(f"not reloaded, the old rules stay: {error}")
            continue
        ports = {name: int(address.rpartition(":")[2]) for name, address in server.doors}
        await server.stop(0)
        server = await start(games, ports)
        say("reloaded")
    return server


class _Watched:
    """The files, looked at again and again."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._seen: dict[Path, tuple[int, int] | None] = dict.fromkeys(files)
        self._look()

    async def changed(self, stopping: asyncio.Event) -> bool:
        """True once one of them has other content, False if the hall is to stop first."""
        while not stopping.is_set():
            if self._look():
                return True
            try:
                await asyncio.wait_for(stopping.wait(), LOOK_SECONDS)
            except TimeoutError:
                continue
        return False

    def _look(self) -> bool:
        before = dict(self._seen)
        for file in self._seen:
            try:
                stat = file.stat()
            except OSError:
                continue  # An editor may be about to put the new one there.
            self._seen[file] = (stat.st_mtime_ns, stat.st_size)
        return self._seen != before


async def load_again(files: Sequence[Path], hall: Hall) -> Games:
    """All games, with those in files as they are now.

    Raises:
        GameFileError: one does not load, or cannot rebuild a table that is open.
        Unavailable: the store does not say which tables are.
    """
    names = [module_name(file) for file in files]
    before: dict[str, ModuleType] = {name: sys.modules[name] for name in names}
    try:
        games = catalogue(files)
        brought = {name: game for name, game in games.items() if type(game).__module__ in names}
        gone = {name for name in hall.games if name not in games}
        after = 0
        while page := await hall.rooms.store.tables(
            game=None, status=None, private=True, after=after, limit=PAGE
        ):
            for info in page:
                after = info.id
                if info.game in gone:
                    raise GameFileError(f"Table {info.id} is open, and no file has {info.game!r}.")
                if info.game in brought:
                    await _rebuild(hall, info, brought[info.game])
    except (GameFileError, HallError):
        # The old rules look up names in the old modules.
        sys.modules.update(before)
        raise
    return games


async def _rebuild(hall: Hall, info: TableInfo, game: Game[Any]) -> None:
    """Raises GameFileError if these rules cannot take the table over."""
    rules, codec = TableRules(game), RowCodec(game)
    state: TableState | None = None
    for line in await hall.rooms.tables.lines(info.id, info.round_seq, info.head):
        try:
            for event in codec.decode(line.line).events:
                # A row that opens a round may have ended the one before.
                if state is not None or isinstance(event, house.Opened):
                    state = rules.apply(state, event)
        except Exception as error:
            raise GameFileError(
                f"Table {info.id} cannot be rebuilt from row {line.seq} of its journal: {error!r}"
            ) from error
    try:
        if state is not None and state.game is not None:
            rules.timer(state)
            for seat in (None, *state.chairs):
                view = game.view(state.game, seat)
                legal = [] if seat is None else list(game.legal(state.game, seat))
                msgspec.json.encode((view, game.picture(view), legal))
    except Exception as error:
        raise GameFileError(f"Table {info.id} cannot be shown: {error!r}") from error
