"""How a bot plays at a hall, as a program of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamehall.bots.bot import AnyBot
from gamehall.bots.program import ProgramContender
from gamehall.cli.bot.choice import chosen_rules, ended, say_misbehaviour, until_stopped
from gamehall.cli.options import NativeDoor
from gamehall.cli.output import fail, say
from gamehall.cli.tournament.away import away_door
from gamehall.client.asking import RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.client.engagement import Engagement
from gamehall.client.native_client import NativeClient
from gamehall.client.tournament_player import TournamentPlayer
from gamehall.games.game import Game

GOODBYE_SECONDS = 3.0
"""How long it takes at most to give up its seats at the end."""

Choose = Callable[[Game[Any]], tuple[str, AnyBot | ProgramContender]]
"""What kind of bot plays a game, and the bot. Raises ValueError."""


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
