"""People at every node who play on and on while nodes and servers fail: what a test looks at is
whether they get on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from tests.support.people import playing
from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.system.e2e.clients import Refused
from tests.system.e2e.play import LONG, LONG_MOVES, column

PACE_SECONDS = 0.02
"""Between two moves: what is to be seen are faults, not a full load."""
STEPS = 4
"""So many more must be acknowledged before something goes on."""


class Host(Protocol):
    """Who lets people in."""

    async def guest(self, name: str, at: int = 0) -> Player:
        """Someone new, at that node."""


class Activity:
    """Something that goes on, step by step; each step was acknowledged by the hall."""

    players: Sequence[Player] = ()
    """Who take part."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.table = 0
        self.done = 0
        self._change = asyncio.Event()
        self._task = asyncio.create_task(self._play())

    async def _play(self) -> None:
        raise NotImplementedError

    async def step(self) -> None:
        self.done += 1
        self._change.set()
        await asyncio.sleep(PACE_SECONDS)

    def check(self) -> None:
        """Raises whatever has ended it."""
        if self._task.done():
            self._task.result()
            raise AssertionError(f"{self.name} has ended")

    async def goes_on(self) -> None:
        """Returns when more of it was done, begun before this or later."""
        goal = self.done + STEPS
        async with limit(
            f"{self.name} goes on", lambda: f"{self.done} of {goal} steps at {self.table}"
        ):
            while self.done < goal:
                self.check()
                self._change.clear()
                waiting = asyncio.ensure_future(self._change.wait())
                await asyncio.wait([waiting, self._task], return_when="FIRST_COMPLETED")
                waiting.cancel()

    async def end(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


class Traffic:
    """What goes on in a hall. A context manager."""

    def __init__(self, host: Host, *, clocks_are_set: bool = False) -> None:
        self._host = host
        self._clocks_are_set = clocks_are_set
        self._activities: list[Activity] = []

    async def pair(self, first: int, second: int, watcher: int | None = None) -> Pair:
        """Two at those nodes who play Connect Four at a table that the first opens."""
        number = len(self._activities)
        players = [
            await self._host.guest(f"{who}{number}", at)
            for who, at in (("anna", first), ("bob", second))
        ]
        watching = None if watcher is None else await self._host.guest(f"carl{number}", watcher)
        name = f"the game at nodes {first} and {second}"
        pair = Pair(name, players[0], players[1], watching, clocks_are_set=self._clocks_are_set)
        self._activities.append(pair)
        return pair

    async def bettor(self, at: int) -> Activity:
        """Someone at that node who bets at Sic Bo in every round."""
        player = await self._host.guest(f"dora{len(self._activities)}", at)
        bettor = Bettor(f"the bettor at node {at}", player)
        self._activities.append(bettor)
        return bettor

    async def bingo(self, *nodes: int) -> Bingo:
        """Players at these nodes, at a table of called Bingo."""
        number = len(self._activities)
        players = [await self._host.guest(f"emma{number}", at) for at in nodes]
        bingo = Bingo(f"Bingo at nodes {nodes}", players)
        self._activities.append(bingo)
        return bingo

    def add(self, activity: Activity) -> None:
        self._activities.append(activity)

    async def more(self, steps: int) -> None:
        """Returns when so many more were made, in any of it."""
        goal = sum(each.done for each in self._activities) + steps
        async with limit(f"{steps} steps"):
            while sum(each.done for each in self._activities) < goal:
                for each in self._activities:
                    each.check()
                await asyncio.sleep(PACE_SECONDS)

    async def goes_on(self, *only: Activity) -> None:
        """Everything gets on, or these."""
        await asyncio.gather(*(each.goes_on() for each in only or self._activities))

    async def __aenter__(self) -> Traffic:
        return self

    async def __aexit__(self, *_: object) -> None:
        ends = (activity.end() for activity in self._activities)
        all_ended = await asyncio.gather(*ends, return_exceptions=True)
        for activity, ended in zip(self._activities, all_ended, strict=True):
            if ended is not None:
                ended.add_note(f"{activity.name}, at table {activity.table}")
                for player in activity.players:
                    ended.add_note(f"{player.name}: {player.last_lines()}")
                raise ended


class Pair(Activity):
    """Two who play Connect Four, one table after the other, and perhaps someone who watches."""

    def __init__(
        self,
        name: str,
        first: Player,
        second: Player,
        watcher: Player | None,
        *,
        clocks_are_set: bool = False,
    ) -> None:
        self.players = (first, second)
        self.watcher = watcher
        self._clocks_are_set = clocks_are_set
        super().__init__(name)

    async def _play(self) -> None:
        first, second = self.players
        while True:
            opened = await first.ask("open_table", game="connect-four", options=LONG)
            self.table = table = opened["table"]
            if not await self._all_sit():
                continue
            seats = [first, second]
            if await playing.seat_of(first, table):
                seats.reverse()
            for move in range(LONG_MOVES):
                drop = {"type": "drop", "column": column(move)}
                answer = await seats[move % 2].ask("act", table=table, command=drop)
                if self.watcher is not None:
                    await playing.all_heard(table, answer["seq"], self.watcher)
                await self.step()
            for player in self.players:
                with suppress(Refused):  # It may be closed by now.
                    await player.ask("leave", table=table)

    async def _all_sit(self) -> bool:
        """Not if the table is closed by then: its seats are kept for a while, which is over as soon
        as a hall starts again by a clock that was set meanwhile."""
        try:
            if self.watcher is not None:
                await self.watcher.ask("watch", table=self.table)
            for player in self.players:
                await player.ask("sit", table=self.table)
        except Refused as refusal:
            if refusal.code != "table_closed" or not self._clocks_are_set:
                raise
            return False
        return True


class Bettor(Activity):
    def __init__(self, name: str, player: Player) -> None:
        self.players = (player,)
        super().__init__(name)

    async def _play(self) -> None:
        (player,) = self.players
        self.table = await playing.at_the_halls_table("sicbo", player)
        while True:
            if await playing.bet(player, self.table, "BIG", 100 + self.done):
                await self.step()


class Bingo(Activity):
    """Called Bingo, round after round; a step is a number that someone has answered."""

    def __init__(self, name: str, players: list[Player]) -> None:
        self.players = players
        super().__init__(name)

    async def _play(self) -> None:
        options = {"pause_seconds": 0.02, "ready_seconds": 1}
        opened = await self.players[0].ask("open_table", game="bingo", options=options)
        self.table = opened["table"]
        for player in self.players:
            await player.ask("sit", table=self.table)
        await playing.together(*(self._answer(player) for player in self.players))

    async def _answer(self, player: Player) -> None:
        while True:
            view = await player.view(self.table)
            types = [command["type"] for command in view["legal"]]
            for type in ("claim", "start", "ready"):
                if type in types:
                    with suppress(Refused):  # Another was quicker.
                        await player.ask("act", table=self.table, command={"type": type})
                        await self.step()
                    break
            else:
                await playing.heard_more(player, self.table, view["seq"])
