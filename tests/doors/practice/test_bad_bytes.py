"""Bytes of every kind, too many of them, and many messages at once: answered in order or closed as
the specification says, and two others play on all the while."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from websockets.frames import Opcode

from tests.doors.practice.bystanders import undisturbed
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import match, move, play
from tests.doors.practice.shapes import (
    ACT,
    LOGGED_IN,
    LOGIN,
    LOGOUT,
    OVER,
    SEEK,
    START,
    TOLD,
    WAITING,
    WITHDRAW,
    WITHDRAWN,
)
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

MESSAGE_BYTES = 65_536
BURST = 200
logged_in = pytest.mark.parametrize("logged_in", [True, False], ids=["somebody", "nobody"])


@pytest.fixture(autouse=True)
async def bystanders(hall: HallProcess, at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(hall):
        yield


async def client_of(at: Visitors, logged_in: bool) -> Practice:
    return await (at.player() if logged_in else at.stranger())


# In order


async def test_messages_at_once_are_answered_in_order(at: Visitors) -> None:
    client = await at.stranger()
    texts = [
        {"code": SEEK, "info": {"game_id": "nim"}},
        {"code": LOGIN, "id": "", "info": {"name": "anna in order"}},
        {"code": SEEK, "info": {"game_id": "chess"}},
        {"code": SEEK, "info": {"game_id": "nim"}},
        {"code": 7},
        {"code": WITHDRAW},
        {"code": ACT, "info": {"room": 1, "action": "resign"}},
        {"code": SEEK, "info": {"game_id": "nim"}},
        "garbage",
        {"code": LOGOUT},
        {"code": WITHDRAW},
        {"code": LOGIN, "id": "", "info": {"name": "bob in order"}},
    ]
    frames = [
        client.frame(Opcode.TEXT, (t if isinstance(t, str) else json.dumps(t)).encode())
        for t in texts
    ]
    client.write(b"".join(frames))
    said = [await client.next() for _ in texts]
    codes = [
        message["info"]["code"] if message["code"] == TOLD else message["code"] for message in said
    ]
    assert codes == [
        "not_logged_in", LOGGED_IN, "no_such_game", WAITING, "unknown_action", WITHDRAWN,
        "no_such_table", WAITING, "bad_request", "logged_out", "not_logged_in", LOGGED_IN,
    ]  # fmt: skip


async def test_what_is_sent_behind_an_action_is_answered_after_it(at: Visitors) -> None:
    anna, bob = await at.pair()
    for _ in range(3):
        game = await match(anna, bob)
        move(game.first, 0, game.room, "0302")
        game.first.send(0)
        await game.first.room(500002)
        assert await game.first.error() == "unknown_action"
        await game.second.room(500002)
        resign = {"code": ACT, "info": {"room": game.room, "action": "resign"}}
        frames = [json.dumps(message).encode() for message in (resign, {"code": 0})]
        game.second.write(b"".join(game.second.frame(Opcode.TEXT, data) for data in frames))
        await game.second.take(OVER)
        assert await game.second.error() == "unknown_action"
        await game.first.take(OVER)


async def test_a_whole_game_at_once(at: Visitors) -> None:
    """One side plays by itself: the refusals are its own, and the moves are told in order."""
    game = await match(*await at.pair())
    for _ in range(10):
        for digits in ("0302", "0203"):
            move(game.first, 0, game.room, digits)
    codes = [(await game.first.next())["code"] for _ in range(20)]
    assert codes == [100006] + [TOLD] * 19
    for player in game.players:
        while player.left_over:
            await player.next()
        await player.quiet()


# Bytes


@logged_in
async def test_what_is_not_utf8(at: Visitors, logged_in: bool) -> None:
    for bad in (b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"):
        client = await client_of(at, logged_in)
        client.write(client.frame(Opcode.TEXT, b'{"code": 200004, "id": "' + bad + b'"}'))
        assert await client.error() == "bad_request"
        await client.end()
        assert client.close_code == 1007


@logged_in
async def test_binary_messages_are_refused_and_the_connection_stays(
    at: Visitors, logged_in: bool
) -> None:
    client = await client_of(at, logged_in)
    for data in (b'{"code": 200005}', b"", b"\xff\xfe\x00", bytes(range(256))):
        client.write(client.frame(Opcode.BINARY, data))
        assert await client.error() == "bad_request"
    await client.quiet()


async def test_blank_messages_are_ignored(at: Visitors) -> None:
    client = await at.player()
    for blank in ("", " ", "\t", "\r\n", "    " * 1000):
        client.say(blank)
    await client.quiet()


async def test_a_message_may_come_in_pieces(at: Visitors) -> None:
    client = await at.player()
    text = json.dumps({"code": WITHDRAW, "id": client.id}).encode()
    half = len(text) // 2
    client.write(client.frame(Opcode.TEXT, text[:half], fin=False))
    client.write(client.frame(Opcode.PING, b"in between"))
    client.write(client.frame(Opcode.CONT, text[half:]))
    await client.take(WITHDRAWN)
    for byte in client.frame(Opcode.TEXT, text):
        client.write(bytes((byte,)))
        await asyncio.sleep(0)
    await client.take(WITHDRAWN)


@logged_in
async def test_a_message_that_is_too_large_ends_the_connection(
    at: Visitors, logged_in: bool
) -> None:
    fits, larger = await client_of(at, logged_in), await client_of(at, logged_in)
    text = '{"code": 7%s}'
    fits.say(text % (" " * (MESSAGE_BYTES - len(text) + 2)))
    assert await fits.error() in ("not_logged_in", "unknown_action")
    larger.say(text % (" " * (MESSAGE_BYTES - len(text) + 3)))
    assert await larger.error() == "too_large"
    await larger.end()
    assert larger.close_code == 1009
    await fits.quiet()


NO_FRAMES = [
    b"\x81\x02{}",  # Not masked.
    b"\xc1\x80mask",  # An extension that nobody agreed on.
    b"\x83\x80mask",  # An opcode that does not exist.
    b"\x80\x80mask",  # A fragment without its beginning.
]


async def test_what_are_no_frames(at: Visitors) -> None:
    for frame in NO_FRAMES:
        client = await at.player()
        client.write(frame)
        assert await client.error() == "bad_request"
        await client.end()
        assert client.close_code == 1002


async def test_half_a_message_and_then_the_end(at: Visitors) -> None:
    for end in ("reset", "cut", "shut"):
        game = await match(*await at.pair())
        leaver = game.first
        text = json.dumps({"code": LOGOUT, "id": leaver.id}).encode()
        leaver.write(leaver.frame(Opcode.TEXT, text)[:-2])
        if end == "reset":
            await leaver.reset()
        else:
            getattr(leaver, end)()
        # It has not left: it was cut off, and comes back.
        again = await at.back(leaver)
        await again.take(START, room=game.room)
        await game.second.quiet()
        await play(game.with_(0, again), "0302")


# Too much


async def test_over_the_rate_is_refused_and_who_goes_on_is_closed(at: Visitors) -> None:
    hasty = await at.player()
    frame = hasty.frame(Opcode.TEXT, b'{"code": 200005}')
    hasty.write(frame * (BURST + 50))
    said = [await hasty.next() for _ in range(BURST + 50)]
    codes = [m["info"]["code"] if m["code"] == TOLD else m["code"] for m in said]
    # While the first are answered, the rate allows a few more. One was spent on the login.
    assert codes[: BURST - 1] == [WITHDRAWN] * (BURST - 1)
    assert set(codes[BURST - 1 :]) <= {"rate_limited", WITHDRAWN}
    assert "rate_limited" in codes
    async with asyncio.timeout(WAIT_SECONDS):
        while said[-1]["code"] == TOLD:
            await asyncio.sleep(0.05)
            hasty.write(frame)
            said.append(await hasty.next())
    hasty.write(frame * BURST * 4)
    await hasty.end()
    assert hasty.close_code == 1008
    assert hasty.messages[-1]["info"]["code"] == "rate_limited"
    again = await at.back(hasty)
    await again.quiet()


async def test_many_logins_and_logouts(at: Visitors) -> None:
    client = await at.stranger()
    for _ in range(30):
        client.log_in()
        client.send(LOGOUT)
    for _ in range(30):
        await client.take(LOGGED_IN)
        assert await client.error() == "logged_out"
    await client.quiet()
