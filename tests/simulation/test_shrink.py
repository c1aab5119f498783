"""A story that shows a fault is made short: only what the fault needs is left."""

from __future__ import annotations

from gamehall.simulation.shrink import shrunk
from gamehall.simulation.step import Step
from gamehall.simulation.story import Story

STEPS = tuple(
    Step(float(n), who, "act", 0.5)
    for n, who in enumerate(("anna", "bert", "node-1", "anna", "kim", "node-3", "bert", "anna"))
)
STORY = Story(1, 3, ("anna", "bert", "carl", "kim"), STEPS)


def test_steps_people_and_nodes_are_left_out() -> None:
    def fails(story: Story) -> bool:
        return STEPS[3] in story.steps and "carl" in story.people and story.nodes > 1

    assert shrunk(STORY, fails) == Story(1, 2, ("anna", "carl"), (STEPS[3],))


def test_what_befalls_a_node_that_is_left_out_is_too() -> None:
    others = tuple(step for step in STEPS if step.who != "node-3")

    def fails(story: Story) -> bool:
        return story.steps == (STEPS if story.nodes == 3 else others) and story.nodes > 1

    assert shrunk(STORY, fails) == Story(1, 2, ("anna", "bert", "kim"), others)


def test_people_and_nodes_are_left_out_when_no_more_steps_may_be_tried() -> None:
    assert shrunk(STORY, lambda _: True, tries_max=0) == Story(
        1, 1, ("anna", "bert", "kim"), tuple(step for step in STEPS if step.who != "node-3")
    )
