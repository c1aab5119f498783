"""`gamehall simulate`: what it prints, and how it ends. Each time in a process of its own, whose
logs it silences."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gamehall.cli.simulate import FEW
from tests.support.processes import Process

LIMIT_SECONDS = 600
NOT_UNDERSTOOD = """
import sys
from unittest.mock import patch
from gamehall.cli.simulate import simulate
from gamehall.simulation.clients.person import Person
told = Person._told
def without_a_number(self, action, payload):
    told(self, action, {name: each for name, each in payload.items() if name != "seq"})
with patch.object(Person, "_told", without_a_number):
    sys.exit(simulate(seed=3, runs=50))
"""
PLANTED = """
import sys
from gamehall.cli.simulate import simulate
from tests.simulation.planted import told_before_durable
with told_before_durable():
    sys.exit(simulate(seed=0, runs=50))
"""

# All of it is computing, of which a busy machine does little.
pytestmark = pytest.mark.timeout(LIMIT_SECONDS)


def simulated(*arguments: str) -> Process:
    with Process("simulate", *arguments) as simulate:
        simulate.wait(LIMIT_SECONDS)
    return simulate


def test_a_hall_that_keeps_its_promises() -> None:
    done = simulated("--seed", "3", "--runs", "2")
    assert done.wait() == 0, done.report()
    assert done.stdout[0].startswith("Seeds 3 to 4: no promise broken")
    assert done.stderr == []


def test_more_runs_than_one_process_plays() -> None:
    done = simulated("--seed", "500", "--runs", str(FEW + 1))
    assert done.wait() == 0, done.report()
    assert done.stdout[0].startswith(f"Seeds 500 to {500 + FEW}: no promise broken")


def broken(program: str) -> Process:
    """Simulates with another hall or other clients, which break a promise."""
    root = Path(__file__).parents[2]
    with Process(program=(sys.executable, "-c", program), folder=root) as simulate:
        assert simulate.wait(LIMIT_SECONDS) == 1, simulate.report()
    return simulate


def test_a_story_that_breaks_one() -> None:
    simulate = broken(PLANTED)
    first, *lines = simulate.stdout
    assert first.startswith("seed ")
    assert " s  " in lines[0]
    assert lines[-1].startswith("broken: ")
    assert "is lost" in lines[-1]
    assert "gamehall simulate --seed" in simulate.stderr[-1]


def test_a_story_that_a_client_does_not_understand() -> None:
    simulate = broken(NOT_UNDERSTOOD)
    assert simulate.stdout[0].startswith("seed 3")
    assert simulate.stdout[-1].startswith("broken: could not understand: KeyError: 'seq'")
    assert simulate.stderr == [
        "gamehall: Seed 3 breaks a promise. See it again with: gamehall simulate --seed 3 --runs 1"
    ]


def test_no_runs_at_all() -> None:
    done = simulated("--runs", "0")
    assert done.wait() == 2, done.report()
    assert "--runs" in done.stderr[0]
