"""Every route of the page, in a hall in which something has happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.processes import HallProcess
from tests.web.guests import Guest, bots_play, drop, match, play_bingo, play_connect_four

SETTINGS = (
    "bingo.pause_seconds=0.02",
    "duel.size=4",
    "sicbo.betting_seconds=6",
    "sicbo.reveal_seconds=1",
    "sicbo.pause_seconds=600",
    "table.grace_seconds=600",
    "table.rematch_seconds=600",
)
GAMES = ("connect-four", "bingo-duel", "bingo", "sicbo", "four-stone")
Places = Mapping[str, str]
"""By the hash of each route: what is there when all of it is."""


@contextmanager
def busy_hall(data: Path) -> Iterator[tuple[HallProcess, Places]]:
    """A hall in which games run, wait and are over, and its routes."""
    with (
        HallProcess(data, settings=SETTINGS) as hall,
        Guest(hall, "anna") as anna,
        Guest(hall, "bob") as bob,
        Guest(hall, "carl") as carl,
    ):
        over = play_connect_four(anna, bob)
        bingo, _ = play_bingo(anna)
        anna.ask("leave", table=bingo)
        tournament, _ = bots_play(hall, "four-stone", ("random",) * 4, format="single-elimination")
        running = match(anna, bob)
        drop((anna, bob), running, (3, 3, 4))
        waiting: int = carl.ask("open_table", game="connect-four")["table"]
        carl.ask("sit", table=waiting)
        yield (
            hall,
            {
                "#/": "[data-table]",
                "#/account": "form",
                **{f"#/games/{game}": "h1" for game in GAMES},
                f"#/table/{running}": ".c4-board",
                f"#/table/{waiting}": ".table-waiting",
                "#/history": "tbody tr",
                f"#/replay/{over}/1": ".c4-board",
                f"#/verify/{over}/1": ".verdict",
                "#/player/anna": "tbody tr",
                "#/standings": "tbody tr",
                "#/tournaments": ".tournament-row",
                f"#/tournament/{tournament}": ".bracket",
                "#/arena": "form",
                "#/nothing/of/that/kind": "h1",
            },
        )


def go(page: Page, place: str, ready: str) -> None:
    """Someone follows a link within the page."""
    page.evaluate("hash => { location.hash = hash }", place)
    expect(page.locator("main").locator(ready).first).to_be_visible()
