"""A simulated run in which someone plays at every door but the native one, and all goes well."""

from __future__ import annotations

from functools import cache

from gamehall.simulation.checker.evidence import Evidence
from gamehall.simulation.run import Run
from gamehall.simulation.step import Step
from gamehall.simulation.story import VISITORS, Story

BETS, STARTS = 0.3, 0.9
"""By which picks bettors bet, and callers start a round."""


def _steps() -> list[Step]:
    steps = [Step(1.0, name, "act", STARTS) for name in VISITORS["caller"][:1]]
    for second in range(1, 9):
        steps += [Step(second, name, "act", BETS) for name in VISITORS["mario"]]
        steps += [Step(second + 0.2, name, "challenge", 0.0) for name in VISITORS["four"][:1]]
        for name in VISITORS["watch"]:
            steps += [Step(second + 0.4, name, "seek", 0.0), Step(second + 0.6, name, "act", 0.0)]
    return steps


@cache
def honest_doors() -> tuple[Evidence, dict[str, int]]:
    """What it leaves behind. It names no tables."""
    people = tuple(name for names in VISITORS.values() for name in names)
    run = Run(Story(7, 2, people, tuple(_steps())))
    run.play()
    return run.evidence(), {}
