"""A hall for tests: real store, real rules, time that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gamehall.bots.house_bots import HouseBots
from gamehall.bus.local import LocalBus
from gamehall.errors import HallError
from gamehall.games import GAMES
from gamehall.games.game import Command, Game
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.hall import Hall
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice
from gamehall.hall.settings import HallSettings
from gamehall.hall.wiring import Rooms
from gamehall.solver.solver import Solver
from gamehall.store.appends import Answer, Append, Request
from gamehall.store.sqlite.store import SqliteStore
from gamehall.table_log.house import Leave
from gamehall.wire.http.other_halls import WebHalls
from tests.support.fake_clock import FakeClock
from tests.support.waiting import WAIT_SECONDS

KEY = DrawKey(bytes(range(32)))
STRANGER = -1
"""A player whom nobody knows."""
LIMIT_SECONDS = WAIT_SECONDS
"""For anything that a test waits for, also on a busy machine."""


class FakeLink(Link):
    """A client that keeps what it is told."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__(address)
        self.notices: list[Notice] = []
        self.told: list[tuple[Told, int | None]] = []

    @property
    def takes_challenges(self) -> bool:
        return True

    def tell(self, notice: Notice) -> None:
        self.notices.append(notice)

    def tell_table(self, told: Told, seat: int | None) -> None:
        self.told.append((told, seat))

    def events(self) -> list[Any]:
        player = None if self.online is None else self.online.player.id
        return [event for told, _ in self.told for event in told.seen_by(player)[1]]

    def of(self, kind: type[Any]) -> list[Any]:
        return [notice for notice in self.notices if isinstance(notice, kind)]


class ScriptedStore(SqliteStore):
    """The real store, whose next answers to appends a test can replace.

    A function in `script` gets the append and a way to really write it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.script: list[Callable[[Append, Callable[[Answer], None]], None]] = []
        self.appends: list[Append] = []

    def really_append(self, append: Append, done: Callable[[Answer], None]) -> None:
        super().append(append, done)

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self.appends.append(append)
        if self.script:
            self.script.pop(0)(append, done)
        else:
            super().append(append, done)


class TestHall:
    """A hall and its parts; `restart` throws the process's memory away."""

    __test__ = False

    def __init__(
        self,
        folder: Path,
        games: Mapping[str, Game[Any]] | None = None,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        solver: Solver | None = None,
    ) -> None:
        self._folder = folder
        self._solver = solver
        self._options = options
        self._games = games or {game.name: game for game in GAMES}
        self.clock = FakeClock()
        self.store: ScriptedStore
        self.hall: Hall

    async def start(self) -> None:
        self.store = ScriptedStore(self._folder / "hall.db")
        await self.store.start()
        rooms = Rooms(
            self._games,
            store=self.store,
            bus=LocalBus(),
            clock=self.clock,
            draw_key=KEY,
            make_bots=partial(HouseBots, solver=self._solver),
            other_halls=WebHalls(),
            solver=self._solver,
            settings=HallSettings(
                grace_seconds=60,
                options=self._options or {},
            ),
        )
        self.hall = Hall(rooms)

    async def stop(self) -> None:
        await self.hall.stop()
        await self.store.stop()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def guest(self, name: str) -> FakeLink:
        link = FakeLink()
        await self.hall.people.hello(link, name, None)
        return link

    async def ask(
        self, link: FakeLink, table: int, command: Command, request: str | None = None,
        digest: bytes = b"d",
    ) -> Done | HallError:  # fmt: skip
        assert link.online is not None
        player = link.online.player.id
        asked = None if request is None else Request(player, request, digest)
        answer: Done | HallError = await answer_of(
            lambda reply: self.hall.rooms.tables.put(Ask(table, player, command, reply, asked))
        )
        return answer

    async def ask_hall(self, table: int, command: Command) -> Done | HallError:
        """A command of the hall itself."""
        answer: Done | HallError = await answer_of(
            lambda reply: self.hall.rooms.tables.put(Ask(table, None, command, reply))
        )
        return answer

    async def settled(self, table: int) -> None:
        """Returns when the table has done all that was due: it answers a stranger after that."""
        put = self.hall.rooms.tables.put
        await answer_of(lambda reply: put(Ask(table, STRANGER, Leave(), reply)))


async def answer_of(ask: Callable[[Callable[[Any], None]], None]) -> Any:
    """What the reply is called with."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    ask(future.set_result)
    return await asyncio.wait_for(future, LIMIT_SECONDS)


async def until(condition: Callable[[], object]) -> None:
    """Returns when the condition holds; fails after a limit."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.002)
