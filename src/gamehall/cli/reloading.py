"""`gamehall serve --reload`: whenever a game's file changes, the hall goes on with the new rules.

The hall stops and starts within the same process, on the same ports, as after a planned restart:
nothing can hold on to the old rules, tables are rebuilt from their journals, and clients come back
by themselves. Before that the new rules have to load and to rebuild every open table.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from gamehall.catalogue import GameFileError, catalogue, module_name
from gamehall.errors import HallError
from gamehall.games.game import Game
from gamehall.table_log.journal import RowCodec
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState

if TYPE_CHECKING:
    # The help of `serve`, which imports this, is not to wait for the whole server.
    from gamehall.hall.hall import Hall
    from gamehall.server import Server
    from gamehall.store.lists import TableInfo

LOOK_SECONDS = 0.2
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
    seen = _stamps(files)
    while not stopping.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), LOOK_SECONDS)
        before, seen = seen, seen | _stamps(files)
        if stopping.is_set() or seen == before:
            continue
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


def _stamps(files: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """What changes with a file's content. An editor may be about to put a new one there."""
    stamps = {}
    for file in files:
        with suppress(OSError):
            stat = file.stat()
            stamps[file] = (stat.st_mtime_ns, stat.st_size)
    return stamps


async def load_again(files: Sequence[Path], hall: Hall) -> Games:
    """All games, with those in files as they are now.

    Raises:
        GameFileError: one does not load, or cannot rebuild a table that is open.
        Unavailable: the store does not say which tables are.
    """
    from gamehall.store.lists import every_table

    names = [module_name(file) for file in files]
    before: dict[str, ModuleType] = {name: sys.modules[name] for name in names}
    try:
        games = catalogue(files)
        brought = {name: game for name, game in games.items() if type(game).__module__ in names}
        gone = {name for name in hall.games if name not in games}
        async for info in every_table(hall.rooms.store):
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
            state = rules.replayed(state, codec.decode(line.line).events)
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
