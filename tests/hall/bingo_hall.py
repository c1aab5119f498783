"""People at the hall's own table of called Bingo, with time that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from gamehall.errors import HallError
from gamehall.games.bingo import Called, CardsDealt, Deal, Ready, State
from gamehall.games.game import Command
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.store.people import Player
from tests.hall.halls import FakeLink, TestHall, until

PAUSE_MS, READY_MS, GRACE_MS = 1_000, 10_000, 60_000


class BingoHall:
    """The hall's table, and those who sit at it by name."""

    def __init__(self, house: TestHall, table: int) -> None:
        self.house = house
        self.id = table
        self.at: dict[str, FakeLink] = {}

    @classmethod
    async def open(cls, house: TestHall, *names: str) -> BingoHall:
        bingo = cls(house, await house.hall.house_tables.table("bingo"))
        for name in names:
            await bingo.come(name)
        return bingo

    # Coming and going

    async def come(self, name: str) -> FakeLink:
        link = self.at[name] = await self.house.guest(name)
        assert isinstance(await self.sit(link), Done)
        return link

    async def sit(self, link: FakeLink) -> Done | HallError:
        assert link.online is not None
        answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
        await self.house.hall.seating.sit(
            link, link.online, self.id, None, None, None, answered.set_result
        )
        return await answered

    def player(self, name: str) -> Player:
        online = self.at[name].online
        assert online is not None
        return online.player

    async def drop(self, name: str) -> Player:
        player = self.player(name)
        self.house.hall.people.disconnected(self.at[name])
        await self.settle()
        return player

    async def back(self, name: str, player: Player) -> FakeLink:
        link = self.at[name] = FakeLink()
        self.house.hall.rooms.players.attach(link, player)
        assert link.online is not None
        await self.house.hall.rooms.attendance.come_back(link.online, link)
        await self.settle()
        return link

    # Playing

    @property
    def table(self) -> Table:
        table = self.house.hall.rooms.tables.loaded(self.id)
        assert isinstance(table, Table)
        return table

    @property
    def state(self) -> State:
        state: Any = self.table.state
        assert isinstance(state.game, State)
        return state.game

    @property
    def round(self) -> int:
        state = self.table.state
        assert state is not None
        return state.opened.round

    def seat(self, name: str) -> int:
        state = self.table.state
        assert state is not None
        return state.seat_of[self.player(name).id]

    async def settle(self) -> None:
        """Returns when the table has done what it was asked."""
        await until(lambda: self.table.idle)

    async def do(self, name: str, command: Command) -> Done | HallError:
        return await self.house.ask(self.at[name], self.id, command)

    async def together(self, asked: Sequence[tuple[str, Command]]) -> list[Done | HallError]:
        """What is asked in one and the same moment."""
        loop = asyncio.get_running_loop()
        answers: list[asyncio.Future[Done | HallError]] = []
        for name, command in asked:
            answers.append(loop.create_future())
            player = self.player(name).id
            self.house.hall.rooms.tables.put(Ask(self.id, player, command, answers[-1].set_result))
        return await asyncio.gather(*answers)

    async def start(self, name: str) -> None:
        assert isinstance(await self.do(name, Deal()), Done)

    async def ready(self, *names: str) -> None:
        for name in names:
            assert isinstance(await self.do(name, Ready()), Done)

    @property
    def wait_ms(self) -> int:
        """How long the next number is away."""
        due_ms = self.table.alarm.due_ms
        assert due_ms is not None
        return due_ms - self.house.clock.now_ms()

    async def call(self) -> None:
        """The next thing that is due happens, and is written."""
        head = self.table.head
        self.house.clock.advance(max(self.wait_ms, 0))
        await until(lambda: self.table.head > head)
        await self.settle()

    # What was heard

    def cards(self, name: str) -> list[CardsDealt]:
        return [e for e in self.at[name].events() if isinstance(e, CardsDealt)]

    def numbers(self, name: str) -> list[int]:
        return [e.number for e in self.at[name].events() if isinstance(e, Called)]
