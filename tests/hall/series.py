"""Rounds of one table, played one after the other, and looks at the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gamehall.games.game import Command
from gamehall.games.two_in_turn import Resign
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.store.appends import Request
from gamehall.table_log import house as h
from tests.hall.halls import TestHall
from tests.support.waiting import WAIT_SECONDS

LOOKS = ("used_ids", "request", "request_between")


class Series:
    """Rounds of Connect Four between the same two, at one table."""

    def __init__(self, house: TestHall, table: int, players: list[int]) -> None:
        self.house = house
        self.table = table
        self.players = players
        self.requests = 0

    @classmethod
    async def begin(cls, house: TestHall) -> Series:
        links = [await house.guest(name) for name in ("anna", "bob")]
        table = await house.hall.rooms.tables.open("connect-four", {}, drawn=False)
        players = [link.online.player.id for link in links if link.online is not None]
        series = cls(house, table, players)
        for place, player in enumerate(players):
            person = h.Person(player, ("anna", "bob")[place])
            assert isinstance(await series.ask(place, h.Sit(person), f"sit {place}"), Done)
        return series

    def put(self, who: int, command: Command, id: str, digest: bytes = b"d") -> asyncio.Future[Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        player = self.players[who]
        request = Request(player, id, digest)
        ask = Ask(self.table, player, command, answer.set_result, request)
        self.house.hall.rooms.tables.put(ask)
        return answer

    async def ask(self, who: int, command: Command, id: str, digest: bytes = b"d") -> Any:
        return await asyncio.wait_for(self.put(who, command, id, digest), WAIT_SECONDS)

    async def do(self, who: int, command: Command) -> Done:
        """With an id that nobody has used."""
        self.requests += 1
        answer = await self.ask(who, command, f"new {self.requests}")
        assert isinstance(answer, Done), answer
        return answer

    async def rounds(self, count: int) -> None:
        """So many are played and over, and the next has begun."""
        for _ in range(count):
            await self.do(0, Resign())
            await self.rematch()

    async def rematch(self) -> None:
        for who in (0, 1):
            await self.do(who, h.Rematch())

    async def restart(self) -> None:
        await self.house.restart()
        await self.house.hall.rooms.tables.load(self.table)

    @property
    def at(self) -> Table:
        table = self.house.hall.rooms.tables.loaded(self.table)
        assert isinstance(table, Table)
        return table

    @property
    def turn(self) -> int:
        """Whose turn it is, 0 or 1."""
        state: Any = self.at.state
        return next(who for who in (0, 1) if state.seat_of[self.players[who]] == state.game.turn)


def count_looks(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the journal from now on."""
    looks: list[str] = []

    def counted(name: str, look: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counting(*of: Any) -> Any:
            looks.append(name)
            return await look(*of)

        return counting

    for name in LOOKS:
        monkeypatch.setattr(house.store, name, counted(name, getattr(house.store, name)))
    return looks
