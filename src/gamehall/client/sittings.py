"""The games that one player plays at a hall, by their tables."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gamehall.bots.contender import Contender, Result, Sitting
from gamehall.games.game import Game


class Sittings:
    """One sitting for each round, from its first move until the round is over."""

    def __init__(self, contender: Contender, game: Game[Any], seed: int) -> None:
        self._contender = contender
        self._game = game
        self._seed = seed
        self._open: dict[int, tuple[int, Sitting]] = {}
        """By table, with the round."""
        self._results: dict[int, tuple[Result, str]] = {}
        """What is known of those rounds."""

    async def at(self, table: int, round: int, seat: int) -> Sitting:
        """The sitting of this round, a new one if it has none."""
        known = self._open.get(table)
        if known is not None and known[0] == round:
            return known[1]
        await self._end(table)
        seed = Random(f"{self._seed} {table} {round}").getrandbits(32)
        sitting = self._contender.sit(self._game, seat, seed)
        self._open[table] = (round, sitting)
        return sitting

    def note(self, table: int, round: int, result: Result, reason: str) -> None:
        """How a round has ended."""
        if table in self._open and self._open[table][0] == round:
            self._results[table] = (result, reason)

    async def settle(self, rounds: Mapping[int, int]) -> None:
        """Ends the sittings of all rounds but these, by table."""
        for table, (round, _) in tuple(self._open.items()):
            if rounds.get(table) != round:
                await self._end(table)

    async def _end(self, table: int) -> None:
        if table in self._open:
            _, sitting = self._open.pop(table)
            await sitting.end(*self._results.pop(table, ("void", "closed")))
