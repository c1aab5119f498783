"""Two browsers bet at the hall's table of Sic Bo."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.processes import HallProcess
from tests.web.playing import events, game_card, table_of

START = 1_000_000
SETTINGS = ("sicbo.betting_seconds=6", "sicbo.reveal_seconds=0.2", "sicbo.pause_seconds=5")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", settings=SETTINGS) as hall:
        yield hall


def come_in(page: Page) -> None:
    game_card(page, "Sic Bo").get_by_role("button", name="Come in").click()
    expect(page.get_by_text("Play money", exact=True)).to_be_visible()


def bet(page: Page, chips: str, side: str) -> None:
    page.get_by_role("radio", name=f"{chips} chips").check(force=True)
    page.get_by_role("button", name=f"Bet {chips} on {side}").click()
    expect(page.locator(".sicbo-side", has_text=side)).to_contain_text(f"Your stake: {chips}")


def expect_balance(page: Page, chips: int) -> None:
    expect(page.locator(".sicbo-wallet")).to_contain_text(f"Your balance: {chips:,} chips")


def test_a_round_of_bets(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    anna, bob = new_person("anna"), new_person("bob")
    come_in(anna)
    come_in(bob)
    # The table has rested until anna came, so the round has just begun.
    for page in (anna, bob):
        expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    bet(anna, "20,000", "Big")
    bet(bob, "10,000", "Small")
    expect_balance(anna, START - 20_000)
    expect_balance(bob, START - 10_000)
    for page in (anna, bob):
        # Not only when betting has closed.
        open = page.locator(".sicbo", has_text="Place your bets.")
        expect(open.locator(".sicbo-side", has_text="Big")).to_contain_text("20,000 chips")
        expect(open.locator(".sicbo-side", has_text="Small")).to_contain_text("10,000 chips")
        expect(open.locator(".sicbo-all")).to_have_text("2 players")

    expect(anna.get_by_text(re.compile(r"^\d+: (Big|Small|The house wins)\.$"))).to_be_visible()
    (rolled,) = (event for event in events(hall, table_of(anna)) if event["type"] == "rolled")
    dice = ", ".join(map(str, rolled["dice"]))
    result = {"BIG": "Big", "SMALL": "Small", "NONE": "The house wins"}[rolled["result"]]
    bets = {anna: ("BIG", 20_000), bob: ("SMALL", 10_000)}
    # The table stays so for a few seconds, what comes after them for longer.
    for page, (side, chips) in bets.items():
        expect(page.get_by_role("img", name=f"Dice: {dice}", exact=True)).to_be_visible()
        gain = f"You {'won' if rolled['result'] == side else 'lost'} {chips:,} chips."
        expect(page.get_by_text(gain)).to_be_visible()
    past = f"Round 1: {rolled['sum']}, {result}"
    for page, (side, chips) in bets.items():
        expect_balance(page, START + (chips if rolled["result"] == side else -chips))
        expect(page.get_by_role("listitem").filter(has_text=past)).to_have_count(1)
    anna.get_by_role("button", name="Statement").click()
    expect(anna.get_by_role("row").filter(has_text="round 1")).to_have_count(
        2 if rolled["result"] == "BIG" else 1
    )
