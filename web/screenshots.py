"""Takes the pictures of the README from a hall that really runs: `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.support.processes import HallProcess
from tests.web.browser import launch

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
WIDE: dict[str, Any] = {"viewport": {"width": 1200, "height": 820}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 780},
    "device_scale_factor": 2,
    "color_scheme": "dark",
    "locale": "vi-VN",
}
# Betting is short, so that there are dice to be seen, and rounds behind them.
SETTINGS = ("sicbo.betting_seconds=1.5", "sicbo.reveal_seconds=0.2", "sicbo.pause_seconds=0.8")
ROUNDS = 12
STONE = ".c4-cell .stone"
FREE_COLUMN = ".c4-column:not([aria-disabled=true])"
"""There is one only for whoever's turn it is."""


def person(browser: Browser, hall: HallProcess, name: str, **how: Any) -> Page:
    page = browser.new_context(reduced_motion="reduce", **how).new_page()
    page.add_init_script(f"localStorage.setItem('gamehall.name', {name!r})")
    page.goto(hall.web_url)
    return page


def take(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png", file=sys.stderr)  # noqa: T201 (it is a program)


def play_a_bot(page: Page, moves: tuple[int, ...]) -> None:
    """A game of Connect Four that has begun."""
    against = {"en": "Against a bot", "vi": "Chơi với máy"}[
        page.evaluate("document.documentElement.lang")
    ]
    page.locator("[data-game=connect-four]").get_by_role("button", name=against).click()
    for column in moves:
        page.locator(FREE_COLUMN).first.wait_for()
        stones = page.locator(STONE).count()
        page.locator(".c4-column").nth(column).click()
        # One's own, and the bot's.
        page.locator(STONE).nth(stones + 1).wait_for()
    page.locator(FREE_COLUMN).first.wait_for()


def connect_four(browser: Browser, hall: HallProcess) -> None:
    anna = person(browser, hall, "Anna", **WIDE)
    play_a_bot(anna, (3, 2, 4))
    take(anna, "connect-four")
    visitor = person(browser, hall, "Chloé", **WIDE)
    visitor.locator("[data-table]").first.wait_for()
    take(visitor, "hall")
    anna.get_by_role("button", name="Resign").click()
    anna.get_by_role("button", name="Really resign?").click()
    anna.get_by_role("link", name="Verify this game").click()
    anna.locator(".verdict").wait_for()
    take(anna, "verify")


def sic_bo(browser: Browser, hall: HallProcess) -> None:
    ben = person(browser, hall, "Ben", **WIDE)
    ben.locator("[data-game=sicbo]").get_by_role("button", name="Come in").click()
    ben.locator(".bead").nth(ROUNDS).wait_for(timeout=120_000)
    ben.locator(".sicbo-bet:enabled").first.click()
    ben.get_by_text("Your stake").first.wait_for()
    take(ben, "sic-bo")


def phone(browser: Browser, hall: HallProcess) -> None:
    minh = person(browser, hall, "Minh", **PHONE)
    play_a_bot(minh, (3, 3))
    take(minh, "phone")


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        HallProcess(Path(folder), settings=SETTINGS) as hall,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for each in (connect_four, sic_bo, phone):
            each(browser, hall)
        browser.close()


if __name__ == "__main__":
    main()
