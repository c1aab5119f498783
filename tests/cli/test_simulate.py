"""`gamehall simulate`: what it prints, and how it ends."""

from __future__ import annotations

import pytest

from gamehall.cli.simulate import FEW, simulate
from tests.simulation.planted import BUGS


def test_a_hall_that_keeps_its_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(seed=3, runs=2) == 0
    assert capsys.readouterr().out.startswith("Seeds 3 to 4: no promise broken")


def test_many_runs_are_played_on_all_cores(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(seed=500, runs=FEW + 1) == 0
    assert capsys.readouterr().out.startswith(f"Seeds 500 to {500 + FEW}: no promise broken")


def test_a_story_that_breaks_one(capsys: pytest.CaptureFixture[str]) -> None:
    with BUGS["told_before_durable"]():
        assert simulate(seed=0, runs=50) == 1
    said = capsys.readouterr()
    first, *lines = said.out.splitlines()
    assert first.startswith("seed ")
    assert " s  " in lines[0]
    assert lines[-1].startswith("broken: ")
    assert "gamehall simulate --seed" in said.err


def test_no_runs_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(runs=0) == 2
    assert "--runs" in capsys.readouterr().err
