"""Finished games shown again, moment by moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.guests import WON_BY_FIRST, Guest, bots_play, drop, match, play_connect_four
from tests.web.playing import column, expect_stones

NIM = Path(__file__).parents[2] / "examples" / "nim.py"
SIZE = 4
LABELLED = tuple(column + 1 for column in WON_BY_FIRST)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    data = tmp_path_factory.mktemp("hall") / "data"
    with HallProcess(data, settings=[f"duel.size={SIZE}"], more=["--game", str(NIM)]) as hall:
        yield hall


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile("^Moment"))


def step(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def played(page: Page) -> str:
    """What the columns say."""
    return " ".join(column(page, n).get_attribute("aria-label") or "" for n in range(1, 8))


# The address is written a moment after a step: here, just when a link was followed, and before the
# page has heard of that.
FOLLOW_A_LINK = """() => {
  const late = [];
  const real = window.setTimeout;
  window.setTimeout = (call, ms, ...given) =>
    ms === 300 ? late.push(call) : real(call, ms, ...given);
  document.querySelector("button[aria-label='One step forward']").click();
  return new Promise((done) => real(() => {
    window.setTimeout = real;
    location.hash = "#/history";
    late.forEach((call) => call());
    done([late.length, location.hash]);
  }));
}"""


def test_who_follows_a_link_is_not_called_back(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        table = play_connect_four(anna, bob)
    page = new_person(path=f"/#/replay/{table}/1")
    expect_stones(page, ())
    assert page.evaluate(FOLLOW_A_LINK) == [1, "#/history"]


def test_stepping_through_a_game(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        table = play_connect_four(anna, bob)
    page = new_person(path="/#/history")
    page.get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("heading", name="Replay: Connect Four")).to_be_visible()
    expect_stones(page, ())
    for turn in range(1, 4):
        step(page, "One step forward")
        expect_stones(page, LABELLED[:turn])
    step(page, "One step back")
    expect_stones(page, LABELLED[:2])
    step(page, "To the end")
    expect_stones(page, LABELLED)
    expect(page.get_by_text("A line is complete.")).to_be_visible()
    expect(page.get_by_role("button", name="One step forward")).to_be_disabled()
    last = int(slider(page).input_value())
    slider(page).fill(str(last - 3))
    expect_stones(page, LABELLED[:-3])
    expect(page.get_by_text("A line is complete.")).to_have_count(0)
    slider(page).press("ArrowRight")
    expect_stones(page, LABELLED[:-2])

    moment = page.get_by_role("link", name="Link to this moment").get_attribute("href")
    assert moment is not None
    expect(page).to_have_url(re.compile(re.escape(moment) + "$"))
    assert moment.startswith(f"#/replay/{table}/1/")
    other = new_person(path=f"/{moment}")
    expect_stones(other, LABELLED[:-2])
    assert played(other) == played(page)

    step(page, "To the beginning")
    expect(page.get_by_text("The players sit down.")).to_be_visible()
    page.get_by_label("Speed").select_option("8×")
    step(page, "Play")
    expect(page.get_by_text("A line is complete.")).to_be_visible()
    expect_stones(page, LABELLED)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("link", name="Verify this game").click()
    expect(page).to_have_url(re.compile(f"#/verify/{table}/1$"))


@pytest.mark.slow
def test_the_eyes_of_a_seat(hall: HallProcess, new_person: Callable[..., Page]) -> None:
    with Guest(hall, "carl") as carl, Guest(hall, "dora") as dora:
        table = match(carl, dora, "bingo-duel")
        # The draw says who begins.
        if not carl.may("act", table=table, command={"type": "pick", "number": 1}):
            dora.act(table, "pick", number=1)
        carl.act(table, "resign")
    page = new_person(path=f"/#/replay/{table}/1")
    step(page, "One step forward")
    moment = page.locator(".replay").get_attribute("data-seq") or ""
    eyes = page.get_by_label("Seen by")
    for name, other in (("carl", "dora"), ("dora", "carl")):
        # At a table that is not rated, spectators see both boards.
        eyes.select_option("a spectator")
        for each in (name, other):
            expect(numbers(page, each)).to_have_count(SIZE**2)
        board = numbers(page, name).all_inner_texts()
        eyes.select_option(name)
        hidden = page.get_by_label(f"Board of {other}")
        expect(hidden).to_have_accessible_name(re.compile("face down"))
        expect(numbers(page, other)).to_have_count(0)
        expect(page.locator(".replay")).to_have_attribute("data-seq", moment)
        assert numbers(page, name).all_inner_texts() == board
    step(page, "To the end")
    for name in ("carl", "dora"):
        expect(numbers(page, name)).to_have_count(SIZE**2)


def numbers(page: Page, name: str) -> Locator:
    """Those of that player's board of two-player Bingo that can be seen."""
    side = page.locator(".duel-side").filter(has_text=name)
    return side.locator("[role=gridcell], [role=cell]").filter(has_text=re.compile(r"^\d+$"))


@pytest.mark.slow
def test_a_game_from_a_file_is_shown_by_its_picture(
    hall: HallProcess, new_person: Callable[..., Page]
) -> None:
    _, (table,) = bots_play(hall, "nim")
    page = new_person(path=f"/#/replay/{table}/1")
    expect(page.get_by_role("heading", name="Replay: Nim")).to_be_visible()
    expect(page.get_by_text("15 sticks are left.")).to_be_visible()
    sticks = page.get_by_role("group", name="The table").get_by_text("|")
    expect(sticks).to_have_count(15)
    step(page, "One step forward")
    expect(page.get_by_text(re.compile(r"^1[234] sticks are left\.$"))).to_be_visible()
    step(page, "To the end")
    expect(page.get_by_text("0 sticks are left.")).to_be_visible()
    expect(sticks).to_have_count(0)


@pytest.mark.slow
def test_a_running_round_is_not_shown(hall: HallProcess, people: People) -> None:
    people.forgive("status of 40[49]")
    with Guest(hall, "ed") as ed, Guest(hall, "flo") as flo:
        table = match(ed, flo)
        drop((ed, flo), table, (3, 4))
        page = people.new_person(path=f"/#/replay/{table}/1")
        expect(page.get_by_role("alert")).to_have_text("The game is still being played.")
        nowhere = people.new_person(path="/#/replay/999999/1")
        expect(nowhere.get_by_role("alert")).to_have_text("There is no such table.")


@pytest.mark.slow
def test_what_every_move_was_worth(hall: HallProcess, people: People) -> None:
    # While the solver starts, the page asks again.
    people.forgive(r"status of 503")
    with Guest(hall, "anna") as anna, Guest(hall, "bob") as bob:
        table = play_connect_four(anna, bob)
    page = people.new_person(path=f"/#/replay/{table}/1")
    page.get_by_role("button", name="Analyse this game").click()
    analysis = page.get_by_role("region", name="Analysis")
    expect(analysis).to_be_visible(timeout=240_000)
    expect(analysis.get_by_role("cell")).to_have_text(
        [
            re.compile(words)
            for words in (
                "losing in 40",
                "losing in 42",
                "drawing",
                "winning in 41",
                "drawing",
                "losing in 42",
                "losing in 40",
            )
        ]
    )
    expect(analysis.locator("[data-made]")).to_contain_text("losing in 40")
    analysis.get_by_role("button", name="Move 1, anna").click()
    expect_stones(page, LABELLED[:1])
    expect(analysis.get_by_role("status")).to_contain_text(
        re.compile(r"anna\d* threw away a win\.")
    )
