"""Seeded runs of three real nodes and what befalls them: `make faults` plays more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.planted_hall import planted
from tests.faults.three_nodes import play

SEEDS = 15
PLANTED_SEEDS = 6

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_a_run(tmp_path: Path, seed: int) -> None:
    assert play(seed, tmp_path).faults


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "bug", ["request_forgotten", "replica_skips_a_row", "connection_that_stops_hearing"]
)
def test_a_bug_is_found(tmp_path: Path, bug: str) -> None:
    """And the same run of a hall without it is sound."""
    for seed in range(1, PLANTED_SEEDS + 1):
        with_bug, without = tmp_path / f"bug-{seed}", tmp_path / f"none-{seed}"
        with_bug.mkdir()
        try:
            play(seed, with_bug, planted(bug))
        except AssertionError:
            without.mkdir()
            play(seed, without)
            return
    raise AssertionError(f"{PLANTED_SEEDS} runs, and nothing was found")
