"""Who plays one game after the other: a bot of some level, or a program that someone has written.

A game is played by a *sitting* of its own, so that nothing of one game is left in the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from gamehall.bots.bot import AnyBot
from gamehall.bots.connect_four_perfect import PerfectBot
from gamehall.games.game import Command, Game

Result = Literal["won", "lost", "drawn", "over", "void"]
"""`over` is for games in which nobody plays against another, `void` for those that do not count."""
Kind = Literal["crashed", "hung", "lied", "overflowed"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TRIES = 2
"""How often a player is asked about one position: it may want what the rules refuse."""
FAULTS_MAX = 3
"""Games in a row that a player may lose by what it does, before it gets no more."""


class Misbehaved(Exception):
    """What a player has done, in words: it loses the game."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind


class Sitting:
    """One game of a contender. By default it may think again, and leaves nothing behind."""

    async def choose(self, view: Any, legal: Sequence[Command], rng: Random) -> Command | None:
        """As `Bot.choose`.

        Raises:
            Misbehaved: there is no answer to be had. The sitting is at its end.
        """
        raise NotImplementedError

    def refused(self, command: Command, legal: Sequence[Command], reason: str) -> None:
        """The rules do not take what it chose.

        Raises:
            Misbehaved: it may not think again.
        """

    async def end(self, result: Result, reason: str) -> None:
        """The game is over, or given up. Nothing of the sitting is left."""


@runtime_checkable
class Contender(Protocol):
    def sit(self, game: Game[Any], seat: int, seed: int) -> Sitting:
        """Its part in a new game."""
        ...


class LevelContender:
    """Plays with a bot that keeps nothing between its moves."""

    def __init__(self, bot: AnyBot) -> None:
        self.bot = bot

    def sit(self, game: Game[Any], seat: int, seed: int) -> Sitting:
        return _LevelSitting(self.bot, seat)


class _LevelSitting(Sitting):
    def __init__(self, bot: AnyBot, seat: int) -> None:
        self._bot = bot
        self._seat = seat

    async def choose(self, view: Any, legal: Sequence[Command], rng: Random) -> Command | None:
        if isinstance(self._bot, PerfectBot):
            return await self._bot.think(view, legal, self._seat, rng)
        return self._bot.choose(view, legal, self._seat, rng)
