"""A game for a player who wants one, wherever it is to be had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehall.errors import HallError
from gamehall.hall.beat.requests import Done
from gamehall.hall.lobby.lobby import LobbyHall
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.people.link import Link
from gamehall.hall.seats.house_tables import HouseTables
from gamehall.hall.seats.seating import Seating


class GameFinder:
    def __init__(self, lobby: LobbyHall, house_tables: HouseTables, seating: Seating) -> None:
        self._lobby = lobby
        self._house_tables = house_tables
        self._seating = seating

    async def seek(
        self,
        link: Link,
        game: str,
        options: dict[str, Any],
        rated: bool,
        accepted: Callable[[], None],
    ) -> None:
        """Finds a game: at the hall's own table, if it has one of that kind, or by waiting for
        someone who wants the same. `accepted` is called before anything follows from it.

        Raises:
            NotFree, NoSuchGame, TooMany …
        """
        online = link.me
        if options or not self._house_tables.begins_empty(game):
            await self._lobby.seek(online, game, options, rated)
            accepted()
            return
        sat = Awaited[Done]()

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, Done):
                accepted()
            sat(answer)

        table = await self._house_tables.table(game)
        await self._seating.sit(link, online, table, None, None, None, reply)
        await sat
