"""Halls with faults in simulated worlds: no promise is broken, and a run can be had again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gamehall.simulation.run import violation
from gamehall.simulation.step import OPERATOR, Step
from gamehall.simulation.story import Story
from tests.support.processes import Process

RUNS = 500
IN_ONE = 100
AGAIN = """
import hashlib, sys
from gamehall.simulation.run import Run
from gamehall.simulation.story import story_of
run = Run(story_of(int(sys.argv[1])))
run.play()
sys.exit(hashlib.sha256(run.transcript()).hexdigest())
"""


@pytest.mark.timeout(900)  # All of it is computing, of which a busy machine does little.
@pytest.mark.parametrize("first", range(0, RUNS, IN_ONE))
def test_no_promise_is_broken(first: int) -> None:
    with Process("simulate", "--seed", str(first), "--runs", str(IN_ONE)) as simulate:
        assert simulate.wait(900) == 0, simulate.report()


@pytest.mark.parametrize("seed", [1, 16, 42, 1016, 1023])  # 16 has the arena, 42 an operator.
def test_the_same_seed_is_the_same_run(seed: int) -> None:
    """Whatever order the sets of a process have."""
    runs = [
        subprocess.run(
            [sys.executable, "-c", AGAIN, str(seed)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
        )
        for hash_seed in ("1", "2")
    ]
    digests = {run.stderr.strip() for run in runs}
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_who_cannot_know_that_it_has_entered_need_not_hear_of_the_end() -> None:
    """It goes before it is answered, and is back when the tournament is over."""
    steps = (
        Step(1.782, OPERATOR, "open a tournament", 0.6934264475651255),
        Step(2.526, "emil", "enter", 0.7029065583149631),
        Step(2.561, "emil", "stay away", 0.37884182233972385),
    )
    assert violation(Story(1933, 1, ("emil",), steps)) is None


def test_who_is_back_may_hear_that_its_match_was_called_off() -> None:
    """Its seat is given up at a node that has not heard of its return."""
    steps = (
        Step(1.969279582261898, "sven", "act", 0.9970674141702853),
        Step(5.766471553823893, "node-1", "is frozen", 0.40015406436582046),
        Step(5.905050495342775, "sven", "act", 0.3691178980844171),
        Step(6.8316880665683035, "bert", "hang up", 0.3301229710703085),
        Step(7.320294256706007, "quin", "hang up", 0.8665096059242846),
        Step(7.467628410004111, "node-3", "loses messages", 0.666253361501134),
        Step(8.328242777470582, "node-3", "hears nothing", 0.600368360269348),
    )
    people = ("anna", "bert", "carl", "dora", "quin", "sven")
    assert violation(Story(5508, 3, people, steps)) is None


def test_who_comes_back_elsewhere_is_not_busy_with_a_table_that_is_forgotten_here() -> None:
    """The lead had lost the table while its player was away, and never heard that it was over."""
    steps = (
        Step(0.3825758121646594, "bert", "open a tournament", 0.6987901880652335),
        Step(0.8851268974383086, "tina", "hang up", 0.571408066595945),
        Step(2.662780810807941, "node-1", "is frozen", 0.7620928966603081),
        Step(3.4774938502710118, "lea", "act", 0.5947076543563061),
        Step(4.584698270537038, "kim", "act", 0.4256326044836767),
        Step(4.921007092157417, "bert", "seek", 0.6589145493256416),
        Step(4.952201771199974, "tina", "move", 0.5374471642618998),
        Step(19.85872698048899, "lea", "act late", 0.4600418522267159),
    )
    people = ("anna", "bert", "kim", "lea", "tina", "uwe")
    assert violation(Story(9724, 3, people, steps)) is None


def test_an_end_of_which_the_lead_hears_late_is_not_told_beside_a_game() -> None:
    """Another lead had ended the challenge; this one hears of it when it was accepted anew."""
    steps = (
        Step(9.091454660000906, "bert", "challenge", 0.2672513676277952),
        Step(9.420978820409157, "bert", "refill", 0.2386310224332282),
        Step(12.318169734604217, "ida", "hang up", 0.792609936980563),
        Step(12.428220222359567, "node-1", "loses the store", 0.8060832618951672),
        Step(14.466911593639693, "anna", "accept", 0.1950352433178364),
    )
    assert violation(Story(534, 2, ("anna", "bert", "ida"), steps)) is None
