"""Which rules and which bot a call of `gamehall bot` means."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from gamehall.bots.bot import AnyBot, Bot, bots_for
from gamehall.bots.connect_four_perfect import PERFECT, PerfectBot
from gamehall.bots.contender import Contender, Kind, LevelContender
from gamehall.catalogue import catalogue
from gamehall.cli.output import say
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Game
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import NOT_INSTALLED, installed
from gamehall.terminal.text import printable

T = TypeVar("T")

PROGRAM = "program"


def chosen_rules(game: str, rules: Sequence[Path]) -> Game[Any]:
    """Raises ValueError or GameFileError."""
    games = catalogue(rules)
    if game not in games:
        raise ValueError(f"There is no game {game!r}; known are {', '.join(games)}.")
    return games[game]


def chosen_level(game: Game[Any], level: str | None) -> tuple[str, Bot]:
    """The level, the strongest if none is given, and its bot. Raises ValueError."""
    bots = bots_for(game.name)
    chosen = list(bots)[-1] if level is None else level
    if chosen not in bots:
        raise ValueError(f"There is no level {chosen!r}; this game has {', '.join(bots)}.")
    return chosen, bots[chosen]


def chosen_bot(game: Game[Any], level: str | None) -> tuple[str, AnyBot]:
    """As `chosen_level`, and the perfect one, which is `ended` after its games."""
    if level != PERFECT or game.name != ConnectFour.name:
        return chosen_level(game, level)
    if not installed():
        raise ValueError(NOT_INSTALLED)
    return PERFECT, PerfectBot(SolverProcess())


async def ended(players: Sequence[AnyBot | Contender], playing: Awaitable[T]) -> T:
    """What `playing` gives; of a perfect player nothing is left then."""
    try:
        return await playing
    finally:
        for player in players:
            bot = player.bot if isinstance(player, LevelContender) else player
            if isinstance(bot, PerfectBot):
                await bot.close()


def say_misbehaviour(name: str, misbehaviour: Mapping[Kind, int]) -> None:
    """Says what has cost a program its games, if anything has."""
    if misbehaviour:
        counts = ", ".join(f"{kind} {times}" for kind, times in misbehaviour.items())
        say(f"Misbehaviour of {name}: {counts}.")


async def until_stopped(playing: Coroutine[Any, Any, T]) -> T:
    """What it returns. SIGTERM ends it as Ctrl-C does: what was started ends too, and nobody waits
    for it at a table."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await playing


def log(line: str) -> None:
    """What a program has written to its log."""
    sys.stderr.write(f"program: {printable(line)}\n")
