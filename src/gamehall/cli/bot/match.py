"""`gamehall bot GAME --match A B`: two bots against each other, without a hall."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from gamehall.bots.contender import Contender, LevelContender
from gamehall.bots.match import Played, Score, Unplayable, check_playable, play_match
from gamehall.catalogue import GameFileError
from gamehall.cli.bot.choice import (
    PROGRAM,
    chosen_bot,
    chosen_program,
    chosen_rules,
    complain,
    ended,
    say,
    until_stopped,
)
from gamehall.games.game import Game

GAMES = 100
GAMES_MAX = 1_000_000


def play_offline(
    game: str,
    names: Sequence[str],
    games: int,
    seed: int | None,
    move_seconds: float,
    rules: Sequence[Path],
) -> int:
    """The exit code, after the match was played and its score printed."""
    try:
        if len(names) != 2:
            raise ValueError("--match takes two bots: levels, or program:COMMAND.")
        if not 0 <= games <= GAMES_MAX:
            raise ValueError(f"--games takes a number up to {GAMES_MAX}.")
        played = chosen_rules(game, rules)
        check_playable(played)
        first, second = (_contender(played, name, move_seconds) for name in names)
    except (ValueError, GameFileError, Unplayable) as error:
        complain(str(error))
        return 2
    number = Random().getrandbits(32) if seed is None else seed
    try:
        match = play_match(played, (first, second), games or GAMES, number, _report(names))
        scores = asyncio.run(until_stopped(ended((first, second), match)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 1
    say(f"{played.title}: {games or GAMES} games, seed {number}.")
    for name, score in zip(names, scores, strict=True):
        say(_line(name, score))
    for name, score in zip(names, scores, strict=True):
        if score.misbehaviour:
            counts = ", ".join(f"{kind} {times}" for kind, times in score.misbehaviour.items())
            say(f"Misbehaviour of {name}: {counts}.")
    return 0


def _contender(game: Game[Any], name: str, move_seconds: float) -> Contender:
    kind, colon, command = name.partition(":")
    if colon and kind == PROGRAM:
        return chosen_program(command, move_seconds)
    return LevelContender(chosen_bot(game, name)[1])


def _line(name: str, score: Score) -> str:
    low, high = score.interval()
    return (
        f"{name}: {score.won} won, {score.drawn} drawn, {score.lost} lost;"
        f" {score.rate:.1%} of the points (95 % Wilson interval {low:.1%} to {high:.1%})."
    )


def _report(names: Sequence[str]) -> Callable[[int, Played], None]:
    def report(number: int, played: Played) -> None:
        if played.fault is not None and played.quitter is not None:
            name = names[(played.quitter + number) % 2]
            say(f"Game {number + 1}: {played.fault.kind}, {name} {played.fault}")

    return report
