"""What only some stories tell, beside what all of them do. Each plot is drawn by a chance of its
own, so that the stories without it do not change."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gamehall.simulation.step import OPERATOR, Step

TOURNAMENT = 0.25
"""How many stories have one."""
TOURNAMENT_DEEDS = ("open a tournament", "enter", "begin", "withdraw", "look on")
PRIVATE = 0.2
"""How many stories have private tables."""
PRIVATE_DEEDS = {
    "sit with a friend": 3,
    "watch a friend": 3,
    "intrude": 5,
    "look around": 3,
    "act": 10,
    "hang up": 1,
}
"""What people do where there are some, and how often."""
ARENA = 0.125
"""How many stories have game servers."""
ASK, LOOK = "ask for a match", "look at the matches"
ARENA_DEEDS = {
    "begin a match": 4,
    "end a match": 6,
    "tell again": 2,
    "change its mind": 2,
    "meddle": 2,
    "refuse": 1,
    "be slow": 2,
    "say nothing": 1,
    "hang up": 3,
    "move": 2,
}
"""What game servers do, and how often."""
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


def private_tables(seed: int, people: Sequence[str], seconds: float) -> list[Step]:
    """Some open private tables, and tell their friends the keys; others try without."""
    rng = Random(f"{seed} private")
    if rng.random() >= PRIVATE:
        return []
    steps = [
        Step(rng.uniform(0.0, 0.3) * seconds, rng.choice(people), "open privately", rng.random())
        for _ in range(rng.choice((1, 1, 2)))
    ]
    names, weights = list(PRIVATE_DEEDS), list(PRIVATE_DEEDS.values())
    for does in rng.choices(names, weights, k=rng.randint(10, 25)):
        at = rng.uniform(0.1, 1.0) * seconds
        steps.append(Step(at, rng.choice(people), does, rng.random()))
    return steps


def arena(seed: int, servers: Sequence[str], seconds: float) -> tuple[list[str], list[Step]]:
    """Game servers come, and the operator asks them for matches; who they are, and what they do."""
    rng = Random(f"{seed} arena")
    if rng.random() >= ARENA:
        return [], []
    there = list(servers[: rng.randint(1, len(servers))])
    steps = [
        Step(rng.uniform(0.0, 0.9) * seconds, OPERATOR, ASK, rng.random())
        for _ in range(rng.randint(3, 10))
    ]
    steps += [
        Step(rng.uniform(0.1, 1.0) * seconds, OPERATOR, LOOK, rng.random())
        for _ in range(rng.randint(1, 6))
    ]
    names, weights = list(ARENA_DEEDS), list(ARENA_DEEDS.values())
    for does in rng.choices(names, weights, k=rng.randint(10, 30)):
        at = rng.uniform(0.0, 1.0) * seconds
        steps.append(Step(at, rng.choice(there), does, rng.random()))
    return there, steps
