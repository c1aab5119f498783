"""Two browsers play Connect Four: a quick match, the winning line, and a rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.playing import (
    LOST,
    WON,
    WON_BY_FIRST,
    WON_BY_SECOND,
    column,
    events,
    expect_result,
    expect_stones,
    play_again,
    play_columns,
    quick_match,
    table_of,
    your_turn,
)


def test_a_quick_match_and_a_rematch(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    players = quick_match(new_person("anna"), new_person("bob"), "Connect Four")
    first, second = players
    play_columns(players, WON_BY_FIRST)
    expect_result(first, WON, "A line is complete.")
    expect_result(second, LOST, "A line is complete.")
    for page in players:
        expect_stones(page, WON_BY_FIRST)
        expect(page.locator(".in-line")).to_have_count(4)
        expect(page.get_by_text("is to move.")).to_have_count(0)
    table = table_of(first)
    assert table == table_of(second)
    dropped = [event["column"] + 1 for event in events(hall, table) if event["type"] == "dropped"]
    assert dropped == list(WON_BY_FIRST)

    again = play_again(players)
    assert again == (second, first), "whoever began is second now"
    play_columns(again, WON_BY_SECOND)
    expect_result(first, WON, "A line is complete.")
    expect_result(second, LOST, "A line is complete.")


@pytest.mark.slow
def test_by_keyboard_and_not_out_of_turn(new_person: Callable[..., Page]) -> None:
    first, second = quick_match(new_person("anna"), new_person("bob"), "Connect Four")
    column(second, 4).click(force=True)
    column(first, 4).focus()
    first.keyboard.press("ArrowRight")
    expect(column(first, 5)).to_be_focused()
    first.keyboard.press("Enter")
    for page in (first, second):
        expect_stones(page, [5])
    expect(your_turn(second)).to_be_visible()


@pytest.mark.slow
def test_a_draw_is_offered_and_agreed_on(new_person: Callable[..., Page]) -> None:
    players = quick_match(new_person("anna"), new_person("bob"), "Connect Four")
    first, second = players
    play_columns(players, (4, 4))
    second.get_by_role("button", name="Offer a draw").click()
    expect(second.get_by_text("You have offered a draw.")).to_be_visible()
    expect(first.get_by_text(re.compile("^(anna|bob) offers a draw"))).to_be_visible()
    first.get_by_role("button", name="Accept the draw").click()
    for page in players:
        expect_result(page, "A draw.", "Both players agreed to a draw.")
