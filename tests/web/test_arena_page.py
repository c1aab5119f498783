"""The arena: a match is made at one hall's page, and played at another's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.guests import operator_token
from tests.web.playing import WON_BY_FIRST, expect_result, play_columns


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    """The portal."""
    with HallProcess(tmp_path / "portal", doors=("native-tcp", "arena")) as hall:
        yield hall


@pytest.fixture
def other(tmp_path: Path, hall: HallProcess) -> Iterator[HallProcess]:
    """The hall that is played at."""
    portal = f"arena.portal=ws://127.0.0.1:{hall.ports['arena']}"
    settings = (portal, "arena.games=connect-four", "arena.author=The second hall")
    with HallProcess(tmp_path / "other", settings=settings) as other:
        yield other


def handed_out(page: Page, word: str) -> str:
    terms = page.locator("[data-match] > div").filter(has_text=word)
    return terms.get_by_role("definition").inner_text()


@pytest.mark.slow
def test_a_match_made_here_and_played_there(
    browser: Browser, people: People, hall: HallProcess, other: HallProcess
) -> None:
    people.forgive("status of 401")
    operator = people.new_person(path="/#/arena")
    server = operator.get_by_role("listitem").filter(has_text="connect-four")
    expect(server).to_contain_text("connected")
    expect(server).to_contain_text("The second hall")
    expect(operator.get_by_text("No match has been made yet.")).to_be_visible()

    create = operator.get_by_role("form", name="Create a match")
    create.get_by_label("First user's number").fill("7")
    create.get_by_label("Second user's number").fill("8")
    create.get_by_label("Operator's token").fill("a guess")
    create.get_by_role("button", name="Create a match").click()
    expect(operator.get_by_role("alert")).to_contain_text("This is for the operator.")
    create.get_by_label("Operator's token").fill(operator_token(hall))
    create.get_by_role("button", name="Create a match").click()
    expect(operator.get_by_text("The match is ready. Give both users this:")).to_be_visible()
    assert handed_out(operator, "Address") == "127.0.0.1"
    key = handed_out(operator, "Key")
    match = operator.get_by_role("region", name="Matches").get_by_role("row").nth(1)
    expect(match).to_contain_text("not begun")

    at_other = People(browser, other)
    stranger = at_other.new_person(path="/#/match/9/wrong")
    expect(stranger.get_by_role("alert")).to_contain_text("No match is waiting for you")
    players = (
        at_other.new_person("anna", path=f"/#/match/7/{key}"),
        at_other.new_person("bob", path=f"/#/match/8/{key}"),
    )
    play_columns(players, WON_BY_FIRST)
    expect_result(players[0], "You have won!", "A line is complete.")
    expect(match).to_contain_text("over1 : 0")
    scores = operator.get_by_role("region", name="Table").get_by_role("row")
    expect(scores.nth(1)).to_have_text("711001 : 0")
    at_other.leave()
