"""Whatever is sent, however it is cut: each message is answered once or the connection ends, and
someone else's ping is answered all the same."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import Opcode

from tests.doors.native.clients import Client, Door, Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

SETTINGS = ("limits.message_bytes=10000", "limits.messages_per_second=0")
doors = pytest.mark.parametrize("door", ["ws", "tcp"])
fuzz = settings(max_examples=100)

GAME = "connect-four"
VALID: list[tuple[str, Json]] = [
    ("hello", {"name": "Fuzz"}), ("hello", {}), ("hello", {"token": "nobody's"}),
    ("register", {"name": "Fuzz", "password": "short"}), ("logout", {}), ("list_games", {}),
    ("list_tables", {"status": "playing", "limit": 2}), ("list_players", {"free": True}),
    ("open_table", {"game": GAME, "bots": 1}), ("open_table", {"game": GAME, "private": True}),
    ("sit", {"table": 1}), ("sit", {"table": 2, "key": "k"}), ("leave", {"table": 2}),
    ("watch", {"table": 1}), ("unwatch", {"table": 1}), ("seek", {"game": GAME}),
    ("cancel_seek", {}), ("challenge", {"player": 1, "game": GAME}), ("accept", {"challenge": 1}),
    ("refuse", {"challenge": 1}), ("withdraw", {"challenge": 1}), ("rematch", {"table": 1}),
    ("act", {"table": 2, "command": {"type": "drop", "column": 3}}),
    ("act", {"table": 1, "command": {"type": "resign"}}), ("offer_draw", {"table": 1}),
    ("answer_draw", {"table": 2, "accept": True}), ("watch_lobby", {}), ("unwatch_lobby", {}),
    ("resume", {"table": 1, "after": 0}), ("history", {"player": 1}), ("journal", {"table": 1}),
    ("standings", {}), ("balance", {}), ("statement", {}), ("say", {"table": 1, "text": "hi"}),
    ("ping", {}),
]  # fmt: skip

keys = st.sampled_from(
    ["action", "requestId", "payload", "table", "game", "options", "type", "column", "name", "text"]
)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from([GAME, "ping", "act", "drop", 2**31, 2**63, 10**400, 3.0, -1]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(keys | st.text(max_size=5), inner, max_size=5),
    max_leaves=10,
)  # fmt: skip


coin = st.booleans()


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A request that is right, or that has a field too many, too few or of another kind."""
    action, payload = draw(st.sampled_from(VALID))
    payload = dict(payload)
    name = draw(st.sampled_from([None, *payload]))
    if name is not None:
        payload[name] = draw(values)
        if draw(coin):
            del payload[name]
    message: Json = {"action": action, "payload": payload}
    if draw(coin):
        message["requestId"] = draw(st.text(max_size=66))
    return json.dumps(message).encode()


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A request with some bytes changed, left out, put in or repeated."""
    message = bytearray(draw(requests()))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(message)))
        end = min(len(message), start + draw(st.integers(0, 5)))
        message[start:end] = draw(st.binary(max_size=5) | st.just(bytes(message[start:end]) * 2))
    return bytes(message)


messages = st.lists(
    requests() | mutations() | values.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=100),
    max_size=12,
).map(lambda drawn: [message.replace(b"\n", b" ") for message in drawn])  # fmt: skip
cuts = st.lists(st.integers(1, 40), min_size=1, max_size=20)


class Elsewhere:
    """Another connection, which is none of the fuzzers' business, though they may challenge it."""

    def __init__(self, hall: HallProcess) -> None:
        self._socket = socket.create_connection(("127.0.0.1", hall.ports["native-tcp"]), 10)
        self._lines = self._socket.makefile("rb")
        self._ask("hello", "hello")

    def ping(self) -> None:
        self._ask("ping", "pong")

    def _ask(self, action: str, answer: str) -> None:
        self._socket.sendall(json.dumps({"action": action, "requestId": "mine"}).encode() + b"\n")
        told: Json = {}
        while told.get("requestId") != "mine":
            told = json.loads(self._lines.readline())
        assert told["action"] == answer, told

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


@pytest.fixture(scope="module")
def elsewhere(hall: HallProcess) -> Iterator[Elsewhere]:
    visitors = Visitors(hall)
    there = Elsewhere(hall)
    yield there
    there.close()
    visitors.check_log()


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scenario())


