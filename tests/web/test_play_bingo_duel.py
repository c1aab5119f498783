"""Two browsers play two-player Bingo at a private table, which the second finds by a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import LOST, WON, game_card, in_turn, table_of, your_turn

SIZE = 4


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", settings=[f"duel.size={SIZE}"]) as hall:
        yield hall


def own_board(page: Page) -> Locator:
    return page.get_by_role("grid", name="Your board")


def board_of(page: Page, name: str) -> Locator:
    return page.get_by_label(f"Board of {name}")


def pick(players: tuple[Page, Page], turn: int) -> bool:
    """Whether the game goes on after the mover's first free number was picked."""
    mover = players[turn % 2]
    expect(your_turn(mover)).to_be_visible()
    free = own_board(mover).get_by_role("button", name=re.compile(r"^\d+$")).first
    number = free.inner_text()
    free.click()
    for page in players:
        marked = own_board(page).get_by_role("button", name=re.compile(rf"^{number}, picked by "))
        expect(marked).to_be_visible()
    said = re.compile(r"Your turn\.|is to move\.|You have (won|lost)|A draw\.")
    expect(mover.get_by_text(said).first).to_be_visible()
    return mover.locator(".result-words").count() == 0


def test_a_private_table_by_its_link(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    anna = new_person("anna")
    game_card(anna, "Two-player Bingo").get_by_role("button", name="Invite a friend").click()
    expect(anna.get_by_text("Waiting for another player…")).to_be_visible()
    link = anna.get_by_label("Send this link to a friend:").input_value()
    stranger = new_person("eve", path=f"/#/table/{table_of(anna)}")
    expect(stranger.get_by_role("alert")).to_contain_text("This table is private.")

    bob = new_person("bob", path=link.removeprefix(hall.web_url))
    bob.get_by_role("button", name="Sit down").click()
    players = in_turn(anna, bob)
    expect(board_of(anna, "bob")).to_have_accessible_name(re.compile("face down until the end"))
    turn = 0
    while pick(players, turn):
        turn += 1
        assert turn < SIZE**2

    results = {page: page.locator(".result-words strong").inner_text() for page in players}
    assert sorted(results.values()) in ([LOST, WON], ["A draw."] * 2)
    for page, name, other in ((anna, "anna", "bob"), (bob, "bob", "anna")):
        expect(board_of(page, other).get_by_role("cell")).to_have_count(SIZE**2)
        own = page.locator(".duel-side").filter(has_text=f"{name} (you)")
        lines = int(own.get_by_text(f"of {SIZE} lines").inner_text().split()[0])
        assert (lines >= SIZE) == (results[page] != LOST)
        expect(own.locator(".duel-strikes line")).to_have_count(lines)
