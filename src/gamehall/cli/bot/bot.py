"""`gamehall bot`: a player that is a program of its own, at any hall it can reach."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from gamehall.bots.program import MOVE_SECONDS
from gamehall.catalogue import GameFileError
from gamehall.cli.bot.choice import (
    PROGRAM,
    chosen_bot,
    chosen_level,
    chosen_program,
    chosen_rules,
    complain,
    ended,
    say,
    say_misbehaviour,
    until_stopped,
)
from gamehall.cli.bot.match import play_offline
from gamehall.cli.source import SourceError
from gamehall.cli.tournament.away import away_door
from gamehall.client.asking import RequestRefused
from gamehall.client.bot_player import BotPlayer, CannotPlay
from gamehall.client.connection import ConnectionLost
from gamehall.client.duel_client import DuelPlayer, Hellos
from gamehall.client.native_client import NativeClient
from gamehall.client.tournament_player import TournamentPlayer
from gamehall.games.bingo_duel import BingoDuel

GOODBYE_SECONDS = 3.0
"""How long it takes at most to give up its seats at the end."""


def bot(
    game: str,
    /,
    *,
    url: str = "ws://127.0.0.1:8000/ws",
    level: str | None = None,
    program: str | None = None,
    move_seconds: float = MOVE_SECONDS,
    match: Annotated[tuple[str, ...], Parameter(consume_multiple=True)] = (),
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
    host: str = "127.0.0.1",
    port: int = 27004,
    fast: bool = False,
) -> int:
    """Have a program play, over the network, as anyone else does; or two, without a hall.

    It seeks an opponent, accepts every challenge to its game, agrees to a rematch, and then seeks
    the next one; a game that waits for nobody, such as Sic Bo or Bingo, it plays at the hall's own
    table, and leaves it to others to start a round. When the hall goes away it comes back and plays
    on. Ctrl-C ends it; a running game is then given up.

    In a tournament it plays the games at which it is seated, until all of it is over.

    With `--program` your own program plays, in whatever language: docs/write-a-bot.md says what it
    reads and writes. With `--match` two bots play each other here, on the rules alone.

    Two-player Bingo can also be played through the `duel` door: one match, in which the hall says
    which of both players it is.

    Example: gamehall bot connect-four --url tcp://127.0.0.1:8001 --level random --games 10

    Example: gamehall bot connect-four --program "./mybot --fast" --games 10

    Example: gamehall bot connect-four --match strong program:./mybot --games 100 --seed 1

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
        given. `perfect` is for Connect Four, where the solver is installed, and has to be named.
    program
        A command that is run for each game, and plays it.
    move_seconds
        How long a program may think about a move before it loses the game.
    match
        Two levels, or commands as `program:COMMAND`, that play `games` games (100 if not given)
        against each other. At the `duel` door: the number of the match there.
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
    host
        Where the hall is.
    port
        The door's port there.
    fast
        Whether the hall may send packets without a gap between them.
    """
    if door == "duel":
        return _duel(game, level, program, seed, uid, key, opponent, match, host, port, fast)
    if match:
        return play_offline(game, match, games, seed, move_seconds, rules)
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
        if program is not None and level is not None:
            raise ValueError("Either a --level plays, or a --program.")
        rules_played = chosen_rules(game, rules)
        own = None if program is None else chosen_program(program, move_seconds)
        chosen, of_level = chosen_bot(rules_played, level)
        begins_empty = rules_played.seats(rules_played.options()).least == 0
        if begins_empty and table is None and not seek:
            raise ValueError(
                "Nobody is challenged to this game: let it seek, or give it a --table."
            )
        if away is not None:
            url, tournament = away_door(url, away)
        title = f"{(PROGRAM if own else chosen).capitalize()} {rules_played.title} bot"
        client = NativeClient(url, name=title[:32] if name is None else name)
    except SourceError as error:
        complain(str(error))
        return error.exit_code
    except (ValueError, GameFileError) as error:
        complain(str(error))
        return 2
    player: BotPlayer
    if tournament is not None:
        player = TournamentPlayer(
            client, rules_played, own or of_level, seed, tournament=tournament, club=club, say=say
        )
    else:
        player = BotPlayer(
            client,
            rules_played,
            own or of_level,
            seed,
            games=games,
            seek=seek,
            accept=accept,
            table=table,
            key=key,
            say=say,
        )
    exit_code = _finish(ended((of_level,), _play(client, player)), client.url)
    if own is not None:
        say_misbehaviour("the program", own)
    return exit_code


def _duel(
    game: str,
    level: str | None,
    program: str | None,
    seed: int | None,
    uid: int | None,
    key: str | None,
    opponent: int | None,
    match: tuple[str, ...],
    host: str,
    port: int,
    fast: bool,
) -> int:
    try:
        if program is not None:
            raise ValueError("A --program plays at the native door, and in a --match.")
        rules_played = chosen_rules(game, ())
        bot = chosen_level(rules_played, level)[1]
        if rules_played.name != BingoDuel.name:
            raise ValueError(f"At the duel door they play {BingoDuel.name}.")
        if uid is None or key is None:
            raise ValueError("The duel door wants a --uid and a --key.")
        hellos = Hellos.made(uid, key, opponent, _number(match), fast)
    except ValueError as error:
        complain(str(error))
        return 2
    player = DuelPlayer(host, port, hellos, bot, seed, say)
    return _finish(player.play(), f"{host}:{port}")


def _number(match: tuple[str, ...]) -> int | None:
    if not match:
        return None
    if len(match) > 1 or not match[0].isdecimal():
        raise ValueError("At the duel door, --match takes the number of a match.")
    return int(match[0])


def _finish(playing: Coroutine[Any, Any, None], address: str) -> int:
    try:
        asyncio.run(until_stopped(playing))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 0
    except ConnectionLost as error:
        complain(f"Cannot reach {address}: {error}.")
        return 1
    except (CannotPlay, RequestRefused) as error:
        complain(str(error))
        return 1
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
