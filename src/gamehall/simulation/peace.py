"""What is demanded of a hall when all is well again, in a simulated world or a real one: everyone
is answered, every table goes on, and those who seek the same game are paired."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.person import Person

PAUSE_SECONDS = 0.02
GAME_SECONDS = 0.5
"""Between looking whether tournaments are over: so long the next games have to begin."""


class Violation(AssertionError):
    """The hall has broken a promise."""


class Peace:
    def __init__(
        self, people: Sequence[Person], visitors: Sequence[Client], limit_seconds: float
    ) -> None:
        """`people` are those at the native door, `visitors` all others. Nothing may take longer
        than `limit_seconds`."""
        self._people = people
        self._everyone: Sequence[Client] = [*people, *visitors]
        self._limit_seconds = limit_seconds

    async def demand(self) -> None:
        """Raises Violation."""
        await self.all_let_in()
        await self.all_answered("everyone is answered")
        await self.all_shown()
        await self.all_move()
        await self.until(lambda: not self._waiting_in_vain(), "who seeks the same is paired")
        for client in self._everyone:
            client.expect_more()
        await self.until(self._all_heard_more, "games go on", self._stuck)

    async def all_let_in(self) -> None:
        await self.until(self.all_here, "all are let in", self.missing)

    async def all_answered(self, what: str) -> None:
        await self.until(self._all_answered, what, self._unanswered)

    async def all_shown(self) -> None:
        """Has every table shown as it stands to those who follow it."""
        for person in self._people:
            person.catch_up()
        await self.all_answered("everyone is shown the tables")

    async def all_move(self) -> None:
        """Has everyone make a move wherever it can."""
        for person in self._people:
            person.go_on()
        await self.all_answered("everyone can go on")

    async def tournaments_end(self) -> None:
        """Has everyone give in, game by game, until every tournament that has begun is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._limit_seconds
        for person in self._people:
            person.find_seats()
        while running := await self._running_tournaments():
            if loop.time() > until:
                limit = f"{self._limit_seconds:g}"
                raise Violation(f"not in {limit} seconds: tournaments end {sorted(running)}")
            await self.all_shown()
            for person in self._people:
                person.give_in()
            await self.all_answered("everyone can give in")
            await asyncio.sleep(GAME_SECONDS)

    async def _running_tournaments(self) -> set[int]:
        for person in self._people:
            person.tournaments.look()
        await self.all_answered("everyone is shown the tournaments")
        return {each for person in self._people for each in person.tournaments.running}

    async def until(
        self, holds: Callable[[], bool], what: str, why: Callable[[], str] = str
    ) -> None:
        """Returns when it `holds`. Raises Violation."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._limit_seconds
        while not holds():
            if loop.time() > until:
                raise Violation(f"not in {self._limit_seconds:g} seconds: {what} {why()}")
            await asyncio.sleep(PAUSE_SECONDS)

    def all_here(self) -> bool:
        return all(client.here for client in self._everyone)

    def missing(self) -> str:
        return str([client.name for client in self._everyone if not client.here])

    def _all_heard_more(self) -> bool:
        return all(client.heard_more for client in self._everyone)

    def _stuck(self) -> str:
        return str([client.name for client in self._everyone if not client.heard_more])

    def _all_answered(self) -> bool:
        return all(person.here and not person.pending for person in self._people)

    def _unanswered(self) -> str:
        return str({each.name: [each.here, *each.pending.values()] for each in self._people})

    def _waiting_in_vain(self) -> set[str]:
        """Games that two people seek."""
        sought = [game for client in self._everyone for game in client.sought]
        return {game for game in sought if sought.count(game) > 1}
