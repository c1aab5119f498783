"""A soak of a minute: what leaks much shows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.soaking import soak

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

LEAKING = (sys.executable, "-m", "tests.soak.leaking_hall")
CRYING = (sys.executable, "-m", "tests.soak.crying_hall")


def test_a_minute(tmp_path: Path) -> None:
    assert soak(tmp_path, 1.5) == []
    assert (tmp_path / "samples.csv").exists()
    assert (tmp_path / "soak.svg").exists()


def test_a_leak_is_found(tmp_path: Path) -> None:
    complaints = soak(tmp_path, 1.5, program=LEAKING)
    assert [each for each in complaints if each.startswith("memory")], complaints


def test_what_is_worse_than_an_error_is_found(tmp_path: Path) -> None:
    complaints = soak(tmp_path, 0.1, program=CRYING)
    assert [each for each in complaints if "cannot_go_on" in each], complaints
