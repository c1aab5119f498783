"""Planted bugs that show only where just the right things happen."""

from __future__ import annotations

import pytest

from tests.simulation.finding import LIMIT_SECONDS, check_is_found
from tests.simulation.rare import RARE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LIMIT_SECONDS)]


@pytest.mark.parametrize("bug", RARE)
def test_it_is_found(bug: str) -> None:
    check_is_found(bug)
