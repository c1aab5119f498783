"""`gamehall bot program`: a bot in any language, at a hall."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamehall.bots.program import MOVE_SECONDS, ProgramContender
from gamehall.cli.bot.at_hall import play_at_hall
from gamehall.cli.bot.choice import PROGRAM, chosen_program
from gamehall.cli.bot.engagement import ANY_GAMES, Engagement
from gamehall.cli.native_door import HERE, NativeDoor
from gamehall.games.game import Game


def program(
    game: str,
    command: str,
    /,
    *,
    move_seconds: float = MOVE_SECONDS,
    seed: int | None = None,
    rules: tuple[Path, ...] = (),
    engagement: Engagement = ANY_GAMES,
    door: NativeDoor = HERE,
) -> int:
    """Have your own program play at a hall, in whatever language it is written.

    docs/write-a-bot.md says what it reads and writes. All else is as with `gamehall bot`.

    Example: gamehall bot program connect-four "./mybot --fast" --games 10

    Parameters
    ----------
    game
        The game's name, as the hall lists it.
    command
        A command that is run for each game, and plays it.
    move_seconds
        How long the program may think about a move before it loses the game.
    seed
        The program is told a seed that follows from this one.
    rules
        A Python file with the rules of a game that is not installed. May be repeated.
    """

    def choose(_: Game[Any]) -> tuple[str, ProgramContender]:
        return PROGRAM, chosen_program(command, move_seconds)

    return play_at_hall(game, rules, choose, seed, engagement, door)
