"""`gamehall simulate`: whole halls with faults in a world of their own, by the thousand."""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Iterator
from multiprocessing import Pool

import structlog

from gamehall.cli.output import fail, say

FEW = 50
"""Runs that one process plays. More would become slow: what is left of a killed hall may refer to
itself in ways that no collector of garbage sees."""


def simulate(*, seed: int = 0, runs: int = 100) -> int:
    """Play out random stories of people, nodes and faults, and judge what the hall did.

    Time, chance, disk and network are simulated; the hall is the real one. The same seed gives the
    same run on any machine. It exits with 0 if no promise was broken, and with 1 if one was: then
    it prints the shortest story that shows it.

    Example: gamehall simulate --seed 1000 --runs 500

    Parameters
    ----------
    seed
        The seed of the first run; the others follow.
    runs
        How many are played.
    """
    from gamehall.simulation.run import violation
    from gamehall.simulation.shrink import shrunk
    from gamehall.simulation.story import story_of

    if runs < 1:
        return fail("--runs is at least 1.", 2)
    _say_nothing()
    began = time.monotonic()
    for each, is_broken in _judged(range(seed, seed + runs)):
        if is_broken:
            short = shrunk(story_of(each), lambda shorter: violation(shorter) is not None)
            for line in f"{short}\n\nbroken: {violation(short)}".splitlines():
                say(line)
            again = f"gamehall simulate --seed {each} --runs 1"
            return fail(f"Seed {each} breaks a promise. See it again with: {again}", 1)
    seconds = time.monotonic() - began
    say(f"Seeds {seed} to {seed + runs - 1}: no promise broken, {seconds:.0f} s.")
    return 0


def _judged(seeds: range) -> Iterator[tuple[int, bool]]:
    """Every seed, and whether its run breaks a promise; on all cores if there are many."""
    if len(seeds) <= FEW:
        yield from zip(seeds, map(_breaks_a_promise, seeds), strict=True)
        return
    with Pool(initializer=_say_nothing, maxtasksperchild=1) as pool:
        yield from zip(seeds, pool.imap(_breaks_a_promise, seeds, chunksize=FEW), strict=True)


def _breaks_a_promise(seed: int) -> bool:
    from gamehall.simulation.run import violation
    from gamehall.simulation.story import story_of

    return violation(story_of(seed)) is not None


def _say_nothing() -> None:
    """The halls do not log, nor complain when what is left of a killed one is cleared away."""
    warnings.simplefilter("ignore", RuntimeWarning)
    sys.unraisablehook = lambda _: None
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
