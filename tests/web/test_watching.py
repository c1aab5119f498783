"""Spectators: they see a game live, are counted, and talk with everyone there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.guests import Guest, drop, match
from tests.web.playing import expect_column, expect_result

COLUMNS = (3, 4, 3, 4, 3, 4, 3)
REFUSED = "This table is private. Ask the player who opened it for the link."
LABELLED = tuple(column + 1 for column in COLUMNS)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall") / "data") as hall:
        yield hall


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def expect_said(page: Page, name: str, text: str) -> None:
    expect(page.get_by_role("log", name="Chat")).to_contain_text(f"{name}: {text}")


def test_a_running_game_is_seen_live(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        table = match(anna, bob)
        eve = new_person("eve")
        eve.get_by_role("link", name="Watch: Connect Four: anna, bob").click()
        expect(eve.get_by_text("anna is to move.")).to_be_visible()
        expect(eve.get_by_role("button", name="Resign")).to_have_count(0)
        for turn in range(len(COLUMNS)):
            drop((anna, bob), table, COLUMNS[: turn + 1], turn)
            expect_column(eve, LABELLED[: turn + 1], LABELLED[turn])
        expect_result(eve, "anna wins.", "A line is complete.")
        expect(eve.get_by_role("button", name="Play again")).to_have_count(0)


@pytest.mark.slow
def test_spectators_are_counted_and_heard(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    with Guest(hall, "carl") as carl, Guest(hall, "dora") as dora:
        table = match(carl, dora)
        frank = new_person("frank", path=f"/#/table/{table}")
        expect(frank.get_by_text("1 spectator", exact=True)).to_be_visible()
        grace = new_person("grace", path=f"/#/table/{table}")
        for page in (frank, grace):
            expect(page.get_by_text("2 spectators")).to_be_visible()

        say(frank, "well played")
        for page in (frank, grace):
            expect_said(page, "frank", "well played")
        assert carl.hears("said", table=table)["text"] == "well played"
        dora.ask("say", table=table, text="thank you")
        for page in (frank, grace):
            expect_said(page, "dora", "thank you")

        grace.get_by_role("link", name="Hall", exact=True).click()
        expect(frank.get_by_text("1 spectator", exact=True)).to_be_visible()
        grace.go_back()
        expect(frank.get_by_text("2 spectators")).to_be_visible()
        grace.context.close()
        expect(frank.get_by_text("1 spectator", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_private_table_is_for_those_who_have_its_key(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    with Guest(hall, "henry") as henry:
        opened = henry.ask("open_table", game="connect-four", private=True)
        table, key = opened["table"], opened["key"]
        henry.ask("sit", table=table)
        for path in (f"/#/table/{table}", f"/#/table/{table}?key=wrong"):
            stranger = new_person("stranger", path=path)
            expect(stranger.get_by_role("alert")).to_have_text(REFUSED)
            expect(stranger.get_by_role("heading", name="Connect Four")).to_have_count(0)
        friend = new_person("friend", path=f"/#/table/{table}?key={key}")
        expect(friend.get_by_text("Waiting for another player…")).to_be_visible()
        expect(friend.get_by_role("button", name="Sit down")).to_be_visible()
