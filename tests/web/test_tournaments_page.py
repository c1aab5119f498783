"""Tournaments at the page: opened, entered, played and won there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import in_turn, table_of


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall") / "data") as hall:
        yield hall


def open_tournament(page: Page, title: str, form: str) -> str:
    """The way to a new tournament of Connect Four, on whose page its organiser is."""
    organise = page.get_by_role("form", name="Open a tournament")
    organise.get_by_label("Title").fill(title)
    organise.get_by_role("combobox", name="Game").select_option("Connect Four")
    organise.get_by_role("combobox", name="Format").select_option(form)
    organise.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    return "/" + page.url[page.url.index("#") :]


def enter(page: Page, club: str = "") -> None:
    page.get_by_label("Club (optional)").fill(club)
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You are in.")).to_be_visible()


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_text("You have lost.")).to_be_visible()


@pytest.mark.slow
def test_a_knock_out_from_entry_to_winner(new_person: Callable[..., Page]) -> None:
    anna = new_person("anna", path="/#/tournaments")
    expect(anna.get_by_text("There is no tournament right now. Open one!")).to_be_visible()
    way = open_tournament(anna, "Autumn cup", "Knock-out")
    enter(anna, "north")
    bob = new_person("bob", path="/#/tournaments")
    bob.get_by_role("link", name=re.compile("^Autumn cup")).click()
    expect(bob.get_by_text("1 entrant · open for entries")).to_be_visible()
    expect(bob.get_by_role("button", name="Begin now")).to_have_count(0)
    enter(bob)
    spectator = new_person(path=way)
    expect(spectator.get_by_text("2 entrants · open for entries")).to_be_visible()

    anna.get_by_role("button", name="Begin now").click()
    # Both land at their table without a click.
    first, second = in_turn(anna, bob)
    assert table_of(first) == table_of(second)
    bracket = spectator.get_by_role("region", name="Games")
    expect(bracket.get_by_role("link", name="Watch")).to_be_visible()
    resign(second)
    winner = "anna" if first is anna else "bob"
    expect(spectator.get_by_text(f"Winner: {winner}")).to_be_visible()
    ranking = spectator.get_by_role("region", name="Standings").get_by_role("row")
    expect(ranking.nth(1)).to_contain_text(re.compile(rf"^1{winner}"))
    expect(ranking.filter(has_text="anna")).to_contain_text("north")
    won = bracket.locator(".won")
    expect(won).to_have_text(re.compile(rf"^{winner}1"))
    bracket.get_by_role("link", name="Replay").click()
    expect(spectator.get_by_role("heading", name="Replay: Connect Four")).to_be_visible()
    spectator.go_back()
    spectator.get_by_role("link", name="Verify").click()
    expect(spectator.get_by_text("What could be checked is in order")).to_be_visible()


@pytest.mark.slow
def test_withdrawing(new_person: Callable[..., Page]) -> None:
    carl = new_person("carl", path="/#/tournaments")
    way = open_tournament(carl, "Winter league", "Everyone meets everyone")
    enter(carl)
    carl.get_by_role("button", name="Withdraw").click()
    expect(carl.get_by_role("button", name="Enter")).to_be_visible()
    enter(carl)
    pages = [carl, *(new_person(name, path=way) for name in ("dora", "ed"))]
    for page in pages[1:]:
        enter(page)
    carl.get_by_role("button", name="Begin now").click()
    idle = who_waits(pages)
    expect(idle.get_by_text("Your next game starts by itself.")).to_be_visible()
    idle.get_by_role("button", name="Withdraw").click()
    ranking = idle.get_by_role("region", name="Standings").get_by_role("row")
    expect(ranking.filter(has_text="(withdrawn)")).to_have_count(1)
    one, other = (page for page in pages if page is not idle)
    resign(in_turn(one, other)[0])
    expect(idle.get_by_text(re.compile("^Winner: (carl|dora|ed)$"))).to_be_visible()


def who_waits(pages: Sequence[Page]) -> Page:
    """Of three, two play and one waits for the next game."""
    for _ in range(300):
        waiting = [page for page in pages if "#/table/" not in page.url]
        if len(waiting) == 1:
            return waiting[0]
        pages[0].wait_for_timeout(50)
    raise AssertionError("no game has begun")
