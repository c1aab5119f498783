"""Spectators: they see a game live, are counted, and talk with everyone there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.processes import HallProcess
from tests.web.guests import Guest, drop, match
from tests.web.playing import expect_column, expect_result

COLUMNS = (3, 4, 3, 4, 3, 4, 3)
LABELLED = tuple(column + 1 for column in COLUMNS)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall") / "data") as hall:
        yield hall


@pytest.fixture
def players(hall: HallProcess) -> Iterator[tuple[Guest, Guest]]:
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        yield anna, bob


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def expect_said(page: Page, name: str, text: str) -> None:
    expect(page.get_by_role("log", name="Chat")).to_contain_text(f"{name}: {text}")


def test_a_running_game_is_seen_live(
    new_person: Callable[..., Page], players: tuple[Guest, Guest]
) -> None:
    table = match(*players)
    eve = new_person("eve")
    running = eve.get_by_role("region", name="Being played")
    running.get_by_role("listitem").filter(has_text="anna").get_by_role("link").click()
    expect(eve.get_by_text("anna is to move.")).to_be_visible()
    expect(eve.get_by_role("button", name="Resign")).to_have_count(0)
    for turn in range(len(COLUMNS)):
        drop(players, table, COLUMNS[: turn + 1], turn)
        expect_column(eve, LABELLED[: turn + 1], LABELLED[turn])
    expect_result(eve, "anna wins.", "Four in a row.")
    expect(eve.get_by_role("button", name="Play again")).to_have_count(0)


def test_spectators_are_counted_and_heard(
    new_person: Callable[..., Page], players: tuple[Guest, Guest]
) -> None:
    table = match(*players)
    eve = new_person("eve", path=f"/#/table/{table}")
    expect(eve.get_by_text("1 spectator", exact=True)).to_be_visible()
    mallory = new_person("mallory", path=f"/#/table/{table}")
    for page in (eve, mallory):
        expect(page.get_by_text("2 spectators")).to_be_visible()

    say(eve, "well played")
    for page in (eve, mallory):
        expect_said(page, "eve", "well played")
    assert players[0].hears("said", table=table)["text"] == "well played"
    players[1].ask("say", table=table, text="thank you")
    for page in (eve, mallory):
        expect_said(page, "bob", "thank you")

    mallory.get_by_role("link", name="Hall", exact=True).click()
    expect(eve.get_by_text("1 spectator", exact=True)).to_be_visible()
    mallory.go_back()
    expect(eve.get_by_text("2 spectators")).to_be_visible()
    mallory.context.close()
    expect(eve.get_by_text("1 spectator", exact=True)).to_be_visible()


def test_a_private_table_is_for_those_who_have_its_key(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    with Guest(hall, "carl") as carl:
        opened = carl.ask("open_table", game="connect-four", private=True)
        table, key = opened["table"], opened["key"]
        carl.ask("sit", table=table)
        for path in (f"/#/table/{table}", f"/#/table/{table}?key=wrong"):
            stranger = new_person("stranger", path=path)
            expect(stranger.get_by_role("alert")).to_have_text(
                "This table is private. Ask for its link."
            )
            expect(stranger.get_by_role("heading", name="Connect Four")).to_have_count(0)
        friend = new_person("friend", path=f"/#/table/{table}?key={key}")
        expect(friend.get_by_text("Waiting for another player…")).to_be_visible()
        expect(friend.get_by_role("button", name="Sit down")).to_be_visible()
