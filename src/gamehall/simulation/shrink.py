"""A story that shows a fault, made short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gamehall.simulation.step import Step
from gamehall.simulation.story import Story


def shrunk(story: Story, fails: Callable[[Story], bool], tries_max: int = 400) -> Story:
    """The shortest story that was found to fail still: without some of its steps, people or nodes.

    It leaves out ever smaller parts of the steps, as delta debugging does, for as many tries as it
    may. Then it leaves out people who do nothing any more, and nodes: one try for each at most.
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
    return _with_fewer_nodes(_with_fewer_people(story, fails), fails)


def _with_fewer_people(story: Story, fails: Callable[[Story], bool]) -> Story:
    busy = {step.who for step in story.steps}
    idle = [name for name in story.people if name not in busy]
    for gone in (idle, *([name] for name in idle)):
        fewer = replace(story, people=tuple(name for name in story.people if name not in gone))
        if fewer.people and fewer != story and fails(fewer):
            story = fewer
    return story


def _with_fewer_nodes(story: Story, fails: Callable[[Story], bool]) -> Story:
    for nodes in range(1, story.nodes):
        gone = {f"node-{number}" for number in range(nodes + 1, story.nodes + 1)}
        steps = tuple(step for step in story.steps if step.who not in gone)
        fewer = replace(story, nodes=nodes, steps=steps)
        if fails(fewer):
            return fewer
    return story


def _without(story: Story, steps: Sequence[Step]) -> Story:
    gone = set(map(id, steps))
    return replace(story, steps=tuple(step for step in story.steps if id(step) not in gone))
