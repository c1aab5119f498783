"""The page as a spectator of every table: a tab for each that is played."""

from __future__ import annotations

import json
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from tests.support.processes import HallProcess

TABS_MAX = 6


class Spectator:
    def __init__(self, hall: HallProcess, person: BrowserContext) -> None:
        self._hall = hall
        self._person = person
        self._tabs: dict[int, Page] = {}
        self.seen: dict[int, str] = {}
        """By table: the game that the page has shown."""

    def look(self) -> None:
        """Opens a tab for each table that is new, and closes the oldest if there are too many."""
        for table, game in self._open_tables():
            if table not in self.seen:
                self._watch(table, game)

    def _open_tables(self) -> list[tuple[int, str]]:
        with urllib.request.urlopen(f"{self._hall.web_url}/api/tables?limit=100") as answer:
            return [(each["id"], each["game"]) for each in json.load(answer)["tables"]]

    def _watch(self, table: int, game: str) -> None:
        if len(self._tabs) >= TABS_MAX:
            self._tabs.pop(next(iter(self._tabs))).close()
        tab = self._person.new_page()
        tab.goto(f"{self._hall.web_url}/#/table/{table}")
        tab.locator("main h1").first.wait_for()
        self._tabs[table] = tab
        self.seen[table] = game


def finished_rounds(data: Path) -> list[tuple[int, int]]:
    """Table and number of every round that has ended, as they lie in the hall's file."""
    with closing(sqlite3.connect(f"file:{data / 'hall.db'}?mode=ro", uri=True)) as file:
        return file.execute("SELECT table_id, round FROM rounds ORDER BY 1, 2").fetchall()
