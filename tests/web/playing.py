"""What people do at the page, by what they see there; in English."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

WON = "You have won!"
LOST = "You have lost."
WON_BY_FIRST = (1, 2, 1, 2, 1, 2, 1)
"""Columns of Connect Four as they are labelled, turn by turn."""
WON_BY_SECOND = (7, 1, 2, 1, 2, 1, 2, 1)
STONES = ("dot", "ring")


def game_card(page: Page, title: str) -> Locator:
    return page.get_by_role("article", name=title, exact=True)


def say_hello(page: Page, name: str) -> None:
    """The person is in the hall under this name, and others see it."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Say hello").click()
    expect(page.get_by_role("link", name=f"{name}, your account")).to_be_visible()


def challenge(page: Page, name: str, title: str) -> None:
    """From the list of players."""
    page.get_by_label(f"Challenge {name} to…").select_option(title)
    page.get_by_role("button", name=f"Challenge: {name}").click()


def accept(page: Page, name: str, title: str) -> None:
    expect(page.get_by_text(f"{name} challenges you to {title}.")).to_be_visible()
    page.get_by_role("button", name="Accept").click()


def quick_match(one: Page, other: Page, title: str) -> tuple[Page, Page]:
    """Both play now, and meet; the one who begins is first."""
    game_card(one, title).get_by_role("button", name="Play now").click()
    expect(one.get_by_text(f"Looking for someone to play {title}…")).to_be_visible()
    game_card(other, title).get_by_role("button", name="Play now").click()
    return in_turn(one, other)


def in_turn(one: Page, other: Page) -> tuple[Page, Page]:
    """Both, once the game has begun; the one who has the turn is first."""
    for page in (one, other):
        expect(page.get_by_text(re.compile(r"^(Your turn\.|.+ is to move\.)"))).to_be_visible()
    return (one, other) if your_turn(one).is_visible() else (other, one)


def your_turn(page: Page) -> Locator:
    return page.get_by_text("Your turn.")


def column(page: Page, number: int) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^Column {number},"))


def expect_stones(page: Page, columns: Sequence[int]) -> None:
    """The board of Connect Four is what these drops make of it."""
    for number in range(1, 8):
        seats = [turn % 2 for turn, dropped in enumerate(columns) if dropped == number]
        expect(column(page, number)).to_have_accessible_name(_column_name(number, seats))


def _column_name(number: int, seats: Sequence[int]) -> str:
    if not seats:
        return f"Column {number}, empty"
    stones = "1 stone" if len(seats) == 1 else f"{len(seats)} stones"
    full = "full, " if len(seats) == 6 else ""
    names = ", ".join(STONES[seat] for seat in seats)
    return f"Column {number}, {full}{stones}, from below: {names}"


def play_columns(
    players: tuple[Page, Page], columns: Sequence[int], so_far: int = 0, *, tap: bool = False
) -> None:
    """Turn by turn, from where the game stands after `so_far` of them; both see each stone."""
    for turn in range(so_far, len(columns)):
        mover = players[turn % 2]
        expect(your_turn(mover)).to_be_visible()
        place = column(mover, columns[turn])
        place.tap() if tap else place.click()
        for page in players:
            expect_column(page, columns[: turn + 1], columns[turn])


def expect_column(page: Page, columns: Sequence[int], number: int) -> None:
    seats = [turn % 2 for turn, dropped in enumerate(columns) if dropped == number]
    expect(column(page, number)).to_have_accessible_name(_column_name(number, seats))


def expect_result(page: Page, *sentences: str) -> None:
    expect(page.locator(".result-words")).to_have_text(" ".join(sentences))


def play_again(players: tuple[Page, Page]) -> tuple[Page, Page]:
    """Both want another round; the one who begins it is first."""
    one, other = players
    one.get_by_role("button", name="Play again").click()
    expect(other.get_by_text("would like to play again.")).to_be_visible()
    other.get_by_role("button", name="Play again").click()
    for page in players:
        expect(page.get_by_text("round 2")).to_be_visible()
    return in_turn(one, other)


def table_of(page: Page) -> int:
    found = re.search(r"#/table/(\d+)", page.url)
    assert found is not None, page.url
    return int(found[1])


def api(hall: HallProcess, path: str, token: str = "") -> Any:
    return json.loads(_get(hall, path, token))


def events(hall: HallProcess, table: int, round: int = 1) -> list[dict[str, Any]]:
    """What the journal of a finished round says has happened."""
    lines = _get(hall, f"tables/{table}/journal?round={round}").splitlines()
    return [event for line in lines for event in json.loads(line).get("events", ())]


def _get(hall: HallProcess, path: str, token: str = "") -> bytes:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"{hall.web_url}/api/{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
        body: bytes = answer.read()
    return body
