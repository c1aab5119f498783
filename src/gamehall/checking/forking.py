"""Forks: a copy that is played on leaves the state alone."""

from __future__ import annotations

from random import Random

from gamehall.checking.finding import Broken, Check
from gamehall.checking.replaying import future
from gamehall.checking.sight import whole
from gamehall.testing import Playout


def _apart(table: Playout, rng: Random) -> None:
    before = whole(table.game, table.state)
    seed = rng.randrange(1 << 30)
    first = future(table, seed)
    if whole(table.game, table.state) != before:
        raise Broken("Playing on with a `fork` changes the state that it was made from.")
    if future(table, seed) != first:
        raise Broken(
            "Playing on with a second `fork` in the same way goes otherwise than with the first:"
            " they share something that `apply` changes. Copy it in `fork`."
        )


CHECK = Check("Forks", "A fork can be changed without changing the state.", at_moment=_apart)
