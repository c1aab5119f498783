"""Which rules and which bot a call of `gamehall bot` means."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gamehall.bots.bot import Bot, bots_for
from gamehall.bots.program import ProgramContender
from gamehall.catalogue import catalogue
from gamehall.cli.source import printable
from gamehall.games.game import Game

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


def chosen_program(command: str, move_seconds: float) -> ProgramContender:
    """Raises ValueError."""
    return ProgramContender(command, move_seconds=move_seconds, log=log)


def say_misbehaviour(name: str, program: ProgramContender) -> None:
    """A line with what has cost a program its games, if anything has."""
    if program.misbehaviour:
        counts = ", ".join(f"{kind} {times}" for kind, times in program.misbehaviour.items())
        say(f"Misbehaviour of {name}: {counts}.")


def say(line: str) -> None:
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def complain(sentence: str) -> None:
    sys.stderr.write(f"gamehall: {printable(sentence)}\n")


def log(line: str) -> None:
    """What a program has written to its log."""
    sys.stderr.write(f"program: {printable(line)}\n")
