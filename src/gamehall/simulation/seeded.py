"""All chance of this process, taken from a world while it runs."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from unittest.mock import patch

from argon2 import PasswordHasher

from gamehall.simulation.world import Machine, World

CLEARED_AT_ONCE = 8
"""Worlds: to clear away takes a while, however little it is."""
_worlds = count()


@contextmanager
def seeded(world: World) -> Iterator[None]:
    """`secrets` draws from the world's seed: tokens, nonces, ids. Passwords are hashed as well as
    a world needs it that nobody breaks into: quickly."""
    source = random.Random(f"{world.seed} secrets")
    beat_ids = count(source.getrandbits(40))
    _clear_away()
    gc.disable()
    quick_hasher = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with (
        patch("random._urandom", source.randbytes),
        patch("gamehall.hall.beat.beat._beat_ids", beat_ids),
        patch("gamehall.hall.people.passwords.PasswordHasher", quick_hasher),
    ):
        try:
            yield
        finally:
            gc.enable()


def _clear_away() -> None:
    """What is left of the worlds before ends here, or in a later call: else it would at any time,
    by a `finally` that runs in the world of then."""
    world = next(_worlds)
    if world == 0:
        gc.freeze()  # The modules stay, and need not be looked at each time.
    elif world % CLEARED_AT_ONCE == 0:
        Machine(World(0)).do(gc.collect)
