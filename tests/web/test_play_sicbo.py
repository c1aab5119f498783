"""Two browsers bet at the hall's table of Sic Bo."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import events, game_card, table_of

START = 1_000_000
PLACES = {
    "SUM10": "the sum 10, 6 to 1",
    "DICE4DB": "twice 4, 10 to 1",
    "LEO3": "three times 3, 180 to 1",
    "DICE1SG": "the number 1, 1/2/3 to 1",
}
"""Some of the small sides, as the page names them."""
CHIP = 10_000
SETTINGS = ("sicbo.betting_seconds=10", "sicbo.reveal_seconds=0.2", "sicbo.pause_seconds=5")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "data", settings=SETTINGS) as hall:
        yield hall


def come_in(page: Page) -> None:
    game_card(page, "Sic Bo").get_by_role("button", name="Come in").click()
    expect(page.get_by_text("Play money", exact=True)).to_be_visible()


def bet(page: Page, chips: str, side: str) -> None:
    page.get_by_role("radio", name=f"{chips} chips").check(force=True)
    page.get_by_role("button", name=f"Bet {chips} on {side}", exact=True).click()
    expect(page.locator(".sicbo-side", has_text=side)).to_contain_text(f"Your stake: {chips}")


def bet_on_places(page: Page) -> None:
    page.get_by_role("radio", name=f"{CHIP:,} chips").check(force=True)
    for name in PLACES.values():
        page.get_by_role("button", name=f"Bet {CHIP:,} on {name}", exact=True).click()
    for name in PLACES.values():
        told = f"Bet {CHIP:,} on {name}, {CHIP:,} chips, 1 player, Your stake: {CHIP:,}"
        expect(page.get_by_role("button", name=told, exact=True)).to_be_visible()
    expect(page.locator(".sicbo-own")).to_have_count(len(PLACES))


def comes_back(side: str, dice: list[int]) -> int:
    """How many times a stake comes back."""
    match side:
        case "BIG":
            return 2 * (10 < sum(dice) < 18)
        case "SMALL":
            return 2 * (3 < sum(dice) < 11)
        case "SUM10":
            return 7 * (sum(dice) == 10)
        case "DICE4DB":
            return 11 * (dice.count(4) > 1)
        case "LEO3":
            return 181 * (dice == [3, 3, 3])
    assert side == "DICE1SG"
    return (0, 2, 3, 4)[dice.count(1)]


def told_gain(gain: int) -> str:
    if gain == 0:
        return "You neither won nor lost."
    return f"You {'won' if gain > 0 else 'lost'} {abs(gain):,} chips."


def expect_balance(page: Page, chips: int) -> None:
    expect(page.locator(".sicbo-wallet")).to_contain_text(f"Your balance: {chips:,} chips")


def test_a_round_of_bets(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    anna, bob = new_person("anna"), new_person("bob")
    come_in(anna)
    come_in(bob)
    # The table has rested until anna came, so the round has just begun.
    for page in (anna, bob):
        expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    bets = {anna: {"BIG": 20_000, **dict.fromkeys(PLACES, CHIP)}, bob: {"SMALL": CHIP}}
    stakes = {page: sum(sides.values()) for page, sides in bets.items()}
    bet(anna, "20,000", "Big")
    bet(bob, "10,000", "Small")
    bet_on_places(anna)
    expect(anna.get_by_text("Your bets of this round: 60,000 chips")).to_be_visible()
    for page in (anna, bob):
        expect_balance(page, START - stakes[page])
        # Not only when betting has closed.
        open = page.locator(".sicbo", has_text="Place your bets.")
        expect(open.locator(".sicbo-side", has_text="Big")).to_contain_text("20,000 chips")
        expect(open.locator(".sicbo-side", has_text="Small")).to_contain_text("10,000 chips")
        expect(open.locator(".sicbo-all")).to_have_text("2 players · 70,000 chips")

    said = re.compile(r"^\d+: (Big|Small|Neither Big nor Small)\.$")
    expect(anna.get_by_text(said)).to_be_visible()
    (rolled,) = (event for event in events(hall, table_of(anna)) if event["type"] == "rolled")
    dice = rolled["dice"]
    result = {"BIG": "Big", "SMALL": "Small", "NONE": "Neither Big nor Small"}[rolled["result"]]
    brought = {
        page: sum(chips * comes_back(side, dice) for side, chips in sides.items())
        for page, sides in bets.items()
    }
    # The table stays so for a few seconds, what comes after them for longer.
    for page in (anna, bob):
        shown = f"Dice: {', '.join(map(str, dice))}"
        expect(page.get_by_role("img", name=shown, exact=True)).to_be_visible()
        expect(page.get_by_text(told_gain(brought[page] - stakes[page]))).to_be_visible()
    past = f"Round 1: {rolled['sum']}, {result}"
    for page in (anna, bob):
        expect_balance(page, START - stakes[page] + brought[page])
        expect(page.get_by_role("listitem").filter(has_text=past)).to_have_count(1)
    expect(anna.locator(".sicbo-own")).to_have_count(0)
    anna.get_by_role("button", name="Repeat my last bets").click()
    expect(anna.locator(".sicbo-own")).to_have_count(len(PLACES))
    expect(anna.locator(".sicbo-side", has_text="Big")).to_contain_text("Your stake: 20,000")
    expect_balance(anna, START - 2 * stakes[anna] + brought[anna])
    anna.get_by_role("button", name="Statement").click()
    expect(anna.get_by_role("row").filter(has_text="round 1")).to_have_count(
        len(bets[anna]) + (brought[anna] > 0)
    )
