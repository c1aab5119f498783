"""Two browsers play called Bingo at the hall's own table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import events, game_card, table_of

CALLED = re.compile(r"^\d+, called$")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", settings=["bingo.pause_seconds=0.02"]) as hall:
        yield hall


def come_in(page: Page) -> None:
    game_card(page, "Bingo").get_by_role("button", name="Come in").click()
    expect(page.get_by_role("button", name="Start a round")).to_be_visible()


def called(page: Page) -> list[int]:
    cells = page.get_by_role("table", name="Called numbers").get_by_role("cell", name=CALLED)
    return [int(text) for text in cells.all_inner_texts()]


def bingo(page: Page) -> Locator:
    return page.get_by_role("button", name="BINGO")


def test_a_round_marked_by_hand_and_by_itself(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    # The BINGO button beckons to whoever has a line, unless they want no motion.
    anna, bob = (new_person(name, reduced_motion="reduce") for name in ("anna", "bob"))
    come_in(anna)
    come_in(bob)
    expect(anna.get_by_text("2 at the table")).to_be_visible()
    bob.get_by_role("switch", name="Mark the numbers for me").uncheck()
    anna.get_by_role("button", name="Start a round").click()

    # The hall waits for bob with the second number.
    expect(bob.get_by_text("1 of 75 numbers called")).to_be_visible()
    bingo(bob).click()
    expect(bob.get_by_text("That is no bingo yet")).to_be_visible()
    card = bob.get_by_role("grid", name="Your card")
    places = card.get_by_role("button", name=re.compile(r"^\d+$"))
    own = places.first
    own.click()
    expect(own).to_have_attribute("aria-pressed", "true")
    own.click()
    expect(own).to_have_attribute("aria-pressed", "false")
    on_card = {int(text) for text in places.all_inner_texts()}
    for count in range(1, 4):
        expect(bob.get_by_text(f"{count} of 75 numbers called")).to_be_visible()
        for number in sorted(on_card.intersection(called(bob))):
            place = card.get_by_role("button", name=str(number), exact=True)
            if place.get_attribute("aria-pressed") == "false":
                place.click()
        bob.get_by_role("button", name="Ready").click()
    marked = {
        int(text) for text in card.locator("[aria-pressed=true]").all_inner_texts() if text != "★"
    }
    expect(bob.get_by_text("4 of 75 numbers called")).to_be_visible()
    bob.get_by_role("switch", name="Mark the numbers for me").check()

    # Whoever has a line is waited for.
    winner = expect_line(anna, bob)
    loser = bob if winner is anna else anna
    assert marked <= set(called(winner))
    bingo(winner).click()
    expect(winner.get_by_text("Bingo! You have won.")).to_be_visible()
    name = "anna" if winner is anna else "bob"
    expect(loser.get_by_text(f"Bingo! {name} has won.")).to_be_visible()
    table = table_of(anna)
    drawn = [event["number"] for event in events(hall, table) if event["type"] == "called"]
    for page in (anna, bob):
        expect(page.get_by_role("button", name="Start a round")).to_be_visible()
        assert called(page) == sorted(drawn)


def expect_line(*pages: Page) -> Page:
    """The first of them whose card has a full line."""
    for _ in range(200):
        for page in pages:
            if page.locator(".bingo-place.in-line").count() >= 5:
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody has a line")
