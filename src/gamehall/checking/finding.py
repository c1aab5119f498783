"""What a check says, and what it gives as a proof."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from os.path import abspath
from random import Random
from typing import Any

import msgspec

from gamehall.games.game import Game, RulesFault
from gamehall.testing import Playout


class Broken(Exception):
    """A sentence that says what does not hold, for whoever wrote the game."""


class Trial(msgspec.Struct, frozen=True):
    """How a random game is played, so that anyone can play it again."""

    seed: int
    options: Mapping[str, Any]
    people: int | None

    def table(self, game: Game[Any]) -> Playout:
        # Seats in order of coming: a draw would differ between worlds that differ in chance.
        return Playout(
            game,
            self.options,
            seed=self.seed,
            strays=0.15,
            people=self.people,
            drawn=False,
        )


class Fault(msgspec.Struct, frozen=True):
    """The first counter-example of a check."""

    what: str
    trial: Trial | None = None
    steps: int = 0
    """How often `step` was called before it showed."""
    last_line: str = ""
    """The row that was written last."""


class Finding(msgspec.Struct, frozen=True):
    title: str
    holds: str
    """What is true of the game if there is no fault."""
    fault: Fault | None = None


class Check(msgspec.Struct, frozen=True):
    """One kind of check. Its functions raise Broken; anything else they raise is the rules'."""

    title: str
    holds: str
    of_game: Callable[[Game[Any]], None] | None = None
    at_moment: Callable[[Playout, Random], None] | None = None
    """Asked of running rounds; it must leave the table as it is."""
    at_end: Callable[[Playout], None] | None = None
    """Asked when a round is over."""


def sentence(game: Game[Any], error: Exception) -> str:
    """What went wrong, with the place in the rules if it was there."""
    if isinstance(error, Broken | RulesFault):
        return str(error)
    file = abspath(inspect.getfile(type(game)))
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if abspath(frame.filename) == file]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f"`{places[-1].name}` (line {places[-1].lineno})" if places else "The game"
    return f"{where} fails: {what}"
