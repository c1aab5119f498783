"""Tournaments as they are opened in stories: small, and of every kind."""

from __future__ import annotations

from typing import Any

from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.story import GAMES
from gamehall.simulation.world import START_MS

FORMATS = (
    "round-robin", "swiss", "single-elimination", "double-elimination", "derby", "arena",
)  # fmt: skip
CLUBS = ("", "north", "south")
ARENA_MINUTES = 0.1
MOVE_SECONDS = 2.0
WITH_A_CLOCK = ("connect-four", "four-stone")
BEGINS_MS = (0, 0, 0, 3000, 6000)
"""After the world: most wait until someone begins them."""


def cup(rng: Picks) -> dict[str, Any]:
    """What is asked for when one is opened."""
    game = rng.one_of(GAMES[:3])
    begins_ms = rng.one_of(BEGINS_MS)
    has_clock = game in WITH_A_CLOCK and rng.one_of((True, False))
    return {
        "game": game,
        "format": rng.one_of(FORMATS),
        "minutes": ARENA_MINUTES,
        "starts_at_ms": START_MS + begins_ms if begins_ms else 0,
        "game_options": {"move_seconds": MOVE_SECONDS} if has_clock else {},
    }
