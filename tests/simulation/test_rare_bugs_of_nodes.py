"""Planted bugs that show when nodes come and go."""

from __future__ import annotations

import pytest

from tests.simulation.finding import LIMIT_SECONDS, check_becomes_short, check_is_found
from tests.simulation.rare import OF_NODES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LIMIT_SECONDS)]


@pytest.mark.parametrize("bug", OF_NODES)
def test_it_is_found(bug: str) -> None:
    check_is_found(bug)


def test_its_story_becomes_short() -> None:
    check_becomes_short("replica_skips_a_row")
