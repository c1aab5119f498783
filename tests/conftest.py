"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Both limits are by the clock: on a busy machine they say nothing about the code.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

LONG = (
    # Slow by nature, for minutes each.
    "solver/test_all_depths.py",
    "system/containers/",
    "system/binaries/",
    "faults/",
    "soak/",
    "system/releases/",
    "simulation/",
    "system/originals/",
    # Those of every run, the longest first.
    "store/",
    "web/",
    "many_nodes/processes/",
    "terminal/",
    "support/",
    "system/e2e/",
    "games/test_sicbo_contract.py",
    "many_nodes/",
)
"""Where the tests are that take long, of a file."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long begin first: at the end, a worker with such a file would work alone."""

    def place(item: pytest.Item) -> int:
        path = item.nodeid.removeprefix("tests/")
        return next((place for place, part in enumerate(LONG) if path.startswith(part)), len(LONG))

    items.sort(key=place)
