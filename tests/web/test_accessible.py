"""The page for everyone: what axe finds, the keyboard alone, and rest for the eyes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.processes import HallProcess
from tests.web.browser import People
from tests.web.places import Places, busy_hall, go
from tests.web.playing import column, game_card, your_turn

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async (rules) => {
  const chosen = rules.length > 0 ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...chosen });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}"""
FOCUSED = """() => [null, "::after"].some((part) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement, part);
  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
})"""
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
DUELS = ("Connect Four", "Two-player Bingo", "Four Stone")
OVER = ".result-words"
TABS_MAX = 80


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HallProcess, Places]]:
    with busy_hall(tmp_path_factory.mktemp("hall") / "data") as busy:
        yield busy


@pytest.fixture(scope="module")
def hall(busy: tuple[HallProcess, Places]) -> HallProcess:
    return busy[0]


def faults(page: Page) -> list[str]:
    """What axe finds serious: all of its rules, and once more how the dark colours contrast."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN, [])
    page.emulate_media(color_scheme="dark")
    dark: list[str] = page.evaluate(RUN, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    return [*found, *(f"dark: {fault}" for fault in dark)]


def test_axe_finds_nothing_on_any_route(
    new_person: Callable[..., Page], busy: tuple[HallProcess, Places]
) -> None:
    page = new_person(**STILL)
    found = []
    for place, ready in busy[1].items():
        go(page, place, ready)
        found += [f"{place} {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_axe_finds_nothing_at_a_table(new_person: Callable[..., Page]) -> None:
    page = new_person("dora", **STILL)
    found = []
    for title in DUELS:
        go(page, "#/", "article")
        game_card(page, title).get_by_role("button", name="Against a bot").click()
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
        found += [f"{title}, playing {fault}" for fault in faults(page)]
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        expect(page.locator(OVER)).to_be_visible()
        found += [f"{title}, over {fault}" for fault in faults(page)]
        page.get_by_role("button", name="Leave the table").click()
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_axe_finds_nothing_at_bingo(new_person: Callable[..., Page]) -> None:
    page = new_person("ed", **STILL)
    game_card(page, "Bingo").get_by_role("button", name="Come in").click()
    page.get_by_role("button", name="Start a round").click()
    expect(page.locator(".bingo-place.in-line").first).to_be_visible()
    assert not (found := faults(page)), "\n".join(found)
    page.get_by_role("button", name="BINGO").click()
    expect(page.get_by_text("Bingo! You have won.")).to_be_visible()
    assert not (found := faults(page)), "\n".join(found)


@pytest.mark.slow
def test_axe_finds_nothing_at_sicbo(new_person: Callable[..., Page]) -> None:
    page = new_person("flo", **STILL)
    game_card(page, "Sic Bo").get_by_role("button", name="Come in").click()
    page.get_by_role("button", name=re.compile("^Bet .* on Big$")).click()
    page.get_by_role("button", name=re.compile("^Bet .* on the sum 9")).click()
    expect(page.locator(".sicbo-own")).to_be_visible()
    assert not (found := faults(page)), "\n".join(found)
    expect(page.locator(".sicbo-result")).to_be_visible()
    assert not (found := faults(page)), "\n".join(found)


@pytest.mark.slow
def test_a_fault_would_be_found(people: People) -> None:
    page = people.new_person(**STILL)
    page.evaluate("document.querySelector('main').innerHTML = '<button></button>'")
    assert re.match("button-name: <button>", faults(page)[0])


def tab_to(page: Page, target: Locator) -> None:
    """By the Tab key alone, and one sees where one is."""
    expect(target).to_be_visible()
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            assert page.evaluate(FOCUSED), "the focus cannot be seen"
            return
    raise AssertionError(f"the Tab key does not lead to {target}")


@pytest.mark.slow
def test_a_game_with_the_keyboard_alone(new_person: Callable[..., Page]) -> None:
    page = new_person("grace")
    card = game_card(page, "Connect Four")
    expect(card).to_be_visible()
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="To the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()

    tab_to(page, card.get_by_label("Strength of the bot"))
    page.keyboard.press("Home")
    expect(card.get_by_label("Strength of the bot")).to_have_value("random")
    page.keyboard.press("Shift+Tab")
    expect(card.get_by_role("button", name="Against a bot")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, column(page, 4))
    page.keyboard.press("ArrowLeft")
    expect(column(page, 3)).to_be_focused()
    while drop_stone(page):
        pass
    expect(page.locator(OVER)).to_contain_text(re.compile("You have (won|lost)|A draw"))
    tab_to(page, page.get_by_role("button", name="Leave the table"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Pick a game and play")).to_be_visible()


def drop_stone(page: Page) -> bool:
    """Whether the game goes on: a stone falls into the column that has the focus, or the next."""
    expect(your_turn(page).or_(page.locator(OVER))).to_be_visible()
    if page.locator(OVER).count():
        return False
    focused = page.locator(":focus")
    if re.search("full", focused.get_attribute("aria-label") or ""):
        page.keyboard.press("ArrowRight")
    before = focused.get_attribute("aria-label") or ""
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).not_to_have_accessible_name(before)
    return True


@pytest.mark.slow
def test_who_wants_no_motion_sees_none(new_person: Callable[..., Page]) -> None:
    moving = "document.getAnimations().length"
    lively = new_person("henry")
    game_card(lively, "Two-player Bingo").get_by_role("button", name="Play now").click()
    expect(lively.get_by_text("Looking for someone to play")).to_be_visible()
    assert lively.evaluate(moving) > 0
    lively.get_by_role("button", name="Cancel").click()

    page = new_person("ida", **STILL)
    game_card(page, "Two-player Bingo").get_by_role("button", name="Play now").click()
    expect(page.get_by_text("Looking for someone to play")).to_be_visible()
    assert page.evaluate(moving) == 0
    page.get_by_role("button", name="Cancel").click()
    game_card(page, "Connect Four").get_by_role("button", name="Against a bot").click()
    expect(your_turn(page)).to_be_visible()
    column(page, 4).click()
    expect(column(page, 4)).not_to_have_accessible_name(re.compile("empty"))
    assert page.evaluate(moving) == 0
