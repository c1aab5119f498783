"""Seeded runs of a hall on a disk that fails: `make faults` plays them for as long as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.one_node import play
from tests.system.e2e.programs import faulty

SEEDS = 40
PLANTED_SEEDS = 10


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_a_run(tmp_path: Path, seed: int) -> None:
    assert play(seed, tmp_path).faults


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hall_that_does_not_sync_is_found_out(tmp_path: Path) -> None:
    """Within a few seeds: some have no power cut, or one that leaves all. And the same run of a
    hall that does is sound."""
    for seed in range(PLANTED_SEEDS):
        careless, careful = tmp_path / f"careless-{seed}", tmp_path / f"careful-{seed}"
        careless.mkdir()
        try:
            play(seed, careless, faulty("unsynced"))
        except AssertionError:
            careful.mkdir()
            play(seed, careful)
            return
    raise AssertionError(f"{PLANTED_SEEDS} runs, and nothing was found")
