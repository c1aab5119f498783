"""`gamehall bot`: a player that is a program of its own, at any hall with a native door."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from gamehall.bots.bot import Bot, bots_for
from gamehall.catalogue import GameFileError, catalogue
from gamehall.cli.source import printable
from gamehall.client.asking import RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient
from gamehall.games.game import Game

GOODBYE_SECONDS = 3.0
"""How long it takes at most to give up its seats at the end."""


def bot(
    game: str,
    /,
    *,
    url: str = "ws://127.0.0.1:8000/ws",
    level: str | None = None,
    name: str | None = None,
    games: int = 0,
    seek: bool = True,
    accept: bool = True,
    table: int | None = None,
    key: str | None = None,
    seed: int | None = None,
    rules: tuple[Path, ...] = (),
) -> int:
    """Have a program play, over the network, as anyone else does.

    It seeks an opponent, accepts every challenge to its game, agrees to a rematch, and then seeks
    the next one; at a game that people walk in to, such as Sic Bo, it plays at the hall's own
    table. When the hall goes away it comes back and plays on. Ctrl-C ends it; a running game is
    then given up.

    Example: gamehall bot connect-four --url tcp://127.0.0.1:8001 --level random --games 10

    Parameters
    ----------
    game
        The game's name, as the hall lists it.
    url
        A native door: ws://HOST:PORT/ws, wss://HOST/ws or tcp://HOST:PORT.
    level
        How well it plays: `random` for every game, and those made for it; the strongest if not
        given.
    name
        How it is called in the hall; a number is added if someone has the name.
    games
        How many games it plays before it ends, or rounds in which it bets; 0 is for ever.
    seek
        Whether it puts itself on the wait list, or goes to the hall's own table.
    accept
        Whether it accepts challenges. All others are refused.
    table
        Plays only at this table, as long as a rematch is wanted there.
    key
        The key of that table, if it is private.
    seed
        Makes a bot's choices the same each time, as far as its opponents' are.
    rules
        A Python file with the rules of a game that is not installed. May be repeated.
    """
    try:
        if games < 0:
            raise ValueError("--games takes a number from 0.")
        if table is None and not (seek or accept):
            raise ValueError("A bot that neither seeks nor accepts needs a --table.")
        if key is not None and table is None:
            raise ValueError("--key is that of a --table.")
        rules_played, chosen, program = _choose(game, level, rules)
        walk_in = not rules_played.seats(rules_played.options()).kept
        if walk_in and table is None and not seek:
            raise ValueError(
                "Nobody is challenged to this game: let it seek, or give it a --table."
            )
        title = f"{chosen.capitalize()} {rules_played.title} bot"
        client = NativeClient(url, name=title[:32] if name is None else name)
    except (ValueError, GameFileError) as error:
        _complain(str(error))
        return 2
    player = BotPlayer(
        client,
        rules_played,
        program,
        seed,
        games=games,
        seek=seek,
        accept=accept,
        table=table,
        key=key,
        say=_say,
    )
    return _run(client, player)


def _choose(game: str, level: str | None, rules: tuple[Path, ...]) -> tuple[Game[Any], str, Bot]:
    """The rules, and the bot with its level. Raises ValueError or GameFileError."""
    games = catalogue(rules)
    if game not in games:
        raise ValueError(f"There is no game {game!r}; known are {', '.join(games)}.")
    bots = bots_for(games[game].name)
    chosen = list(bots)[-1] if level is None else level
    if chosen not in bots:
        raise ValueError(f"There is no level {chosen!r}; this game has {', '.join(bots)}.")
    return games[game], chosen, bots[chosen]


def _run(client: NativeClient, player: BotPlayer) -> int:
    try:
        asyncio.run(_play(client, player))
    except KeyboardInterrupt:
        return 0
    except ConnectionLost as error:
        _complain(f"Cannot reach {client.url}: {error}.")
        return 1
    except (CannotPlay, RequestRefused) as error:
        _complain(str(error))
        return 1
    return 0


async def _play(client: NativeClient, player: BotPlayer) -> None:
    async with client:
        _say(f"Connected to {client.url} as {client.welcome['player']['name']}.")
        try:
            await player.play()
        finally:
            with suppress(ConnectionLost, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await player.leave()


def _say(line: str) -> None:
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def _complain(sentence: str) -> None:
    sys.stderr.write(f"gamehall: {printable(sentence)}\n")
