"""A person with a client of the native door.

Whenever it is back it resumes its tables and sends again what was not answered, as
docs/protocols/native.md advises.
"""

from __future__ import annotations

import json
from typing import Any

from gamehall.simulation.clients.challenges import CHALLENGE_DEEDS, Challenges
from gamehall.simulation.clients.client import AGAIN_SECONDS, Client, Surroundings
from gamehall.simulation.clients.draws import DRAW_DEEDS, Draws
from gamehall.simulation.clients.entrant import Entrant
from gamehall.simulation.clients.lateness import Lateness
from gamehall.simulation.clients.picks import Picks
from gamehall.simulation.clients.private_tables import PrivateTables
from gamehall.simulation.plots import PRIVATE_DEEDS, TOURNAMENT_DEEDS
from gamehall.simulation.story import GAMES

Json = dict[str, Any]

OF_A_CONNECTION = (
    "hello", "resume", "watch", "unwatch", "list_players", "balance", "statement",
    "list_tournaments", "tournament", "list_tables", "watch_lobby", "history", "journal",
)  # fmt: skip
"""Actions whose effect ends with the connection, or that have none."""
DONE_ANEW = ("seek", "cancel_seek", "challenge", "say")
"""Actions that the hall may do once more when they are sent again: it remembers them for as long as
the player is there at most."""
STATEMENT_MAX = 20
RESIGN = {"type": "resign"}
AWAY_SECONDS = 9.0
"""Longer than the simulated hall keeps a seat."""


