"""The books of a hall, read from its file while it runs or after it died, and added up."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from tests.system.e2e.clients import Json
from tests.system.e2e.sicbo_rounds import START_CHIPS, dice_of

HALL_FILE = "hall.db"


class Books:
    """One moment of the ledger and the journal. Making one checks that they are in order:

    * every player's balance is the sum of its transfers and not negative
    * all accounts together have nothing, and no chip came from elsewhere than the mint
    * the pot of each round that is over is empty, and that of the one that runs holds its bets
    """

    def __init__(self, data: Path) -> None:
        with closing(_open(data / HALL_FILE)) as connection:
            connection.execute("BEGIN")  # All of it as of one moment.
            self.balances: dict[int, int] = dict(
                connection.execute("SELECT player, chips FROM balances").fetchall()
            )
            self.names: dict[int, str] = dict(
                connection.execute("SELECT id, name FROM players").fetchall()
            )
            transfers = connection.execute("SELECT source, target, chips FROM transfers").fetchall()
            lines = connection.execute("SELECT line FROM journal ORDER BY table_id, seq").fetchall()
        self.rows: list[Json] = [json.loads(line) for (line,) in lines]
        self.sums: defaultdict[str, int] = defaultdict(int)
        for source, target, chips in transfers:
            self.sums[source] -= chips
            self.sums[target] += chips
        self._check_sums()
        self.rounds = [
            JournalRound(rows) for rows in _by_round(self.rows).values() if _is_sicbo(rows)
        ]
        self._check_pots()

    def _check_sums(self) -> None:
        for player, chips in self.balances.items():
            assert chips == self.sums[f"player:{player}"], f"player {player}"
            assert chips >= 0, f"player {player}"
        others = {account for account in self.sums if not account.startswith("player:")}
        total = sum(self.balances.values()) + sum(self.sums[account] for account in others)
        assert total == 0, f"{total} chips too many"
        assert self.sums["mint"] == -START_CHIPS * len(self.balances)

    def _check_pots(self) -> None:
        for round in self.rounds:
            in_pot = self.sums[f"pot:{round.table}:{round.number}"]
            stakes = sum(bet["amount"] for bet in round.bets.values())
            assert in_pot == (0 if round.over else stakes), f"round {round.number}: {in_pot}"

    def balance_of(self, name: str) -> int:
        (player,) = [player for player, its in self.names.items() if its == name]
        return self.balances[player]


class JournalRound:
    """A round as the journal has it: its bets by id, each with its player, and its end."""

    def __init__(self, rows: list[Json]) -> None:
        self.rows = rows
        self.table: int = rows[0]["table"]
        self.number: int = rows[0]["round"]
        self.bets: dict[str, Json] = {}
        self.commitment = ""
        self.secret = ""
        self.dice: list[int] = []
        self.result = ""
        players: dict[int, int] = {}
        for event in (event for row in rows for event in row["events"]):
            match event["type"]:
                case "opened":
                    assert event["round"] == self.number
                    assert self.commitment == "", f"round {self.number} was opened twice"
                    self.commitment = event["commitment"]
                case "seated":
                    players[event["seat"]] = event["person"]["player"]
                case "bet_placed":
                    id = f"B{event['bet']}"
                    assert id not in self.bets, f"{id} was placed twice"
                    self.bets[id] = {**event, "player": players[event["seat"]]}
                case "rolled":
                    assert self.dice == [], f"round {self.number} was rolled twice"
                    self.dice, self.result = event["dice"], event["result"]
                case "round_ended":
                    assert self.secret == "", f"round {self.number} has ended twice"
                    self.secret = event["secret"]
        if self.over:
            secret = bytes.fromhex(self.secret)
            assert hashlib.sha256(secret).hexdigest() == self.commitment
            assert self.dice == dice_of(secret)

    @property
    def over(self) -> bool:
        return self.secret != ""


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def _by_round(rows: list[Json]) -> dict[tuple[int, int], list[Json]]:
    """The rows of each round. A row that opens a round is its first, whatever number it has."""
    found: dict[tuple[int, int], list[Json]] = {}
    for row in rows:
        opened = [event["round"] for event in row["events"] if event["type"] == "opened"]
        number = opened[0] if opened else row["round"]
        found.setdefault((row["table"], number), []).append({**row, "round": number})
    return found


def _is_sicbo(rows: list[Json]) -> bool:
    return any(event.get("game") == "sicbo" for event in rows[0]["events"])
