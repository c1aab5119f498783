"""Whatever is sent, however it is cut: each message is answered once, and the connection stays."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.doors.four.clients import Json
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.shapes import check_message
from tests.support.processes import HallProcess

fuzz = settings(max_examples=150)

VALID: dict[str, Json] = {
    "REGISTER": {"name": "fuzz"},
    "CHALLENGE": {"opponent_id": "player_999999"},
    "CHALLENGE_ACCEPTED": {"challenger_id": "player_999999"},
    "CHALLENGE_REFUSED": {"challenger_id": "player_999999"},
    "PLAY_MOVE": {"column": 3},
    "LIST_PLAYERS": {},
}
"""For someone who is alone in the hall and has a name, all but the last are errors."""
keys = st.sampled_from(["type", "data", "name", "column", "opponent_id", "challenger_id"])
# Numbers that nobody has, so that no challenge is ever to someone.
texts = st.text(max_size=40) | st.sampled_from(
    ["player_999998", "player_-1", "PLAYER_1", "player_1.0", "x" * 33, "DISCONNECTED", "\u202e"]
)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts
    | st.sampled_from([3, 3.0, -1, 6, 7, 2**31, 2**63, 10**400]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | texts, inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """One that is right, or has a value of any kind at any place."""
    type = draw(st.sampled_from(sorted(VALID)))
    message: Json = {"type": type, "data": dict(VALID[type])}
    match draw(st.integers(0, 5)):
        case 0:
            message["data"] = draw(values)
        case 1:
            message["type"] = draw(values.filter(lambda value: value != "DISCONNECT"))
        case 2:
            del message[draw(st.sampled_from(["type", "data"]))]
        case 3:
            message[draw(texts)] = draw(values)
        case _:
            message["data"][draw(st.sampled_from([*VALID[type], "more"]))] = draw(values)
    return json.dumps(message, ensure_ascii=draw(st.booleans())).encode(errors="surrogatepass")


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A message with some bytes changed, left out, put in or repeated."""
    message = bytearray(draw(messages()))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(message)))
        end = min(len(message), start + draw(st.integers(0, 5)))
        message[start:end] = draw(st.binary(max_size=5) | st.just(bytes(message[start:end]) * 2))
    return bytes(message).replace(b"\n", b" ")


anything = (
    messages()
    | mutations()
    | values.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=60).map(lambda data: data.replace(b"\n", b" "))
)
cuts = st.lists(st.integers(1, 40), min_size=1, max_size=20)


class Line:
    """A connection that waits for each answer."""

    def __init__(self, hall: HallProcess) -> None:
        self._socket = socket.create_connection(("127.0.0.1", hall.ports["four"]), 20)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def send(self, data: bytes, cuts: list[int]) -> None:
        place = 0
        while place < len(data):
            for size in cuts:
                self._socket.sendall(data[place : place + size])
                place += size

    def read(self) -> Json:
        line = self._lines.readline()
        assert line.endswith(b"\n"), "closed"
        message: Json = json.loads(line)
        check_message(message)
        return message

    def ask(self, type: str, data: Any = None) -> Json:
        self.send(json.dumps({"type": type, "data": data}).encode() + b"\n", [1000])
        return self.read()

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


@pytest.fixture(scope="module")
def nobody(hall: HallProcess) -> Iterator[Line]:
    yield from line(hall)


@pytest.fixture(scope="module")
def alone(hall: HallProcess) -> Iterator[Line]:
    for client in line(hall):
        assert client.ask("REGISTER", {"name": new_name("alone")})["type"] == "REGISTER_OK"
        yield client


def line(hall: HallProcess) -> Iterator[Line]:
    visitors = Visitors(hall)
    client = Line(hall)
    yield client
    client.close()
    visitors.check_log()


def is_blank(message: bytes) -> bool:
    return not message or message.isspace()


@fuzz
@given(sent=st.lists(anything, max_size=8), cuts=cuts)
def test_each_message_is_answered_once(alone: Line, sent: list[bytes], cuts: list[int]) -> None:
    alone.send(b"".join(message + b"\n" for message in sent), cuts)
    for message in sent:
        if not is_blank(message):
            assert alone.read()["type"] in ("ERROR", "LIST_PLAYERS"), message
    # Another answer to any of them would come before this one's.
    assert alone.ask("NOTHING")["type"] == "ERROR"
    assert alone.ask("LIST_PLAYERS")["type"] == "LIST_PLAYERS"


@fuzz
@given(data=values, cuts=cuts)
def test_each_name_is_taken_or_refused(hall: HallProcess, data: Any, cuts: list[int]) -> None:
    client = Line(hall)
    for said in (data, {"name": data}):
        client.send(json.dumps({"type": "REGISTER", "data": said}).encode() + b"\n", cuts)
        if client.read()["type"] == "REGISTER_OK":
            assert client.ask("LIST_PLAYERS")["type"] == "LIST_PLAYERS"
            break
        assert client.ask("LIST_PLAYERS")["type"] == "ERROR"
    client.send(b'{"type": "DISCONNECT", "data": null}\n', [1000])
    client.close()


@fuzz
@given(sent=st.lists(anything, min_size=1, max_size=8), cuts=cuts)
def test_without_a_name(nobody: Line, sent: list[bytes], cuts: list[int]) -> None:
    due = [message for message in sent if b"REGISTER" not in message and not is_blank(message)]
    nobody.send(b"".join(message + b"\n" for message in due), cuts)
    for message in due:
        assert nobody.read()["type"] == "ERROR", message
    assert nobody.ask("LIST_PLAYERS")["type"] == "ERROR"
