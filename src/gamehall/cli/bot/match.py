"""`gamehall bot match`: two bots against each other, without a hall."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from gamehall.bots.contender import Contender, LevelContender
from gamehall.bots.match import Played, Score, check_playable, play_match
from gamehall.bots.program import MOVE_SECONDS, ProgramContender
from gamehall.cli.bot.at_hall import (
    PROGRAM,
    chosen_bot,
    chosen_rules,
    ended,
    log,
    say_misbehaviour,
    until_stopped,
)
from gamehall.cli.options import RulesFiles
from gamehall.cli.output import fail, say
from gamehall.games.game import Game

GAMES_MAX = 1_000_000


def match(
    game: str,
    first: str,
    second: str,
    /,
    *,
    games: int = 100,
    seed: int | None = None,
    move_seconds: float = MOVE_SECONDS,
    rules: RulesFiles = (),
) -> int:
    """Have two bots play each other here, on the rules alone, and say how sure the result is.

    Each of them is a level, or a program of your own as `program:COMMAND`.

    Example: gamehall bot match connect-four strong program:./mybot --games 100 --seed 1

    Parameters
    ----------
    game
        The game's name.
    first
        A level, or a program, that begins the first game, the third and so on.
    second
        Its opponent.
    games
        How many games they play.
    seed
        Makes all choices of levels the same each time; it is printed if not given.
    move_seconds
        How long a program may think about a move before it loses the game.
    """
    names = (first, second)
    try:
        if not 1 <= games <= GAMES_MAX:
            raise ValueError(f"--games takes a number from 1 to {GAMES_MAX}.")
        played = chosen_rules(game, rules)
        check_playable(played)
        one, other = (_contender(played, name, move_seconds) for name in names)
    except ValueError as error:
        return fail(str(error), 2)
    number = Random().getrandbits(32) if seed is None else seed
    try:
        playing = play_match(played, (one, other), games, number, partial(_report, names))
        scores = asyncio.run(until_stopped(ended((one, other), playing)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 1
    say(f"{played.title}: {games} games, seed {number}.")
    for name, score in zip(names, scores, strict=True):
        say(_line(name, score))
    for name, score in zip(names, scores, strict=True):
        say_misbehaviour(name, score.misbehaviour)
    return 0


def _contender(game: Game[Any], name: str, move_seconds: float) -> Contender:
    kind, colon, command = name.partition(":")
    if colon and kind == PROGRAM:
        return ProgramContender(command, move_seconds=move_seconds, log=log)
    return LevelContender(chosen_bot(game, name)[1])


def _line(name: str, score: Score) -> str:
    low, high = score.interval()
    return (
        f"{name}: {score.won} won, {score.drawn} drawn, {score.lost} lost;"
        f" {score.rate:.1%} of the points (95 % Wilson interval {low:.1%} to {high:.1%})."
    )


def _report(names: Sequence[str], number: int, played: Played) -> None:
    if played.fault is not None and played.quitter is not None:
        name = names[(played.quitter + number) % 2]
        say(f"Game {number + 1}: {played.fault.kind}, {name} {played.fault}")
