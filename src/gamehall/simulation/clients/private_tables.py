"""What a person does with private tables, its own, its friends' and others', at the native door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.story import GAMES

WRONG_KEYS: tuple[dict[str, str], ...] = ({}, {"key": ""}, {"key": "0" * 16})
INTRUSIONS = ("sit", "watch", "journal")


class PrivateTables:
    def __init__(self, ask: Callable[..., None]) -> None:
        self._ask = ask
        self.keys: dict[int, str] = {}
        """Of the tables that it has opened."""
        self.friends: Sequence[PrivateTables] = ()
        """They tell it their keys."""

    def do(self, deed: str, rng: Picks) -> None:
        keys = {table: key for friend in self.friends for table, key in friend.keys.items()}
        table = rng.one_of(sorted(keys))
        match deed:
            case "open privately":
                self._ask("open_table", game=rng.one_of(GAMES[:4]), private=True)
            case "look around":
                self._ask("list_tables")
                self._ask("watch_lobby")
                self._ask("history")
            case "sit with a friend" if table is not None:
                self._ask("sit", table=table, key=keys[table])
            case "watch a friend" if table is not None:
                self._ask("watch", table=table, key=keys[table])
            case "intrude" if table is not None:
                self._ask(rng.one_of(INTRUSIONS), table=table, **rng.one_of(WRONG_KEYS))

    def answered(self, action: str, payload: dict[str, Any]) -> None:
        if action == "open_table" and "key" in payload:
            self.keys[payload["table"]] = payload["key"]