class Person(Client):
    door = "native"

    def __init__(self, surroundings: Surroundings, name: str) -> None:
        super().__init__(surroundings, name)
        self.pending: dict[str, str] = {}
        """Requests without an answer yet, by id."""
        self.views: dict[int, Json] = {}
        """How each table stood when it was last seen as a whole."""
        self._number = 0
        self._token = ""
        self._greeted = False
        self._seen: dict[int, int] = {}
        self._follows: dict[int, str] = {}
        self._answered: list[str] = []
        self._closed: set[int] = set()
        self._expected: dict[int, int] = {}
        self._seats: list[int] = []
        """Tables at which it sat when it last came."""
        self.tournaments = Entrant(self.ask)
        self.private = PrivateTables(self.ask)
        self._challenges = Challenges(self.ask)
        self._draws = Draws(self.ask, self.views)
        self._lateness = Lateness(surroundings.rng, self._soon, self.ask, self._act)

    # Being connected

    @property
    def here(self) -> bool:
        return self._greeted

    @property
    def node(self) -> str:
        """The node that it is connected to, by its process's name."""
        return self._line.node if self._line is not None else ""

    def _begin(self) -> None:
        self._again_seconds = AGAIN_SECONDS
        hello = {"token": self._token} if self._token else {"name": self.name}
        self._send_now(self._written("hello", hello))

    def _end(self) -> None:
        self._greeted = False
        self.sought.clear()  # Who goes gives up what it sought.
        self.pending = {
            id: text
            for id, text in self.pending.items()
            if json.loads(text)["action"] not in OF_A_CONNECTION
        }

    def _greet(self, welcome: Json) -> None:
        assert self.transcript.player in (0, welcome["player"]["id"]), "taken for someone else"
        self.transcript.player, self._token = welcome["player"]["id"], welcome["token"]
        self._greeted = True
        self._seats = [each["table"] for each in welcome["tables"]]
        for table, how in tuple(self._follows.items()):
            payload = {"table": table}
            if how == "resume":
                payload["after"] = self._seen.get(table, 0)
            self.ask(how, **payload)
        for id, text in tuple(self.pending.items()):
            if json.loads(text)["action"] not in OF_A_CONNECTION:
                self._send_now((id, text))

    # Asking

    def ask(self, action: str, /, **payload: Any) -> None:
        id, text = self._written(action, payload)
        self.pending[id] = text
        if self._greeted:
            self._send_now((id, text))

    def _written(self, action: str, payload: Json) -> tuple[str, str]:
        self._number += 1
        id = f"{self.name}-{self._number}"
        return id, json.dumps({"action": action, "requestId": id, "payload": payload})

    def _send_now(self, request: tuple[str, str]) -> None:
        id, text = request
        if self._line is None:
            return
        self.pending[id] = text
        self._say(text)
        number = self._connections
        self._around.call_later(self.patience_seconds, self._impatient, id, number)

    def _impatient(self, id: str, number: int) -> None:
        if id in self.pending and number == self._connections:
            self.hang_up()

    def _again(self, id: str, number: int) -> None:
        text = self.pending.get(id)
        if text is not None and number == self._connections and self._greeted:
            self._send_now((id, text))

    # Hearing

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        if "requestId" in message and message["requestId"] is not None:
            self._answer(message)
        else:
            self._told(message["action"], message["payload"])

    def _answer(self, message: Json) -> None:
        id, payload = message["requestId"], message["payload"]
        text = self.pending.get(id)
        if text is None:
            return
        if message["action"] == "error" and payload["code"] == "unavailable":
            self._around.call_later(AGAIN_SECONDS, self._again, id, self._connections)
            if json.loads(text)["action"] == "hello":
                self.hang_up()
            return
        del self.pending[id]
        if message["action"] == "hello":
            self._greet(payload)
            return
        asked = json.loads(text)
        if message["action"] == "error":
            if asked["action"] in ("resume", "watch"):
                self._follows.pop(asked["payload"]["table"], None)
            return
        if asked["action"] not in (*OF_A_CONNECTION, *DONE_ANEW):
            self._answered.append(text)
        if asked["action"] == "seek" and asked["payload"]["game"] in GAMES[:3]:
            self.sought.add(asked["payload"]["game"])
        elif asked["action"] == "cancel_seek":
            self.sought.clear()
        if asked["action"] in ("sit", "open_table", "accept"):
            self.sought.clear()
            self._follows[payload["table"]] = "resume"
        elif asked["action"] == "watch":
            self._follows[payload["table"]] = "watch"
        elif asked["action"] == "leave":
            self._follows.pop(payload["table"], None)
        elif asked["action"] == "enter_tournament":
            self._follows[payload["tournament"]] = "resume"
        elif asked["action"] == "leave_tournament":
            self._follows.pop(payload["tournament"], None)
        if asked["action"] == "open_table":
            self.ask("sit", **payload)
        self.tournaments.answered(asked["action"], payload)
        self.private.answered(asked["action"], payload)
        self._challenges.answered(asked["action"], payload, self.transcript.player)

    def _told(self, action: str, payload: Json) -> None:
        match action:
            case "seated":
                self._follows[payload["table"]] = "resume"
                self.sought.clear()  # Who sits down seeks no more.
            case "challenged":
                self._challenges.challenged(payload["challenge"])
                self._lateness.challenged(payload)
            case "table_view":
                self.views[payload["table"]] = payload
                if payload["status"] == "closed":
                    self._closed.add(payload["table"])
                if payload["seat"] is not None:
                    self.sought.clear()
                self._follows.setdefault(payload["table"], "resume")
                self._saw(payload)
                self._lateness.shown(payload)
            case "table_events":
                if payload["events"][-1]["type"] == "closed":
                    self._closed.add(payload["table"])
                self._saw(payload)
                self._draws.told(payload)

    def _saw(self, payload: Json) -> None:
        table = payload["table"]
        self._seen[table] = max(self._seen.get(table, 0), payload["seq"])

    # What a story has it do

    def do(self, deed: str, pick: float) -> None:
        if not self._greeted:
            return
        rng = Picks(pick)
        tables = sorted(self.views)
        match deed:
            case "act":
                self._act(rng, tables)
            case "act late":
                self._lateness.begin(rng, self.views)
            case "seek":
                self.ask("seek", game=rng.one_of(GAMES))
            case "open":
                self.ask("open_table", game=rng.one_of(GAMES[:3]))
            case "sit" | "watch":
                if tables:
                    self.ask(deed, table=rng.one_of(range(1, max(tables) + 2)))
            case "cancel":
                self.ask("cancel_seek")
            case "resign":
                if tables:
                    self.ask("act", table=rng.one_of(tables), command=RESIGN)
            case "refill":
                self.ask("refill")
            case "rematch" | "leave":
                if tables:
                    self.ask(deed, table=rng.one_of(tables))
            case "say":
                if tables:
                    self.ask("say", table=rng.one_of(tables), text=f"hello {self._number}")
            case "send again":
                if self._answered:
                    text = rng.one_of(self._answered)
                    self._send_now((json.loads(text)["requestId"], text))
            case "resume":
                if tables:
                    self.ask("resume", table=rng.one_of(tables))
            case "hang up" | "move":
                self.hang_up()
            case "stay away":
                self._again_seconds = AWAY_SECONDS
                self.hang_up()
            case _ if deed in DRAW_DEEDS:
                self._draws.do(deed, rng)
            case _ if deed in CHALLENGE_DEEDS:
                self._challenges.do(deed, rng)
            case _ if deed in TOURNAMENT_DEEDS:
                self.tournaments.do(deed, rng)
            case _ if deed in PRIVATE_DEEDS or deed == "open privately":
                self.private.do(deed, rng)
            case _:
                raise ValueError(f"nobody knows how to {deed}")

    def catch_up(self) -> None:
        """Has every table that it follows shown as it stands, and its chips, and looks what there
        is to read."""
        self._lateness.end()
        for table in tuple(self._follows):
            self.ask("resume", table=table)
        self.ask("balance")
        self.ask("statement", limit=STATEMENT_MAX)
        self.ask("list_tables")
        self.ask("history")
        if self.views:
            self.ask("journal", table=max(self.views))

    def go_on(self) -> None:
        """Makes a move wherever it can."""
        for table, view in self.views.items():
            legal = _moves(view)
            if legal and view["status"] == "playing":
                self.ask("act", table=table, command=legal[0])

    def find_seats(self) -> None:
        """Follows the tables at which the hall has seated it while it was away."""
        for table in self._seats:
            if table not in self._follows:
                self.ask("resume", table=table)
        self._seats.clear()

    def give_in(self) -> None:
        """Resigns from every game for two."""
        for table, view in self.views.items():
            plays = view["status"] == "playing" and view["seat"] is not None
            if plays and view["game"] in GAMES[:3]:
                self.ask("act", table=table, command=RESIGN)

    def expect_more(self) -> None:
        self._expected = {
            table: self._seen.get(table, 0)
            for table, view in self.views.items()
            if view["game"] == "sicbo" and table in self._follows and table not in self._closed
        }

    @property
    def heard_more(self) -> bool:
        return all(self._seen.get(table, 0) > seq for table, seq in self._expected.items())

    def _act(self, rng: Picks, tables: list[int]) -> None:
        for table in tables:
            view = self.views[table]
            legal = _moves(view)
            if view["seq"] == self._seen.get(table) and legal:
                self.ask("act", table=table, command=rng.one_of(legal))
                return
        stale = [table for table in tables if self.views[table]["seq"] != self._seen.get(table)]
        if stale:
            self.ask("resume", table=rng.one_of(stale))


def _moves(view: Json) -> list[Json]:
    """What it can do at a table without giving up."""
    return [each for each in view["legal"] if each["type"] not in ("resign", "withdraw", "enter")]
