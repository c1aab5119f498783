"""Every planted bug is found, and its story is short. Those that take long are in files of their
own, so that they are looked for side by side."""

from __future__ import annotations

import pytest

from tests.simulation.finding import LIMIT_SECONDS, check_becomes_short, check_is_found
from tests.simulation.planted import BUGS
from tests.simulation.rare import RARE

pytestmark = pytest.mark.timeout(LIMIT_SECONDS)

OFTEN = [bug for bug in BUGS if bug not in RARE]


@pytest.mark.parametrize("bug", OFTEN)
def test_it_is_found(bug: str) -> None:
    check_is_found(bug)


@pytest.mark.parametrize("bug", OFTEN)
def test_its_story_becomes_short(bug: str) -> None:
    check_becomes_short(bug)
