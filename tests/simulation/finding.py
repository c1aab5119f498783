"""How a planted bug is looked for: story after story, until one shows it."""

from __future__ import annotations

from functools import cache

from gamehall.simulation.plots import ASK
from gamehall.simulation.run import violation
from gamehall.simulation.shrink import shrunk
from gamehall.simulation.story import VISITORS, Story, story_of
from tests.simulation import planted, planted_arena
from tests.simulation.planting import BUGS

IN = (planted, planted_arena)
"""Each of them puts its bugs on the list."""
PLOTS = {"tournament": "open a tournament", "private": "open privately", "arena": ASK}
"""What happens in stories with each of them."""
SEEDS_MAX = 1000
STEPS_MAX = 30
LIMIT_SECONDS = 1800
"""All of it is computing, of which a busy machine does little."""


@cache
def first_found(bug: str) -> Story:
    for seed in range(SEEDS_MAX):
        story = story_of(seed)
        if can_show(story, bug) and shows(story, bug):
            return story
    raise AssertionError(f"{bug} is not found in {SEEDS_MAX} stories")


def shows(story: Story, bug: str) -> bool:
    """Whether the checker says of the story what it should say of this bug."""
    with BUGS[bug].plant():
        return BUGS[bug].is_found(violation(story))


def can_show(story: Story, bug: str) -> bool:
    """A bug that is named for a door shows only where someone comes to that door, and one that is
    named for a plot only in stories that have it."""
    door = bug.partition("_")[0]
    if door in PLOTS:
        return any(step.does == PLOTS[door] for step in story.steps)
    return door not in VISITORS or not set(VISITORS[door]).isdisjoint(story.people)


def check_is_found(bug: str) -> None:
    assert violation(first_found(bug)) is None, "it breaks a promise without the bug as well"


def check_becomes_short(bug: str) -> None:
    assert len(short_enough(first_found(bug), bug).steps) <= STEPS_MAX


def short_enough(story: Story, bug: str) -> Story:
    """A part of the story that shows the bug still: `shrunk` would go on, which takes long."""
    shortest = story

    def is_enough(shorter: Story) -> bool:
        nonlocal shortest
        if len(shortest.steps) <= STEPS_MAX:
            return False
        shown = shows(shorter, bug)
        if shown:
            shortest = shorter
        return shown

    assert shrunk(story, is_enough) == shortest
    return shortest
