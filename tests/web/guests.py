"""Those whom the page only shows: people at the native door, and bots of the house.

They wait without Playwright, so tests can have them play before, between and after what a browser
does.
"""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar

from websockets.sync.client import connect

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.web.playing import api

Json = dict[str, Any]
T = TypeVar("T")

WON_BY_FIRST = (0, 1, 0, 1, 0, 1, 0)
"""Columns of Connect Four as the hall counts them, turn by turn."""


class Guest:
    """Someone at the native WebSocket door."""

    def __init__(self, hall: HallProcess, name: str) -> None:
        self._open = ExitStack()
        self._socket = self._open.enter_context(connect(hall.ws_url, proxy=None))
        self._notices: list[Json] = []
        self._requests = count(1)
        self.id: int = self.ask("hello", name=name)["player"]["id"]

    def ask(self, action: str, **payload: Any) -> Json:
        """The payload of the answer, which must not be a refusal."""
        answer = self._answer(action, payload)
        assert answer["action"] == action, answer
        found: Json = answer["payload"]
        return found

    def may(self, action: str, **payload: Any) -> bool:
        """Whether it was not refused."""
        return bool(self._answer(action, payload)["action"] == action)

    def act(self, table: int, type: str, **fields: Any) -> None:
        self.ask("act", table=table, command={"type": type, **fields})

    def hears(self, action: str, **fields: Any) -> Json:
        """The payload of the first such notice that was not taken yet."""
        while True:
            for notice in self._notices:
                payload: Json = notice["payload"]
                if notice["action"] == action and fields.items() <= payload.items():
                    self._notices.remove(notice)
                    return payload
            self._notices.append(self._read())

    def _answer(self, action: str, payload: Json) -> Json:
        request = str(next(self._requests))
        message = {"action": action, "requestId": request, "payload": payload}
        self._socket.send(json.dumps(message))
        while (heard := self._read()).get("requestId") != request:
            self._notices.append(heard)
        return heard

    def _read(self) -> Json:
        heard: Json = json.loads(self._socket.recv(WAIT_SECONDS))
        return heard

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.close()


def until(find: Callable[[], T | None]) -> T:
    """What `find` finds, which is asked again and again."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (found := find()) is None:
        assert time.monotonic() < deadline, "it has never come"
        time.sleep(0.02)
    return found


def match(first: Guest, second: Guest, game: str = "connect-four", **options: Any) -> int:
    """A table at which both sit and the game has begun."""
    asked = first.ask("challenge", player=second.id, game=game, options=options)["challenge"]
    second.hears("challenged", challenge=asked)
    table: int = second.ask("accept", challenge=asked)["table"]
    for guest in (first, second):
        guest.hears("table_view", table=table, status="playing")
    return table


def drop(players: tuple[Guest, Guest], table: int, columns: Sequence[int], so_far: int = 0) -> None:
    """Turn by turn, from where the game stands after `so_far` of them."""
    for turn in range(so_far, len(columns)):
        players[turn % 2].act(table, "drop", column=columns[turn])


def play_connect_four(first: Guest, second: Guest) -> int:
    """The table at which the first has won."""
    table = match(first, second)
    drop((first, second), table, WON_BY_FIRST)
    return table


def play_bingo(guest: Guest) -> tuple[int, int]:
    """Table and round of called Bingo that the guest has won alone."""
    guest.ask("seek", game="bingo")
    view = guest.hears("table_view", game="bingo")
    table = view["table"]
    guest.act(table, "start")
    # Nobody is believed before it is so, so that one may claim after every number.
    while not guest.may("act", table=table, command={"type": "claim"}):
        guest.act(table, "ready")
        guest.hears("table_events", table=table)
    over = guest.hears("table_over", table=table)
    return table, over["round"]


def play_sicbo(guest: Guest) -> tuple[int, int]:
    """Table and round of Sic Bo at which the guest has bet, once the dice were shown."""
    guest.ask("seek", game="sicbo")
    table = guest.hears("table_view", game="sicbo")["table"]
    bet = {"type": "bet", "side": "BIG", "amount": 100}
    until(lambda: guest.may("act", table=table, command=bet) or None)
    over = guest.hears("table_over", table=table)
    return table, over["round"]


def bots_play(
    hall: HallProcess, game: str, bots: Sequence[str] = ("random", "random"), **options: Any
) -> tuple[int, list[int]]:
    """A tournament of house bots that is over, and the tables of its games."""
    body = {"game": game, "bots": list(bots), **options}
    id: int = as_operator(hall, "tournaments", body)["tournament"]
    as_operator(hall, f"tournaments/{id}/begin", {})

    def over() -> list[int] | None:
        shown = api(hall, f"tournaments/{id}")
        tables: dict[str, int] = shown["tables"]
        return list(tables.values()) if shown["view"]["status"] == "over" else None

    return id, until(over)


def as_operator(hall: HallProcess, path: str, body: Json) -> Json:
    """What the hall answers to its operator."""
    headers = {
        "Authorization": f"Bearer {operator_token(hall)}",
        "Content-Type": "application/json",
    }
    url = f"{hall.web_url}/api/{path}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
        answer: Json = json.loads(response.read())
    return answer


def operator_token(hall: HallProcess) -> str:
    return (hall.data / "operator-token").read_text().strip()
