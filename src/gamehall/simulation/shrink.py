"""A story that shows a fault, made short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gamehall.simulation.step import Step
from gamehall.simulation.story import Story


def shrunk(story: Story, fails: Callable[[Story], bool], tries_max: int = 400) -> Story:
    """The shortest story that was found to fail still: without some of its steps, people or nodes.

    It leaves out ever smaller parts, as delta debugging does.
    """
    tries = 0

    def still_fails(shorter: Story) -> bool:
        nonlocal tries
        tries += 1
        return tries <= tries_max and fails(shorter)

    parts = 2
    while len(story.steps) > 1 and tries < tries_max:
        size = max(1, len(story.steps) // parts)
        for start in range(0, len(story.steps), size):
            shorter = _without(story, story.steps[start : start + size])
            if still_fails(shorter):
                story, parts = shorter, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(story.steps), parts * 2)
    return story


def _without(story: Story, steps: Sequence[Step]) -> Story:
    gone = set(map(id, steps))
    return replace(story, steps=tuple(step for step in story.steps if id(step) not in gone))
