"""The operator of a portal, who asks game servers for matches at any node, and looks how they
stand. It writes down what came of it."""

from __future__ import annotations

from itertools import count

import msgspec

from gamehall.errors import HallError
from gamehall.hall.hall import Hall
from gamehall.simulation.checker.arena import Asked, Look, Made
from gamehall.simulation.clients.picks import Picks

STARS = 3
"""Users who play many matches; each has another opponent, by whom it is known."""
OPPONENTS = 100
PAGE = 100


class MatchMaker:
    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.looks: list[Look] = []
        self._order = count()

    async def ask_any(self, hall: Hall, rng: Picks) -> None:
        """Raises HallError."""
        server = rng.one_of([info.id for info, _ in await hall.portal.servers()])
        if server is not None:
            await self.ask(hall, server)

    async def ask(self, hall: Hall, server: int) -> None:
        """Raises HallError."""
        number = len(self.asked)
        asked = Asked(server, 1 + number % STARS, OPPONENTS + number)
        self.asked.append(asked)
        try:
            made = await hall.portal.create(server, asked.uid1, asked.uid2)
        except HallError as error:
            asked.code = error.code
            raise
        asked.made = Made(made.match, made.address, made.port, made.key)

    async def look(self, hall: Hall, node: str, *, last: bool = False) -> None:
        """Raises HallError."""
        began = next(self._order)
        matches = await hall.portal.matches(0, PAGE)
        ended = next(self._order)
        scores = await hall.portal.scores()
        look = Look(
            node,
            began,
            ended,
            [msgspec.to_builtins(match) for match in matches],
            [msgspec.to_builtins(score) for score in scores],
            last,
        )
        self.looks.append(look)
