"""Whatever is sent to the `practice` door is answered, and the connection lives on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.client import ClientConnection, connect

from tests.doors.practice.clients import Json
from tests.doors.practice.halls import Visitors
from tests.doors.practice.shapes import (
    ACT,
    ELSEWHERE,
    LOGGED_IN,
    LOGIN,
    LOGOUT,
    MOVE,
    OVER,
    ROOM,
    SEEK,
    START,
    TOLD,
    WAITING,
    WITHDRAW,
    WITHDRAWN,
    check_message,
)
from tests.doors.rfc.fuzzing import changed, cut
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

SETTINGS = ("limits.messages_per_second=0", "sicbo.betting_seconds=3600")
fuzz = settings(max_examples=150, suppress_health_check=list(HealthCheck))
_codes = count(1_000_000)

keys = st.sampled_from(
    ["code", "id", "info", "timestamp", "name", "game_id", "room", "action", "move_turn", "column",
     "position_init", "position_move", "from", "to"]
)  # fmt: skip
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from([LOGIN, SEEK, ACT, MOVE, 1, 0, 2**31, 2**63, 10**400, 3.0, "chess", "x"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(keys | st.text("ab", max_size=3), inner, max_size=5),
    max_leaves=8,
)  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
MOVES = {"position_init": [0, 3], "position_move": [0, 2]}
VALID: list[Json] = [
    {"code": LOGIN, "id": "", "info": {"name": "fuzzed"}, "timestamp": 1.5},
    {"code": LOGIN, "id": "fuzzed's own id", "info": {"name": "fuzzed"}, "timestamp": 1},
    {"code": LOGIN, "id": 5, "info": {}},
    {"code": LOGOUT, "id": None, "info": {"name": "fuzzed"}},
    {"code": SEEK, "id": "", "info": {"game_id": "chess"}},
    {"code": WITHDRAW, "id": "", "info": None},
    {"code": ACT, "info": {"room": 1, "action": MOVE, "move_turn": 0, **MOVES}},
    {"code": ACT, "info": {"room": 1, "action": "drop", "column": 3}},
]
# Nobody else waits for these.
SEEKS: list[Json] = [
    {"code": SEEK, "id": "", "info": {"game_id": game}} for game in ("connect-four", "nim")
]


class Fuzzed:
    """One connection through many examples: nothing that is sent gives the hall reason to close."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def bears(self, message: str, expected: int = 1) -> list[Json]:
        """What comes of it: as many messages as expected, and then the answer to a probe."""
        self._socket.send(message)
        # Neither the code nor the id can be right.
        self._socket.send(json.dumps({"code": next(_codes), "id": "a probe", "info": {}}))
        told = [self.receive() for _ in range(expected)]
        probed = self.receive()
        assert probed["code"] == TOLD, (message, told, probed)
        assert probed["info"]["code"] in ("not_logged_in", "bad_request"), (message, told, probed)
        return told

    def ask(self, code: int, info: Json, *expected: int) -> list[Json]:
        """What comes of a message that is right."""
        self._socket.send(json.dumps({"code": code, "info": info}))
        told = [self.receive() for _ in expected]
        assert [message["code"] for message in told] == list(expected)
        return told

    def receive(self) -> Json:
        message: Json = json.loads(self._socket.recv(timeout=WAIT_SECONDS))
        check_message(message)
        return message


@contextmanager
def fuzzing(hall: HallProcess) -> Iterator[Fuzzed]:
    """A connection. Fails if the hall's log shows a fault later."""
    visitors = Visitors(hall)
    url = f"ws://127.0.0.1:{hall.ports['practice']}/"
    with connect(url, compression=None, max_size=None) as socket:
        yield Fuzzed(socket)
    visitors.check_log()


@pytest.fixture(scope="module")
def fuzzed(hall: HallProcess) -> Iterator[Fuzzed]:
    with fuzzing(hall) as fuzzed:
        yield fuzzed


def messages(valid: list[Json]) -> st.SearchStrategy[list[str]]:
    whole = st.sampled_from(valid)
    as_json = (whole | whole.flatmap(changed) | values).map(json.dumps)
    return st.lists(as_json | as_json.flatmap(cut) | texts, min_size=1, max_size=8)


ANSWERS = {LOGGED_IN, ELSEWHERE, WAITING, WITHDRAWN, TOLD}


@fuzz
@given(sent=messages([*VALID, *SEEKS]))
def test_every_message_is_answered_once(fuzzed: Fuzzed, sent: list[str]) -> None:
    for message in sent:
        blank = not message.encode().strip()
        told = fuzzed.bears(message, expected=0 if blank else 1)
        assert {answer["code"] for answer in told} <= ANSWERS


class Opponents:
    """One who plays fair, against one who sends anything."""

    def __init__(self, fair: Fuzzed, wild: Fuzzed) -> None:
        self._fair = fair
        self._wild = wild
        self._room = 0
        for player in (fair, wild):
            player.ask(LOGIN, {}, LOGGED_IN)
        self._begin()

    def _begin(self) -> None:
        for player in (self._fair, self._wild):
            player.ask(SEEK, {"game_id": "four_stone"}, WAITING)
        starts = [player.receive() for player in (self._fair, self._wild)]
        assert [start["code"] for start in starts] == [START, START]
        self._room = starts[0]["info"]["room"]

    def bear(self, message: str) -> None:
        """The wild one's message is answered, and the fair one hears only of moves and ends."""
        message = message.replace('"the room"', str(self._room))
        blank = not message.encode().strip()
        told = self._wild.bears(message, expected=0 if blank else 1)
        codes = {answer["code"] for answer in told}
        if codes == {ROOM}:
            assert self._fair.receive()["info"] == told[0]["info"]
            self._fair.ask(ACT, {"room": self._room, "action": "resign"}, OVER)
            assert self._wild.receive()["code"] == OVER
            self._begin()
        elif codes == {OVER}:
            assert self._fair.receive()["info"] == told[0]["info"]
            self._begin()
        else:
            assert codes <= {TOLD, WITHDRAWN}
            self._fair.bears("", expected=0)


@pytest.fixture(scope="module")
def opponents(hall: HallProcess) -> Iterator[Opponents]:
    with fuzzing(hall) as fair, fuzzing(hall) as wild:
        yield Opponents(fair, wild)


IN_ROOM: list[Json] = [
    {"code": ACT, "id": "", "info": {"room": "the room", "action": MOVE, "move_turn": 0, **MOVES}},
    {"code": ACT, "info": {"room": "the room", "action": "move", "from": [1, 3], "to": [1, 2]}},
    {"code": ACT, "info": {"room": "the room", "action": "resign"}},
    {"code": SEEK, "info": {"game_id": "four_stone"}},
    {"code": WITHDRAW, "info": None},
]


@fuzz
@given(sent=messages(IN_ROOM))
def test_in_a_room_the_other_is_not_disturbed(opponents: Opponents, sent: list[str]) -> None:
    for message in sent:
        opponents.bear(message)
