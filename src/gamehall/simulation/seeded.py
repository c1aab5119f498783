"""All chance of this process, taken from a world while it runs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from unittest.mock import patch

from gamehall.simulation.world import World


@contextmanager
def seeded(world: World) -> Iterator[None]:
    """`secrets` draws from the world's seed: tokens, nonces, ids."""
    source = random.Random(f"{world.seed} secrets")
    beat_ids = count(source.getrandbits(40))
    with (
        patch("random._urandom", source.randbytes),
        patch("gamehall.hall.beat.beat._beat_ids", beat_ids),
    ):
        yield
