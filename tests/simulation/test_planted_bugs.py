"""Every planted bug is found, and its story is short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from gamehall.simulation.run import violation
from gamehall.simulation.shrink import shrunk
from gamehall.simulation.story import Story, story_of
from tests.simulation.planted import BUGS

SEEDS_MAX = 1000
STEPS_MAX = 30


def first_found(bug: str) -> Story:
    for seed in range(SEEDS_MAX):
        story = story_of(seed)
        with BUGS[bug]():
            if violation(story) is not None:
                return story
    raise AssertionError(f"{bug} is not found in {SEEDS_MAX} stories")


RARE = (
    # Each takes dozens of stories, or hundreds.
    "fence_skipped",
    "lease_looked_at_too_late",
    "hold_given_twice",
    "events_told_from_the_state_after_the_batch",
    "wish_lost_with_the_lead",
    "timer_by_the_wall_clock",
    "view_that_leaks",
    "replica_skips_a_row",
    "four_board_after_the_batch",
    "caller_misses_what_is_called_while_it_sits_down",
    "duel_deals_the_other_board",
    "watch_never_looks_again",
)
SHORT = (
    "told_before_durable",
    "request_forgotten",
    "payout_doubled",
    "view_that_leaks",
    "replica_skips_a_row",
    "table_kept_for_ever",
)


def marked(bugs: Iterable[str]) -> list[Any]:
    return [pytest.param(bug, marks=[pytest.mark.slow] if bug in RARE else []) for bug in bugs]


@pytest.mark.timeout(900)  # All of it is computing, of which a busy machine does little.
@pytest.mark.parametrize("bug", marked(BUGS))
def test_it_is_found(bug: str) -> None:
    story = first_found(bug)
    assert violation(story) is None, "it breaks a promise without the bug as well"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("bug", marked(SHORT))
def test_its_story_becomes_short(bug: str) -> None:
    assert len(short_enough(first_found(bug), bug).steps) <= STEPS_MAX


def short_enough(story: Story, bug: str) -> Story:
    """A part of the story that shows the bug still: `shrunk` would go on, which takes long."""
    shortest = story

    def shows(shorter: Story) -> bool:
        nonlocal shortest
        if len(shortest.steps) <= STEPS_MAX:
            return False
        with BUGS[bug]():
            shown = violation(shorter) is not None
        if shown:
            shortest = shorter
        return shown

    assert shrunk(story, shows) == shortest
    return shortest
