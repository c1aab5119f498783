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

    def __init__(self, page: Page, table: int, game: str, rounds: int) -> None:
        self.page = page
        self.table = table
        self.game = game
        self.rounds = rounds
        """That were finished there when it was opened, or came back after a kill."""
        self._due = 1
        self.came_back = False
        """After a kill."""
        page.evaluate(f"location.hash = '#/table/{table}'")
        page.locator(".table-head p", has_text=f"table {table} ·").wait_for()
        page.evaluate(f"() => {{ boards = []; board = () => {BOARDS[game]}; remember(); }}")

    @property
    def boards(self) -> int:
        """How many it has shown."""
        number: int = self.page.evaluate("boards.length")
        return number

    @property
    def has_changed(self) -> bool:
        """Since it was opened, and after the last kill again."""
        return self.boards > self._due

    def catch_up(self, head: int) -> None:
        """After a kill: returns when it shows what the hall has."""
        self._until("document.querySelector('[data-connection=online]') !== null")
        self._until(f"Number(document.querySelector('.table-page').dataset.seq) >= {head}")

    def come_back(self, rounds: int) -> None:
        """From here on it has to see the game go on."""
        self.rounds = rounds
        self._due = max(self.boards, 1)
        self.came_back = True

    def see_it_change(self) -> None:
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
                self._tabs[table] = Tab(self._tab(), table, game, self._rounds(table, game))

    def shows(self, *games: str) -> bool:
        """Whether a table of one of these games is watched, and its board is there."""
        return any(tab.game in games and tab.boards for tab in self._tabs.values())

    def knows(self, game: str) -> bool:
        """Whether a table of this game was seen to go on."""
        watched = any(tab.game == game and tab.has_changed for tab in self._tabs.values())
        return watched or game in self.seen.values()

    def come_back(self) -> set[str]:
        """The hall was killed, and is there again, but none of its players: the games of which it
        watches a table that has to go on."""
        playing = self._playing()
        still_on = {table: tab for table, tab in self._tabs.items() if table in playing}
        for table, tab in still_on.items():
            tab.catch_up(self._ask(f"/api/tables/{table}")["head"])
            self._note(tab)
            tab.come_back(self._rounds(table, tab.game))
        return {tab.game for tab in still_on.values()}

    def dismiss(self, game: str) -> None:
        """Its players leave now, or have left already: what they do not play to the end is no
        longer watched."""
        if game in self._dismissed:
            return
        self._dismissed.add(game)
        if game in PAIRS:
            self.due |= {table for table, _ in finished_rounds(self._hall.data, game)}
        for table, tab in list(self._tabs.items()):
            if tab.game == game and game in PAIRS and self._rounds(table, game) > tab.rounds:
                self._see_off(table)
            elif tab.game == game:
                self._let_go(table)

    def _see_off(self, table: int) -> None:
        """Its game is over, so it has gone on since it was first shown, and since the last kill."""
        self._tabs[table].see_it_change()
        self._let_go(table)

    def _let_go(self, table: int) -> None:
        tab = self._tabs.pop(table)
        self._note(tab)
        self._free.append(tab.page)

    def _note(self, tab: Tab) -> None:
        if tab.has_changed:
            self.seen[tab.table] = tab.game
            if tab.came_back:
                self.resumed.append(tab.game)

    def _rounds(self, table: int, game: str) -> int:
        """How many were finished there."""
        return sum(each == table for each, _ in finished_rounds(self._hall.data, game))

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
