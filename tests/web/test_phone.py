"""A phone: everything by tap, and nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import (
    LOST,
    WON,
    WON_BY_FIRST,
    api,
    expect_result,
    expect_stones,
    game_card,
    in_turn,
    play_columns,
    table_of,
)

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll("main *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5)
  .map((each) => `${each.tagName}.${each.className}`)
"""
"""For the message of a failure."""


def expect_fits(page: Page, route: str) -> None:
    scroll, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert inner == 360, f"{route}: the page is {inner} px wide"
    assert scroll <= inner, f"{route}: {scroll} px: {page.evaluate(TOO_WIDE)}"


def test_a_game_by_tap(new_person: Callable[..., Page]) -> None:
    anna, bob = new_person("anna", **PHONE), new_person("bob", **PHONE)
    for page in (anna, bob):
        game_card(page, "Connect Four").get_by_role("button", name="Play now").tap()
    players = in_turn(anna, bob)
    for page in players:
        expect_fits(page, "the table")
    play_columns(players, WON_BY_FIRST, tap=True)
    expect_result(players[0], WON, "A line is complete.")
    expect_result(players[1], LOST, "A line is complete.")
    for page in players:
        expect_stones(page, WON_BY_FIRST)
        expect_fits(page, "the result")


@pytest.mark.slow
def test_no_page_is_wider_than_the_screen(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    name = "a name of thirty-two characters."
    page = new_person(name, **PHONE)
    games = [game["name"] for game in api(hall, "games")["games"]]
    tables = []
    for title in ("Connect Four", "Two-player Bingo", "Four Stone"):
        game_card(page, title).get_by_role("button", name="Against a bot").tap()
        expect(page.locator(".board-frame")).to_be_visible()
        expect_fits(page, title)
        tables.append(table_of(page))
        page.get_by_role("button", name="Resign").tap()
        page.get_by_role("button", name="Really resign?").tap()
        expect(page.locator(".result-words")).to_be_visible()
        page.get_by_role("button", name="Leave the table").tap()
    for title in ("Sic Bo", "Bingo"):
        game_card(page, title).get_by_role("button", name="Come in").tap()
        expect(page.locator(".board-frame")).to_be_visible()
        expect_fits(page, title)
        page.get_by_role("link", name="Hall", exact=True).tap()
    game_card(page, "Connect Four").get_by_role("button", name="Invite a friend").tap()

    page.get_by_role("link", name="Tournaments", exact=True).tap()
    page.get_by_label("Title").fill("The cup of all the cups of this and of every other hall")
    page.get_by_role("button", name="Open it").tap()
    expect(page.get_by_role("heading", name="The cup of all")).to_be_visible()
    expect_fits(page, "a tournament")
    # Each with something of what it loads.
    routes = {
        "": "Invite a friend", "account": "chips of play money", "history": "Four Stone",
        "standings": "Standings", "tournaments": "The cup", "arena": "Arena",
        "nowhere": "There is nothing here.", f"player/{name}": "Connect Four",
        "match/1/2": "match", f"table/{10**9}": "table",
        **{f"games/{game}": "Rules" for game in games},
        **{f"replay/{table}/1": name for table in tables},
        **{f"verify/{table}/1": "Everything in this journal is in order." for table in tables},
    }  # fmt: skip
    for route, shown in routes.items():
        page.goto(f"{hall.web_url}/#/{route}")
        expect(page.locator("main :is(h1, [role=alert])").first).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text(shown)
        expect_fits(page, route)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["vi-VN", "fr-CA", "zh-CN"])
def test_long_words_of_no_language_make_it_wider(
    new_person: Callable[..., Page], locale: str
) -> None:
    page = new_person("anna", locale=locale, **PHONE)
    page.locator("[data-game=sicbo]").wait_for()
    expect_fits(page, "the hall")
    page.locator("[data-game=sicbo]").get_by_role("button").first.tap()
    expect(page.locator(".sicbo-pairs")).to_be_visible()
    expect_fits(page, "Sic Bo")
