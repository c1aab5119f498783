"""A hall that registers at the tests' own portal, and players who come to its matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.doors.arena.game_server import Transport
from tests.doors.arena.portal import Link, Portal
from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client as Duelist
from tests.doors.duel.judge import turns
from tests.support.clients import BlockingClient
from tests.support.framing import Lines
from tests.support.processes import HallProcess

Json = dict[str, Any]
KEY = "the key"
FOUR, DUEL = "connect-four", "bingo-duel"
_numbers = count(1000)


def key(match: int) -> str:
    return f"{KEY} {match}"


class Native(BlockingClient):
    """Someone at the native door, over TCP. `notices` has what came unasked."""

    def __init__(self, hall: HallProcess, token: str | None = None) -> None:
        self.notices: list[Json] = []
        self._lines = Lines()
        self._unread: list[bytes] = []
        super().__init__(hall.ports["native-tcp"], self.notices)
        self._requests = count(1)
        payload = {} if token is None else {"token": token}
        self.token: str = self.ask("hello", **payload)["token"]

    def ask(self, action: str, request: str | None = None, **payload: Any) -> Json:
        """The payload of the answer, which must not be a refusal."""
        answer = self._answer(action, payload, request)
        assert answer["action"] == action, answer
        found: Json = answer["payload"]
        return found

    def refused(self, action: str, **payload: Any) -> str:
        """The code with which it is refused."""
        answer = self._answer(action, payload)
        assert answer["action"] == "error", answer
        code: str = answer["payload"]["code"]
        return code

    def _answer(self, action: str, payload: Json, request: str | None = None) -> Json:
        request_id = request or f"{self._socket.getsockname()[1]}:{next(self._requests)}"
        message = {"action": action, "requestId": request_id, "payload": payload}
        self.write(self._lines.framed(json.dumps(message).encode()))
        while True:
            heard = self._read()
            if heard.get("requestId") == request_id:
                return heard
            self.notices.append(heard)

    def hears(self, action: str) -> Json:
        """The payload of the first such notice from now on."""
        while True:
            for notice in self.notices:
                if notice["action"] == action:
                    self.notices.remove(notice)
                    found: Json = notice["payload"]
                    return found
            self.notices.append(self._read())

    def _read(self) -> Json:
        while not self._unread:
            data = self.receive()
            if not data:
                raise ConnectionResetError
            self._unread += self._lines.feed(data)
        heard: Json = json.loads(self._unread.pop(0))
        return heard

    def claim(self, uid: int, match: int) -> Json:
        return self.ask("claim_match", uid=uid, key=key(match))

    def drop(self, table: int, column: int) -> None:
        self.ask("act", table=table, command={"type": "drop", "column": column})


class Federation:
    """A hall and its portal."""

    def __init__(self, hall: HallProcess, portal: Portal) -> None:
        self.hall = hall
        self.portal = portal
        self._people: list[Native | Duelist] = []
        self._log_start = len(hall.stderr)

    def server(self, game: str, after: Link | None = None) -> Link:
        return self.portal.server(game, after)

    def new_match(self, game: str, uid1: int = 7, uid2: int = 8) -> int:
        """The number of a match that the hall now knows."""
        match = next(_numbers)
        assert self.server(game).create(match, uid1, uid2, key(match)) is None
        return match

    @staticmethod
    def free_number() -> int:
        return next(_numbers)

    # Players

    def native(self, token: str | None = None) -> Native:
        native = Native(self.hall, token)
        self._people.append(native)
        return native

    def duelist(self, hello: str, uid: int) -> Duelist:
        """Someone at the duel door, who is accepted as that user."""
        client = self._duelist(f"{hello}:fast")
        assert client.take(p.ACCEPTED) == str(uid)
        return client

    def refused_duelist(self, hello: str) -> None:
        client = self._duelist(hello)
        client.take(p.REFUSED)
        client.ended()

    def _duelist(self, hello: str) -> Duelist:
        client = Duelist(self.hall.ports["duel"])
        self._people.append(client)
        client.hello(hello)
        return client

    def duel(self, match: int) -> tuple[Duelist, Duelist]:
        """Both players of a match of two-player Bingo."""
        hello = f"7:8:{match}:{key(match)}"
        first, second = self.duelist(hello, 7), self.duelist(hello, 8)
        first.take(p.BOARD)
        second.take(p.BOARD)
        return first, second

    def four(self, match: int) -> tuple[Native, Native, int]:
        """Both players of a match of Connect Four, and its table."""
        first, second = self.native(), self.native()
        table: int = first.claim(7, match)["table"]
        assert second.claim(8, match) == {"table": table, "seat": 1}
        return first, second, table

    def leave(self) -> None:
        for person in self._people:
            person.close()
        self._people.clear()
        self.check_log()

    def check_log(self) -> None:
        lines = self.hall.stderr[self._log_start :]
        self._log_start += len(lines)
        log = "\n".join(lines)
        assert "Traceback" not in log, log
        assert '"level": "error"' not in log, log
        assert KEY not in log, log


def win_four(first: Native, second: Native, table: int) -> None:
    """Who has seat 0 wins."""
    for _ in range(3):
        first.drop(table, 0)
        second.drop(table, 1)
    first.drop(table, 0)


def play_duel(first: Duelist, second: Duelist, picks: list[int], *, ends: bool = False) -> None:
    """The second begins, as it came second; `ends`: the last of these picks is the match's."""
    for picker, other, number in turns(first, second, picks):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        if not (ends and number == picks[-1]):
            other.take(p.YOURS)


@contextmanager
def federation(
    data: Path,
    transport: Transport,
    *settings: str,
    doors: Sequence[str] = ("native-tcp", "duel"),
    more: Sequence[str] = (),
) -> Iterator[Federation]:
    """A hall that offers both games to the portal."""
    portal = Portal(transport)
    portal.start()
    chosen = (f"arena.portal={portal.url}", f"arena.games={FOUR},{DUEL}", *settings)
    try:
        with HallProcess(data, settings=chosen, doors=doors, more=more) as hall:
            fed = Federation(hall, portal)
            yield fed
            fed.leave()
    finally:
        portal.stop()
