"""`gamehall bot`: a player that is a program of its own, at any hall it can reach."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from gamehall.bots.bot import Bot, bots_for
from gamehall.catalogue import GameFileError, catalogue
from gamehall.cli.source import SourceError, printable
from gamehall.cli.tournament_away import away_door
from gamehall.client.asking import RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.client.duel_client import DuelPlayer, Hellos
from gamehall.client.native_client import NativeClient
from gamehall.client.tournament_player import TournamentPlayer
from gamehall.games.bingo_duel import BingoDuel
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
    tournament: int | None = None,
    away: int | None = None,
    club: str = "",
    seed: int | None = None,
    rules: tuple[Path, ...] = (),
    door: Literal["native", "duel"] = "native",
    uid: int | None = None,
    opponent: int | None = None,
    match: int | None = None,
    host: str = "127.0.0.1",
    port: int = 27004,
    fast: bool = False,
) -> int:
    """Have a program play, over the network, as anyone else does.

    It seeks an opponent, accepts every challenge to its game, agrees to a rematch, and then seeks
    the next one; a game that waits for nobody, such as Sic Bo or Bingo, it plays at the hall's own
    table, and leaves it to others to start a round. When the hall goes away it comes back and plays
    on. Ctrl-C ends it; a running game is then given up.

    In a tournament it plays the games at which it is seated, until all of it is over.

    Two-player Bingo can also be played through the `duel` door: one match, in which the hall says
    which of both players it is.

    Example: gamehall bot connect-four --url tcp://127.0.0.1:8001 --level random --games 10

    Example: gamehall bot connect-four --tournament 7 --club north

    Example: gamehall bot connect-four --url ws://south.example.org:8000/ws --away 1 --club south

    Example: gamehall bot bingo-duel --door duel --uid 7 --opponent 8 --match 21 --key secret

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
        How many games it plays before it ends, or rounds in which it takes part; 0 is for ever.
    seek
        Whether it puts itself on the wait list, or goes to the hall's own table.
    accept
        Whether it accepts challenges. All others are refused.
    table
        Plays only at this table, as long as a rematch is wanted there.
    key
        The key of that table, if it is private; at the `duel` door, that of the match.
    tournament
        Plays only in this tournament.
    away
        Plays only in a tournament of another hall, which the hall at `url` follows under this
        number and tells where it is.
    club
        The machine that it plays for there.
    seed
        Makes a bot's choices the same each time, as far as its opponents' are.
    rules
        A Python file with the rules of a game that is not installed. May be repeated.
    door
        The door through which it plays. All that follows is for `duel`.
    uid
        The number of the player.
    opponent
        That of the other player, in a match that no arena has made.
    match
        The number of that match.
    host
        Where the hall is.
    port
        The door's port there.
    fast
        Whether the hall may send packets without a gap between them.
    """
    if door == "duel":
        return _duel(game, level, seed, uid, key, opponent, match, host, port, fast)
    try:
        if games < 0:
            raise ValueError("--games takes a number from 0.")
        if table is None and not (seek or accept):
            raise ValueError("A bot that neither seeks nor accepts needs a --table.")
        if key is not None and table is None:
            raise ValueError("--key is that of a --table.")
        if tournament is not None and away is not None:
            raise ValueError("A tournament is either this hall's --tournament, or --away.")
        in_tournament = tournament is not None or away is not None
        if club and not in_tournament:
            raise ValueError("--club is for a --tournament.")
        if in_tournament and (table is not None or games):
            raise ValueError("In a --tournament there is no choice of a --table or of --games.")
        rules_played, chosen, program = _choose(game, level, rules)
        begins_empty = rules_played.seats(rules_played.options()).least == 0
        if begins_empty and table is None and not seek:
            raise ValueError(
                "Nobody is challenged to this game: let it seek, or give it a --table."
            )
        if away is not None:
            url, tournament = away_door(url, away)
        title = f"{chosen.capitalize()} {rules_played.title} bot"
        client = NativeClient(url, name=title[:32] if name is None else name)
    except SourceError as error:
        _complain(str(error))
        return error.exit_code
    except (ValueError, GameFileError) as error:
        _complain(str(error))
        return 2
    player: BotPlayer
    if tournament is not None:
        player = TournamentPlayer(
            client, rules_played, program, seed, tournament=tournament, club=club, say=_say
        )
    else:
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
    return _finish(_play(client, player), client.url)


def _duel(
    game: str,
    level: str | None,
    seed: int | None,
    uid: int | None,
    key: str | None,
    opponent: int | None,
    match: int | None,
    host: str,
    port: int,
    fast: bool,
) -> int:
    try:
        rules_played, _, program = _choose(game, level, ())
        if rules_played.name != BingoDuel.name:
            raise ValueError(f"At the duel door they play {BingoDuel.name}.")
        if uid is None or key is None:
            raise ValueError("The duel door wants a --uid and a --key.")
        hellos = Hellos.made(uid, key, opponent, match, fast)
    except ValueError as error:
        _complain(str(error))
        return 2
    player = DuelPlayer(host, port, hellos, program, seed, _say)
    return _finish(player.play(), f"{host}:{port}")


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


def _finish(playing: Coroutine[Any, Any, None], address: str) -> int:
    try:
        asyncio.run(playing)
    except KeyboardInterrupt:
        return 0
    except ConnectionLost as error:
        _complain(f"Cannot reach {address}: {error}.")
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
