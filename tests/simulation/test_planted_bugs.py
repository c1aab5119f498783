"""Every planted bug is found, and its story is short. Those that take long are in a file of their
own."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from gamehall.hall.beat import beat
from gamehall.simulation.run import violation
from gamehall.simulation.story import story_of
from tests.simulation.finding import LIMIT_SECONDS, check_becomes_short, check_is_found
from tests.simulation.planting import BUGS
from tests.simulation.rare import RARE

pytestmark = pytest.mark.timeout(LIMIT_SECONDS)

OFTEN = [bug for bug in BUGS if bug not in RARE]


@pytest.mark.parametrize("bug", OFTEN)
def test_it_is_found(bug: str) -> None:
    check_is_found(bug)


@pytest.mark.parametrize("bug", OFTEN)
def test_its_story_becomes_short(bug: str) -> None:
    check_becomes_short(bug)


def test_a_plant_that_does_not_fit_the_hall_is_not_found() -> None:
    """The hall may have changed since it was planted."""
    with patch.object(beat, "transfers_of", lambda: ()):
        broken = violation(story_of(0))
    assert broken is not None
    assert "TypeError" in broken
    assert [name for name, bug in BUGS.items() if bug.is_found(broken)] == []
