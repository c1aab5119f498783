"""Pages are reloaded and halls killed in mid-game, and nobody loses a move."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.playing import (
    LOST,
    WON,
    WON_BY_FIRST,
    column,
    events,
    expect_result,
    expect_stones,
    play_columns,
    quick_match,
    table_of,
    your_turn,
)

AWAY = "The hall cannot be reached."
HALF = 3


@pytest.fixture
def players(new_person: Callable[..., Page]) -> tuple[Page, Page]:
    """In mid-game, the second is to move."""
    both = quick_match(new_person("anna"), new_person("bob"), "Connect Four")
    play_columns(both, WON_BY_FIRST[:HALF])
    return both


def watch(page: Page, table: int) -> None:
    """From the list of what is being played."""
    page.locator(f"[data-table='{table}']").get_by_role("link", name="Watch").click()
    expect(
        page.get_by_text("You are watching.").or_(page.get_by_text("is to move."))
    ).to_be_visible()


def expect_whole_game(hall: HallProcess, players: tuple[Page, Page]) -> None:
    """It has ended as it should, with every move written once."""
    expect_result(players[0], WON, "A line is complete.")
    expect_result(players[1], LOST, "A line is complete.")
    told = events(hall, table_of(players[0]))
    dropped = [event["column"] + 1 for event in told if event["type"] == "dropped"]
    assert dropped == list(WON_BY_FIRST)


@pytest.mark.slow
def test_a_reload_in_mid_game(hall: HallProcess, players: tuple[Page, Page]) -> None:
    for page in players:
        page.reload()
        expect_stones(page, WON_BY_FIRST[:HALF])
    play_columns(players, WON_BY_FIRST, HALF)
    expect_whole_game(hall, players)
    players[0].reload()
    expect_result(players[0], WON, "A line is complete.")


def test_the_hall_is_killed_in_mid_game(
    hall: HallProcess, people: People, players: tuple[Page, Page]
) -> None:
    people.forgive("console: WebSocket connection to .* failed")
    eve = people.new_person("eve")
    watch(eve, table_of(players[0]))
    expect(players[0].get_by_text("1 spectator")).to_be_visible()
    hall.kill()
    for page in (*players, eve):
        expect(page.get_by_text(AWAY)).to_be_visible()
    # Nothing is promised that might not be kept.
    clicked = column(players[1], 7)
    expect(clicked).to_have_attribute("aria-disabled", "true")
    clicked.click(force=True)
    hall.start()
    for page in (*players, eve):
        expect(page.get_by_text(AWAY)).to_be_hidden()
        expect_stones(page, WON_BY_FIRST[:HALF])
    play_columns(players, WON_BY_FIRST, HALF)
    expect_whole_game(hall, players)
    expect(eve.locator(".result-words")).to_contain_text("wins. A line is complete.")
    expect_stones(eve, WON_BY_FIRST)


@pytest.mark.slow
def test_a_move_that_the_hall_had_not_read_when_it_was_killed(
    hall: HallProcess, people: People, players: tuple[Page, Page]
) -> None:
    people.forgive("console: WebSocket connection to .* failed")
    expect(your_turn(players[1])).to_be_visible()
    # It is online as far as anyone can see, but does not read any more.
    os.kill(hall.pid, signal.SIGSTOP)
    column(players[1], WON_BY_FIRST[HALF]).click()
    hall.restart()
    for page in players:
        expect_stones(page, WON_BY_FIRST[: HALF + 1])
    play_columns(players, WON_BY_FIRST, HALF + 1)
    expect_whole_game(hall, players)


@pytest.mark.slow
def test_two_tabs_of_one_player(hall: HallProcess, players: tuple[Page, Page]) -> None:
    tab = players[1].context.new_page()
    tab.goto(players[1].url)
    expect_stones(tab, WON_BY_FIRST[:HALF])
    # Each of them can move, and both see it.
    play_columns((players[0], tab), WON_BY_FIRST[:5], HALF)
    expect_stones(players[1], WON_BY_FIRST[:5])
    play_columns(players, WON_BY_FIRST, 5)
    expect_whole_game(hall, players)
    expect_result(tab, LOST, "A line is complete.")


@pytest.mark.slow
def test_the_opponent_sees_who_is_away(players: tuple[Page, Page]) -> None:
    url = players[1].url
    context = players[1].context
    players[1].close()
    expect(players[0].get_by_text("is away; the seat is kept for")).to_be_visible()
    back = context.new_page()
    back.goto(url)
    expect(players[0].get_by_text("is away; the seat is kept for")).to_have_count(0)
    play_columns((players[0], back), WON_BY_FIRST, HALF)
    expect_result(back, LOST, "A line is complete.")