async def send_in_pieces(client: Client, data: bytes, cuts: list[int]) -> None:
    place = 0
    while place < len(data) and not client.ended:
        for size in cuts:
            client.write(data[place : place + size])
            place += size
        # The hall has a turn after each handful, so that it sees the pieces.
        await asyncio.sleep(0)


def is_text(message: bytes) -> bool:
    try:
        return bool(message.decode())
    except UnicodeDecodeError:
        return False


async def all_answered(client: Client, count: int) -> None:
    """That many answers come and no more, or the connection ends before."""

    def enough() -> bool | None:
        return client.ended or len(client.answers) >= count or None

    await client.until(enough, f"{count} answers")
    # Another answer to any of them would be here before this one's.
    client.send("ping", request_id="the last")
    await client.until(lambda: client.ended or last_answered(client) or None, "the end")
    assert len(client.answers) - last_answered(client) == count or client.ended, client.answers


def last_answered(client: Client) -> bool:
    return any(answer.get("requestId") == "the last" for answer in client.answers)


@doors
@fuzz
@given(sent=messages, cuts=cuts)
def test_each_message_is_answered_once(
    hall: HallProcess, elsewhere: Elsewhere, door: Door, sent: list[bytes], cuts: list[int]
) -> None:
    async def scenario() -> None:
        async with await Client.connect(hall, door) as client:
            data = b"".join(client.framed(message) for message in sent)
            await send_in_pieces(client, data, cuts)
            # `\r` before the end of a line belongs to it; a line or frame of blanks is ignored.
            due = [message for message in sent if not (message.isspace() or not message)]
            await all_answered(client, len(due))
            if client.ended:
                code = await client.closed()
                failed = sum(m["payload"].get("code") == "bad_token" for m in client.answers)
                broken = door == "ws" and not all(is_text(message) for message in due)
                assert failed >= 5 or broken, "closed without a reason"
                assert code == (None if door == "tcp" else 1007 if broken else 1008)

    run(scenario)
    elsewhere.ping()


@fuzz
@given(data=st.binary(max_size=300), cuts=cuts)
def test_bytes_that_are_no_frames(
    hall: HallProcess, elsewhere: Elsewhere, data: bytes, cuts: list[int]
) -> None:
    async def scenario() -> None:
        async with await Client.connect(hall, "ws") as client:
            await send_in_pieces(client, data, cuts)
            if not client.ended:
                client.shut_down()
            await client.closed()
            assert all(answer["action"] == "error" for answer in client.answers)

    run(scenario)
    elsewhere.ping()


def any_frame(opcode: Opcode, body: bytes, fin: bool) -> bytes:
    """A frame whether it may be or not, under a mask of zeros."""
    short = len(body) < 126
    length = bytes((0x80 | len(body),)) if short else b"\xfe" + len(body).to_bytes(2, "big")
    return bytes((opcode | fin << 7,)) + length + bytes(4) + body


@fuzz
@given(
    frames=st.lists(
        st.tuples(
            st.sampled_from(list(Opcode)), requests() | st.binary(max_size=130), st.booleans()
        ),
        max_size=8,
    ),
    cuts=cuts,
)
def test_frames_in_any_order(
    hall: HallProcess,
    elsewhere: Elsewhere,
    frames: list[tuple[Opcode, bytes, bool]],
    cuts: list[int],
) -> None:
    async def scenario() -> None:
        async with await Client.connect(hall, "ws") as client:
            data = b"".join(any_frame(op, body, fin) for op, body, fin in frames)
            await send_in_pieces(client, data, cuts)
            if not client.ended:
                client.write(client.frame(Opcode.CLOSE, b"\x03\xe8"))
            await client.closed()

    run(scenario)
    elsewhere.ping()


@fuzz
@given(data=st.binary(max_size=300), cuts=cuts)
def test_bytes_before_any_handshake(
    hall: HallProcess, elsewhere: Elsewhere, data: bytes, cuts: list[int]
) -> None:
    for door in ("native", "native-tcp"):
        with socket.create_connection(("127.0.0.1", hall.ports[door]), 10) as sock:
            sock.sendall(data[: cuts[0]])
            sock.sendall(data[cuts[0] :])
            sock.shutdown(socket.SHUT_WR)
    elsewhere.ping()
