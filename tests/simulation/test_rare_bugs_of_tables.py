"""Planted bugs that show at tables where just the right things happen."""

from __future__ import annotations

import pytest

from tests.simulation.finding import LIMIT_SECONDS, check_becomes_short, check_is_found
from tests.simulation.rare import OF_TABLES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LIMIT_SECONDS)]


@pytest.mark.parametrize("bug", OF_TABLES)
def test_it_is_found(bug: str) -> None:
    check_is_found(bug)


def test_its_story_becomes_short() -> None:
    check_becomes_short("view_that_leaks")
