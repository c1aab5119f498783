"""Whatever comes in at either door is answered or closed as the specification says, the connection
stays otherwise, and two others play on all the while (conftest has `at` read the hall's log)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.frames import Opcode

from tests.doors.native.bystanders import undisturbed
from tests.doors.native.clients import Door, Json
from tests.doors.native.playing import match
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

MESSAGE_BYTES = 300_000
# Room for a hundred thousand brackets, so that it is their depth that counts.
SETTINGS = (f"limits.message_bytes={MESSAGE_BYTES}",)
doors = pytest.mark.parametrize("door", ["ws", "tcp"])
DEPTH = 100_000


@pytest.fixture(autouse=True)
async def bystanders(hall: HallProcess, at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(hall):
        yield


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


ENVELOPES: list[tuple[str, str]] = [
    # No JSON.
    ("garbage", "bad_request"),
    ("{'action': 'ping'}", "bad_request"),
    ('{"action": "ping"', "bad_request"),
    ('{"action": "ping"}}', "bad_request"),
    ('{"action": "ping"} {"action": "ping"}', "bad_request"),
    ('{"action": "ping",}', "bad_request"),
    ('{"action": "ping", "payload": NaN}', "bad_request"),
    ('{"action": "ping", "payload": Infinity}', "bad_request"),
    ('\ufeff{"action": "ping"}', "bad_request"),
    ('{"action": "ping"}\0', "bad_request"),
    ("\0", "bad_request"),
    ("GET / HTTP/1.1", "bad_request"),
    # JSON of another kind.
    ("[]", "bad_request"),
    ('["ping"]', "bad_request"),
    ("1", "bad_request"),
    ("null", "bad_request"),
    ("true", "bad_request"),
    ('"ping"', "bad_request"),
    # Objects that are no request.
    ("{}", "bad_request"),
    ('{"payload": {}}', "bad_request"),
    ('{"action": null}', "bad_request"),
    ('{"action": 1}', "bad_request"),
    ('{"action": ["ping"]}', "bad_request"),
    ('{"Action": "ping"}', "bad_request"),
    ('{"action": "ping", "request_id": "a slip of the pen"}', "bad_request"),
    ('{"action": "ping", "requestId": 1}', "bad_request"),
    ('{"action": "ping", "requestId": ["a"]}', "bad_request"),
    ('{"action": "ping", "payload": []}', "bad_request"),
    ('{"action": "ping", "payload": "x"}', "bad_request"),
    ('{"action": "ping", "payload": 0}', "bad_request"),
    ('{"action": "ping", "payload": true}', "bad_request"),
    ('{"action": "ping", "payload": {"x": 1}}', "bad_request"),
    (json.dumps({"action": "a" * 65}), "bad_request"),
    ('{"action": ""}', "unknown_action"),
    ('{"action": "PING"}', "unknown_action"),
    ('{"action": "pong"}', "unknown_action"),
    ('{"action": "table_view", "payload": {}}', "unknown_action"),
    ('{"action": "ping\\u0000"}', "unknown_action"),
    # Half of a character that needs two.
    (r'{"action": "\ud800"}', "bad_request"),
    (r'{"action": "hello", "payload": {"name": "\ud800"}}', "bad_request"),
    (r'{"action": "hello", "payload": {"name": "\udc00\ud800"}}', "bad_request"),
    (r'{"action": "hello", "payload": {"\ud800": 1}}', "bad_request"),
    # Too deep.
    (nested(DEPTH), "bad_request"),
    (nested(DEPTH // 4, '{"a":', "}"), "bad_request"),
    ('{"action": "ping", "payload": ' + nested(DEPTH) + "}", "bad_request"),
    ('{"action": "ping", "x": ' + nested(DEPTH) + "}", "bad_request"),
    ('{"action": ' + nested(DEPTH) + "}", "bad_request"),
    # Too much to repeat.
    (json.dumps({"action": "ping", "payload": {"x" * 200_000: 1}}), "bad_request"),
    (json.dumps({"action": "hello", "payload": {"name": "x" * 200_000}}), "bad_request"),
]  # fmt: skip


@doors
async def test_what_is_no_request_is_answered_and_the_connection_stays(
    at: Visitors, door: Door
) -> None:
    client = await at.connect(door)
    for message, code in ENVELOPES:
        client.send_text(message)
        answer = await client.answer()
        assert answer["action"] == "error", message[:100]
        assert answer["payload"]["code"] == code, message[:100]
        assert 0 < len(answer["payload"]["message"]) <= 500, message[:100]
    await client.still_answers()


@doors
async def test_the_request_id_comes_back_if_it_can_be_made_out(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    for message in (
        {"action": 5, "requestId": "x"},
        {"requestId": "x"},
        {"action": "nothing", "requestId": "x"},
        {"action": "ping", "requestId": "x", "payload": 5},
        {"action": "balance", "requestId": "x"},
    ):
        client.send_text(json.dumps(message))
        answer = await client.answer()
        assert answer["requestId"] == answer["payload"]["requestId"] == "x"
    for request_id, length in (("é" * 64, 64), ("é" * 65, None), ("", 0), ("\0", 1)):
        client.send("ping", request_id=request_id)
        answer = await client.answer()
        if length is None:
            assert answer["payload"]["code"] == "bad_request"
        else:
            assert (answer["action"], answer["requestId"]) == ("pong", request_id)


@doors
async def test_options_and_commands_of_every_kind(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair(door)
    no_columns: list[Any] = [2**31, 2**63, 10**400, -1, 3.0, True, None, "7", [], {}, [[[]]]]
    for value in no_columns:
        options = {"columns": value}
        for action in ("open_table", "seek"):
            code = await anna.refused(action, game="connect-four", options=options)
            assert code == "bad_options", options
    for digits in (4300, 5000, 100_000):
        text = '{"action": "seek", "payload": {"game": "connect-four", "options": {"columns": '
        anna.send_text(text + "9" * digits + "}}}")
        assert await anna.error() in ("bad_options", "bad_request")
    table = await match(anna, bob)
    deep = '{"action": "act", "payload": {"table": %d, "command": {"type": "drop", "column": %s}}}'
    for column, code in ((nested(500), "illegal_command"), ("9" * 5000, "illegal_command")):
        anna.send_text(deep % (table, column))
        assert await anna.error() == code
    anna.send_text(deep % (table, nested(DEPTH)))
    assert await anna.error() == "bad_request"
    await anna.still_answers()


# Who may not


AT_TABLE: list[tuple[str, Json]] = [
    ("act", {"command": {"type": "drop", "column": 3}}),
    ("leave", {}),
    ("rematch", {}),
    ("offer_draw", {}),
    ("answer_draw", {"accept": True}),
    ("resume", {"after": 0}),
    ("say", {"text": "hello"}),
]


@doors
async def test_tables_of_others_and_of_nobody(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair(door)
    eve = await at.guest(door=door)
    table = await match(anna, bob)
    for action, more in AT_TABLE:
        assert await eve.refused(action, table=table, **more) == "not_seated", action
        code = await eve.refused(action, table=2**31 - 1, **more)
        assert code == ("not_seated" if action == "say" else "no_such_table"), action
    for action in ("sit", "watch", "journal"):
        assert await eve.refused(action, table=2**31 - 1) == "no_such_table"
    # To stop what was never begun is no fault.
    assert await eve.ask("unwatch", table=table) == {"table": table}
    for action in ("accept", "refuse", "withdraw"):
        assert await eve.refused(action, challenge=1) == "no_such_challenge"
    assert not {told["table"] for told in eve.heard("table_events")}
    await eve.still_answers()


@doors
async def test_a_token_is_worth_nothing_after_logout(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair(door)
    table = await match(anna, bob)
    await anna.ask("logout")
    thief = await at.connect(door)
    assert await thief.refused("hello", token=anna.token) == "bad_token"
    assert await thief.refused("act", table=table, command={"type": "resign"}) == "not_logged_in"
    for token in ("", "x" * 128, anna.token + "x", anna.token.swapcase()):
        other = await at.connect(door)
        assert await other.refused("hello", token=token) == "bad_token"


# Bytes


@doors
@pytest.mark.parametrize("bad", [b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
async def test_what_is_not_utf8(at: Visitors, door: Door, bad: bytes) -> None:
    client = await at.connect(door)
    client.send_text(b'{"action": "hello", "payload": {"name": "' + bad + b'"}}')
    assert await client.error() == "bad_request"
    if door == "ws":
        assert await client.closed() == 1007
    else:
        await client.still_answers()


@doors
async def test_blank_messages_are_ignored(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    for blank in ("", " ", "\t", "\r", "    " * 1000):
        client.send_text(blank)
    await client.still_answers()


@doors
async def test_a_message_may_come_byte_by_byte(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    text = '{"action": "hello", "requestId": "slow", "payload": {"name": "Schnecke ñ"}}'
    for byte in client.framed(text):
        client.write(bytes((byte,)))
        await client.drain()
    assert (await client.answer("slow"))["payload"]["player"]["name"].startswith("Schnecke ñ")


@doors
async def test_a_message_that_is_too_large_ends_the_connection(at: Visitors, door: Door) -> None:
    fits, larger = await at.connect(door), await at.connect(door)
    ping = '{"action": "ping"%s}'
    fits.send_text(ping % (" " * (MESSAGE_BYTES - len(ping) + 2)))
    assert (await fits.answer())["action"] == "pong"
    larger.send_text(ping % (" " * (MESSAGE_BYTES - len(ping) + 3)))
    assert await larger.error() == "too_large"
    assert await larger.closed() == (1009 if door == "ws" else None)


@doors
async def test_a_message_without_an_end_is_not_waited_for(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    part = b" " * 10_000
    if door == "ws":
        client.write(client.frame(Opcode.TEXT, part, fin=False))
    for _ in range(MESSAGE_BYTES // len(part) + 1):
        client.write(client.frame(Opcode.CONT, part, fin=False) if door == "ws" else part)
    assert await client.error() == "too_large"
    assert await client.closed() == (1009 if door == "ws" else None)


@doors
@pytest.mark.parametrize("end", ["reset", "shut_down", "close"])
async def test_half_a_message_and_then_the_end(at: Visitors, door: Door, end: str) -> None:
    anna, bob = await at.pair(door)
    table = await match(anna, bob)
    message = json.dumps({"action": "leave", "payload": {"table": table}})
    anna.write(anna.framed(message)[:-2])
    await anna.drain()
    if end == "close":
        await anna.close()
    else:
        getattr(anna, end)()
    # It has not left: it was cut off.
    await bob.notice("player_dropped", table=table)
    assert not bob.heard("player_left")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x02{}", 1002),  # Not masked.
        (b"\xc1\x80mask", 1002),  # An extension that nobody agreed on.
        (b"\x83\x80mask", 1002),  # An opcode that does not exist.
        (b"\x80\x80mask", 1002),  # A fragment without its beginning.
        (b"\x89\xfe\x00\x7emask" + b"x" * 126, 1002),  # A ping that is too long.
        (b"\x81\xff" + b"\xff" * 8 + b"mask", None),  # A length beyond all measure.
    ],
)
async def test_what_are_no_frames(at: Visitors, frame: bytes, code: int | None) -> None:
    client = await at.connect("ws")
    client.write(frame)
    assert await client.error() in ("bad_request", "too_large")
    closed = await client.closed()
    assert closed == code if code is not None else closed in (1002, 1009)


async def test_a_binary_message_is_refused_and_the_connection_stays(at: Visitors) -> None:
    client = await at.connect("ws")
    client.write(client.frame(Opcode.BINARY, b'{"action": "ping"}'))
    assert await client.error() == "bad_request"
    await client.still_answers()


async def test_http_at_the_door_of_lines(at: Visitors) -> None:
    client = await at.connect("tcp")
    client.write(b"GET / HTTP/1.1\r\nHost: hall\r\n\r\n")
    assert [await client.error() for _ in range(2)] == ["bad_request"] * 2
    await client.still_answers()
