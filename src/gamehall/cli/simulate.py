"""`gamehall simulate`: whole halls with faults in a world of their own, by the thousand."""

from __future__ import annotations

import logging
import time

import structlog

from gamehall.cli.output import fail, say


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
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    began = time.monotonic()
    for each in range(seed, seed + runs):
        story = story_of(each)
        found = violation(story)
        if found is not None:
            short = shrunk(story, lambda shorter: violation(shorter) is not None)
            for line in f"{short}\n\nbroken: {violation(short)}".splitlines():
                say(line)
            again = f"gamehall simulate --seed {each} --runs 1"
            return fail(f"Seed {each} breaks a promise. See it again with: {again}", 1)
    seconds = time.monotonic() - began
    say(f"Seeds {seed} to {seed + runs - 1}: no promise broken, {seconds:.0f} s.")
    return 0
