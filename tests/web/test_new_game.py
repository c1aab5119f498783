"""A game from one file, of which the page knows nothing, with chance and with a crash in mid-game.

tests/system/e2e/test_new_game.py plays it elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.playing import LOST, WON, quick_match, your_turn

FILE = Path(__file__).parents[2] / "examples" / "pig.py"
MOVES_MAX = 400


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", more=["--game", str(FILE)]) as hall:
        yield hall


def stake(page: Page) -> int:
    found = re.search(r"and (\d+) at stake", page.locator("figcaption").inner_text())
    assert found is not None
    return int(found[1])


def shown(page: Page, name: str) -> str:
    return page.locator(".table-page").get_attribute(name) or ""


@pytest.mark.slow
def test_it_is_played_to_its_end(
    new_person: Callable[..., Page], people: People, hall: HallProcess
) -> None:
    people.forgive("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket")
    players = quick_match(new_person("anna"), new_person("bob"), "Little Pig")
    for move in range(MOVES_MAX):
        if move == 2:
            hall.restart()
        (mover,) = (page for page in players if your_turn(page).is_visible())
        seq = shown(mover, "data-seq")
        name = "Roll" if stake(mover) < 4 else "Hold"
        mover.get_by_role("group", name="The table").get_by_role("button", name=name).click()
        for page in players:
            expect(page.locator(".table-page")).not_to_have_attribute("data-seq", seq)
        if shown(mover, "data-status") == "over":
            break
    for page, result in ((mover, WON), (other(players, mover), LOST)):
        expect(page.locator(".result-words")).to_contain_text(result)


def other(players: tuple[Page, Page], page: Page) -> Page:
    return players[1] if page is players[0] else players[0]
