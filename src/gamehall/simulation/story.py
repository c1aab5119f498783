"""What happens in one run: who does what, and what befalls whom, step by step.

A story follows from its seed alone. Each step stands for itself: whatever it has to choose, it
chooses by its own `pick`, and where it makes no sense it does nothing. So any part of a story is a
story too, which is how a long one that shows a fault is made short.
"""

from __future__ import annotations

from random import Random

import msgspec

from gamehall.simulation import plots
from gamehall.simulation.step import Step

GAMES = ("connect-four", "bingo-duel", "four-stone", "sicbo", "bingo")
PEOPLE = ("anna", "bert", "carl", "dora", "emil", "fay")

VISITORS = {
    "rfc": ("gina", "hugo"),
    "mario": ("ida", "jan"),
    "caller": ("kim", "lea", "max"),
    "four": ("nele", "otto", "pia"),
    "duel": ("quin", "rosa"),
    "watch": ("sven",),
    "practice": ("tina", "uwe"),
}
"""Who comes to the other doors than the native one."""
SERVERS = ("vera", "wim")
"""Game servers, which come to the `arena` door."""
PARTIES = (("rfc",), ("mario",), ("caller",), ("four",), ("duel", "watch"), ("practice",))
"""Doors whose visitors come together."""
DOORS = {name: door for door, names in VISITORS.items() for name in names}
DOORS |= dict.fromkeys(SERVERS, "arena")
"""To which each of them comes."""

DEEDS = {
    "act": 40,
    "act late": 4,
    "seek": 9,
    "open": 3,
    "sit": 4,
    "watch": 3,
    "challenge": 6,
    "accept": 8,
    "cancel": 2,
    "refuse": 3,
    "withdraw a challenge": 3,
    "resign": 2,
    "offer a draw": 3,
    "answer a draw": 3,
    "refill": 3,
    "rematch": 5,
    "leave": 2,
    "say": 2,
    "send again": 6,
    "resume": 4,
    "hang up": 4,
    "move": 3,
}
"""What people do, and how often. At each door some of it has no meaning."""
FAULTS = {
    "is killed": 5,
    "is frozen": 4,
    "is cut off": 3,
    "hears nothing": 2,
    "reaches nobody": 2,
    "loses the store": 4,
    "has trouble with the store": 4,
    "finds the store slow": 3,
    "stops": 2,
    "has its clock set": 2,
    "loses messages": 3,
    "hears late": 3,
}
"""What befalls nodes, and how often."""


class Story(msgspec.Struct, frozen=True):
    seed: int
    nodes: int
    people: tuple[str, ...]
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        nodes = "1 node" if self.nodes == 1 else f"{self.nodes} nodes"
        head = f"seed {self.seed}: {nodes}, {', '.join(self.people)}"
        return "\n".join([head, *map(str, self.steps)])


def story_of(seed: int) -> Story:
    rng = Random(f"{seed} story")
    nodes = rng.choice((1, 1, 2, 3, 3, 5))
    parties = rng.sample(PARTIES, rng.choice((0, 1, 1, 2)))
    doors = [door for party in parties for door in party]
    people = PEOPLE[: rng.randint(2, 4 if doors else len(PEOPLE))]
    for door in doors:
        people += VISITORS[door][: rng.randint(1, len(VISITORS[door]))]
    seconds = rng.choice((5.0, 10.0, 20.0))
    names = [f"node-{number}" for number in range(1, nodes + 1)]
    steps = [
        Step(rng.uniform(0, seconds), rng.choice(people), _drawn(rng, DEEDS), rng.random())
        for _ in range(rng.randint(20, 120))
    ]
    steps += [
        Step(rng.uniform(0, seconds), rng.choice(names), _drawn(rng, FAULTS), rng.random())
        for _ in range(rng.choice((0, 1, 2, 4, 8)))
    ]
    native = [name for name in people if name not in DOORS]
    steps += plots.tournament(seed, native, seconds)
    steps += plots.private_tables(seed, native, seconds)
    servers, asked = plots.arena(seed, SERVERS, seconds)
    people, steps = (*people, *servers), steps + asked
    return Story(seed, nodes, people, tuple(sorted(steps, key=lambda step: step.at)))


def _drawn(rng: Random, weights: dict[str, int]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]
