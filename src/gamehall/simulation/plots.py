"""What only some stories tell, beside what all of them do. Each plot is drawn by a chance of its
own, so that the stories without it do not change."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gamehall.simulation.step import OPERATOR, Step

TOURNAMENT = 0.25
"""How many stories have one."""
TOURNAMENT_DEEDS = ("open a tournament", "enter", "begin", "withdraw", "look on")
MOVES = 6
"""Of each person, after a tournament has begun."""


def tournament(seed: int, people: Sequence[str], seconds: float) -> list[Step]:
    """Someone opens a tournament, people enter, it begins, and they play; some withdraw."""
    rng = Random(f"{seed} tournament")
    if rng.random() >= TOURNAMENT:
        return []
    organiser = rng.choice((*people, OPERATOR))

    def step(start: float, end: float, who: str, does: str) -> Step:
        return Step(rng.uniform(start, end) * seconds, who, does, rng.random())

    steps = [step(0.0, 0.1, organiser, "open a tournament")]
    steps += [step(0.1, 0.3, who, "enter") for who in people if rng.random() < 0.9]
    steps += [step(0.25, 0.35, organiser, "begin")]
    steps += [step(0.35, 1.0, who, "act") for who in people for _ in range(MOVES)]
    for does in ("enter", "withdraw", "look on", "open a tournament", "begin", "stay away"):
        steps += [step(0.1, 1.0, rng.choice(people), does) for _ in range(rng.choice((0, 0, 1, 2)))]
    return steps
