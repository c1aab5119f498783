"""The page as a spectator of every table: a tab for each that is played."""

from __future__ import annotations

import json
import sqlite3
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.support.processes import HallProcess

PAIRS = {"bingo-duel", "connect-four", "four-stone"}
"""Games whose players wait until their table is watched. The tables of the others go on, watched or
not, for as long as their players stay."""
SEE_SECONDS = 60.0
LOOK_MS = 50
# Which boards a tab has shown, one after the other: nothing that it shows is missed.
REMEMBER = """
window.boards = [];
window.board = () => null;
window.remember = () => {
  const now = window.board();
  if (now !== null && now !== window.boards.at(-1)) window.boards.push(now);
};
new MutationObserver(window.remember).observe(
  document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
BOARDS = {
    "bingo": 'document.querySelector(".bingo-ball strong")?.textContent ?? null',
    "bingo-duel": """document.querySelector(".duel-boards") &&
        document.querySelectorAll(".duel-number.by-0, .duel-number.by-1").length""",
    "connect-four": """document.querySelector(".c4-board") &&
        document.querySelectorAll(".c4-cell .stone").length""",
    "four-stone": """document.querySelector(".fs-board") &&
        [...document.querySelectorAll(".fs-place")].map((place) => place.ariaLabel).join()""",
    "sicbo": 'document.querySelector(".sicbo-road li:last-child")?.title ?? null',
}
"""By game: what a move, a call or a roll changes, and nothing else. Null if it is not there yet."""


class Tab:
    """One table in the page."""

    def __init__(self, page: Page, table: int, game: str) -> None:
        self.page = page
        self.table = table
        self.game = game
        self._due = 1
        page.evaluate(f"location.hash = '#/table/{table}'")
        page.locator(".table-head p", has_text=f"table {table} ·").wait_for()
        page.evaluate(f"() => {{ boards = []; board = () => {BOARDS[game]}; remember(); }}")

    @property
    def boards(self) -> int:
        """How many it has shown."""
        number: int = self.page.evaluate("boards.length")
        return number

    def come_back(self, head: int) -> None:
        """After a kill: it shows what the hall has, and from here on has to see the game go on."""
        self._until("document.querySelector('[data-connection=online]') !== null")
        self._until(f"Number(document.querySelector('.table-page').dataset.seq) >= {head}")
        self._due = max(self.boards, 1)

    def see_it_change(self) -> None:
        """Since it was opened, and after the last kill again."""
        self._until(f"boards.length > {self._due}")

    def _until(self, condition: str) -> None:
        # The page forbids eval, and with it Playwright's own way to wait.
        limit = time.monotonic() + SEE_SECONDS
        while not self.page.evaluate(condition):
            assert time.monotonic() < limit, (
                f"{self.game} {self.table}: {condition} {self._story()}"
            )
            self.page.wait_for_timeout(LOOK_MS)

    def _story(self) -> str:
        return f"{self.page.evaluate('boards')}\n{self.page.inner_text('body')}"


class Spectator:
    def __init__(self, hall: HallProcess, person: BrowserContext) -> None:
        self._hall = hall
        self._person = person
        person.add_init_script(REMEMBER)
        self._tabs: dict[int, Tab] = {}
        self._free: list[Page] = []
        self._dismissed: set[str] = set()
        self.seen: dict[int, str] = {}
        """By table: its game. The page has shown it, and how its board has changed."""
        self.due: set[int] = set()
        """Tables at which a round was finished by players who waited for their spectator."""
        self.resumed: list[str] = []
        """The games of which a table was seen to go on after a kill."""

    def look(self) -> None:
        """Opens a tab for each table at which a game has begun, and closes those of ended ones."""
        playing = self._playing()
        for table in [table for table in self._tabs if table not in playing]:
            self._see_off(table)
        for table, game in playing.items():
            if table not in self._tabs and game not in self._dismissed:
                self._tabs[table] = Tab(self._tab(), table, game)

    def shows(self, *games: str) -> bool:
        """Whether a table of one of these games is watched, and its board is there."""
        return any(tab.game in games and tab.boards for tab in self._tabs.values())

    def knows(self, game: str) -> bool:
        """Whether a table of this game is watched, or was."""
        return self.shows(game) or game in self.seen.values()

    def come_back(self) -> None:
        """The hall was killed, and is there again, but none of its players."""
        playing = self._playing()
        for table, tab in self._tabs.items():
            if table in playing:
                tab.come_back(self._ask(f"/api/tables/{table}")["head"])
                self.resumed.append(tab.game)

    def dismiss(self, game: str) -> None:
        """Its players leave now. What they do not play to the end is no longer watched."""
        if game in self._dismissed:
            return
        self._dismissed.add(game)
        finished = {table for table, _ in finished_rounds(self._hall.data, game)}
        if game in PAIRS:
            self.due |= finished
        for table in [table for table, tab in self._tabs.items() if tab.game == game]:
            if table in finished:
                self._see_off(table)
            else:
                self._free.append(self._tabs.pop(table).page)

    def _see_off(self, table: int) -> None:
        tab = self._tabs.pop(table)
        tab.see_it_change()
        self.seen[table] = tab.game
        self._free.append(tab.page)

    def _tab(self) -> Page:
        if self._free:
            return self._free.pop()
        tab = self._person.new_page()
        tab.goto(self._hall.web_url)
        return tab

    def _playing(self) -> dict[int, str]:
        """By table at which is played: its game."""
        tables = self._ask("/api/tables?limit=100&status=playing")["tables"]
        return {each["id"]: each["game"] for each in tables}

    def _ask(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self._hall.web_url}{path}") as answer:
            return json.load(answer)


def finished_rounds(data: Path, game: str = "%") -> list[tuple[int, int]]:
    """Table and number of every round that has ended, as they lie in the hall's file."""
    query = "SELECT table_id, round FROM rounds WHERE game LIKE ? ORDER BY 1, 2"
    with closing(sqlite3.connect(f"file:{data / 'hall.db'}?mode=ro", uri=True)) as file:
        return file.execute(query, (game,)).fetchall()
