"""How a bot plays as a program of its own, at a hall or not: which rules and which bot a call of
`gamehall bot` means, and its end."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from gamehall.bots.bot import AnyBot, Bot, bots_for
from gamehall.bots.connect_four_perfect import PERFECT, PerfectBot
from gamehall.bots.contender import Contender, Kind, LevelContender
from gamehall.bots.program import ProgramContender
from gamehall.catalogue import catalogue
from gamehall.cli.options import NativeDoor
from gamehall.cli.output import fail, say
from gamehall.cli.tournament.page import away_door
from gamehall.client.asking import RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.client.engagement import Engagement
from gamehall.client.native_client import NativeClient
from gamehall.client.tournament_player import TournamentPlayer
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Game
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import NOT_INSTALLED, installed
from gamehall.terminal.text import printable

T = TypeVar("T")

PROGRAM = "program"
GOODBYE_SECONDS = 3.0
"""How long it takes at most to give up its seats at the end."""

Choose = Callable[[Game[Any]], tuple[str, AnyBot | ProgramContender]]
"""What kind of bot plays a game, and the bot. Raises ValueError."""


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


def play_at_hall(
    game: str,
    rules: Sequence[Path],
    choose: Choose,
    seed: int | None,
    engagement: Engagement,
    door: NativeDoor,
) -> int:
    """The exit code, once the bot has played what it is engaged for.

    Raises:
        SourceError: the hall does not say where a tournament away is held.
    """
    try:
        played = chosen_rules(game, rules)
        engagement.check(played)
        kind, bot = choose(played)
        address = door.address
        if engagement.away is not None:
            address, tournament = away_door(address, engagement.away)
            engagement = replace(engagement, tournament=tournament)
        title = f"{kind.capitalize()} {played.title} bot"
        client = NativeClient(address, name=title[:32] if door.name is None else door.name)
    except ValueError as error:
        return fail(str(error), 2)
    plays = BotPlayer if engagement.tournament is None else TournamentPlayer
    player = plays(client, played, bot, seed, engagement, say)
    exit_code = finish(until_stopped(ended((bot,), _play(client, player))), client.url)
    if isinstance(bot, ProgramContender):
        say_misbehaviour("the program", bot.misbehaviour)
    return exit_code


def finish(playing: Coroutine[Any, Any, None], address: str) -> int:
    """Plays to the end, or to Ctrl-C; the exit code."""
    try:
        asyncio.run(playing)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except ConnectionLost as error:
        return fail(f"Cannot reach {address}: {error}.", 1)
    except (CannotPlay, RequestRefused) as error:
        return fail(str(error), 1)
    return 0


async def _play(client: NativeClient, player: BotPlayer) -> None:
    async with client:
        say(f"Connected to {client.url} as {client.welcome['player']['name']}.")
        try:
            await player.play()
        finally:
            with suppress(ConnectionLost, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await player.leave()
