"""Finished games: found by what they were, who played and how it ended; players and standings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.guests import Guest, bots_play, match, play_connect_four, play_sicbo

# Many real processes each: make test-all runs them.
pytestmark = pytest.mark.slow

WON = 28
"""Games of Connect Four, so that with the others there are more than a page of 30."""
SETTINGS = ("sicbo.betting_seconds=0.5", "sicbo.reveal_seconds=0", "sicbo.pause_seconds=30")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall") / "data", settings=SETTINGS) as hall:
        with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
            play_sicbo(bob)
            for _ in range(WON):
                play_connect_four(anna, bob)
            drawn = match(anna, bob)
            anna.act(drawn, "offer_draw")
            bob.act(drawn, "answer_draw", accept=True)
            resigned = match(anna, bob, "four-stone")
            anna.act(resigned, "resign")
        bots_play(hall, "connect-four")
        yield hall


def games(page: Page) -> Locator:
    """Without the head of the table."""
    return (
        page.get_by_role("region", name="Finished games")
        .get_by_role("row")
        .filter(has=page.get_by_role("cell"))
    )


def combobox(page: Page, name: str) -> Locator:
    return page.get_by_role("combobox", name=name, exact=True)


def search(page: Page) -> None:
    page.get_by_role("button", name="Search").click()


def test_finished_games_are_found(people: People) -> None:
    people.forgive("status of 404")
    page = people.new_person(path="/#/history")
    expect(games(page)).to_have_count(30)
    older = page.get_by_role("button", name="Older games")
    older.click()
    # Sic Bo, and the game of the bots with its tournament.
    expect(games(page)).to_have_count(WON + 2 + 3)
    expect(older).to_have_count(0)
    expect(games(page).last).to_contain_text("Sic Bo")

    combobox(page, "Game").select_option("Four Stone")
    search(page)
    expect(games(page)).to_have_count(1)
    expect(games(page)).to_contain_text(re.compile("bob won.*anna lost|anna lost.*bob won"))

    combobox(page, "Game").select_option("All games")
    expect(combobox(page, "Result")).to_be_disabled()
    page.get_by_label("Player", exact=True).fill("anna")
    combobox(page, "Result").select_option("drawn")
    search(page)
    expect(games(page)).to_have_count(1)
    expect(games(page)).to_contain_text("anna drawn")
    combobox(page, "Result").select_option("lost")
    search(page)
    expect(games(page)).to_contain_text("Four Stone")
    page.get_by_label("Player", exact=True).fill("nobody of that name")
    search(page)
    expect(page.get_by_role("alert")).to_have_text("There is no such player here.")


def test_finished_games_are_found_by_their_date(new_person: Callable[..., Page]) -> None:
    # Far enough from Greenwich that its days begin elsewhere.
    page = new_person(path="/#/history", timezone_id="Pacific/Kiritimati")
    today = (datetime.now(UTC) + timedelta(hours=14)).date()
    page.get_by_label("From", exact=True).fill(today.isoformat())
    page.get_by_label("To", exact=True).fill(today.isoformat())
    search(page)
    expect(games(page)).to_have_count(30)
    page.get_by_label("From", exact=True).fill((today + timedelta(days=1)).isoformat())
    page.get_by_label("To", exact=True).fill("")
    search(page)
    expect(page.get_by_text("No finished game matches.")).to_be_visible()
    page.get_by_label("From", exact=True).fill("")
    page.get_by_label("To", exact=True).fill((today - timedelta(days=1)).isoformat())
    search(page)
    expect(page.get_by_text("No finished game matches.")).to_be_visible()


def test_a_players_page(people: People) -> None:
    people.forgive("status of 404")
    page = people.new_person(path="/#/history")
    page.get_by_role("link", name="anna").first.click()
    expect(page.get_by_role("heading", name="anna", level=1)).to_be_visible()
    expect(page.get_by_text("guest", exact=True)).to_be_visible()
    expect(games(page)).to_have_count(WON + 2)
    for word, number in {"Played": WON + 2, "Won": WON, "Drawn": 1, "Lost": 1}.items():
        record = page.get_by_role("term").filter(has_text=word).locator("xpath=..")
        expect(record.get_by_role("definition")).to_have_text(str(number))
    mute = page.get_by_role("button", name="Mute")
    mute.click()
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    page.goto(page.url.partition("#")[0] + "#/player/nobody")
    expect(page.get_by_role("alert")).to_have_text("There is no such player here.")


def test_standings_and_ratings(new_person: Callable[..., Page]) -> None:
    page = new_person(path="/#/standings")
    wins = page.get_by_role("region", name="By wins").get_by_role("row")
    expect(wins.nth(1)).to_have_text(f"1anna{WON + 2}{WON}11")
    combobox(page, "Game").first.select_option("Four Stone")
    expect(wins.nth(1)).to_have_text("1bob1100")
    expect(page.get_by_text("Nobody has a rating here yet.")).to_be_visible()
    combobox(page, "League").select_option("Bots of the house")
    rated = page.get_by_role("region", name="By strength").get_by_role("row")
    expect(rated).to_have_count(3)
    expect(rated.nth(1)).to_contain_text(re.compile(r"^1Random bot( 2)?\d\d\.\d ± \d\.\d1$"))
