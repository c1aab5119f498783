"""A game from a file, of which the page knows nothing, is played by its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import LOST, WON, expect_result, quick_match, your_turn

NIM = Path(__file__).parents[2] / "examples" / "nim.py"
TAKEN = (3, 3, 3, 3, 3)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", more=["--game", str(NIM)]) as hall:
        yield hall


@pytest.mark.slow
def test_nim_is_played_to_its_end(new_person: Callable[..., Page]) -> None:
    players = quick_match(new_person("anna"), new_person("bob"), "Nim")
    left = 15
    for turn, sticks in enumerate(TAKEN):
        mover, waiting = players[turn % 2], players[1 - turn % 2]
        expect(your_turn(mover)).to_be_visible()
        table = mover.get_by_role("group", name="The table")
        expect(table.get_by_text("|")).to_have_count(left)
        assert waiting.get_by_role("group", name="The table").get_by_role("button").count() <= 3
        # The last three sticks can be clicked, the last but two of them takes all three.
        table.get_by_role("button").nth(3 - sticks).click()
        left -= sticks
        for page in players:
            expect(page.get_by_text(f"{left} sticks are left.")).to_be_visible()
    expect_result(players[0], WON)
    expect_result(players[1], LOST)
