"""The WebSocket shell over real sockets; the well-behaved client is the `websockets` package."""

from __future__ import annotations

import asyncio

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from gamehall.limits import Limits
from gamehall.wire.net.websocket import WebSocketChannel
from tests.wire.net.doors import (
    BINARY,
    CLOSE,
    CONTINUATION,
    HOST,
    PING,
    PONG,
    TEXT,
    connect_ws,
    open_doors,
    until,
    ws_frame,
)

BOTH_LOOPS = True
SMALL = Limits(message_bytes=1000)


@pytest.mark.parametrize("length", [1, 125, 126, 127, 65535, 65536, 100_000])
async def test_messages_of_every_form_of_length_come_back(length: int) -> None:
    async with (
        open_doors(Limits(message_bytes=200_000)) as doors,
        connect(f"ws://{HOST}:{doors.web_port}/ws", compression=None) as client,
    ):
        await client.send("é" + "x" * (length - 1))
        assert await client.recv() == "é" + "x" * (length - 1)


async def test_a_client_that_offers_compression_is_served_without() -> None:
    async with (
        open_doors() as doors,
        connect(f"ws://{HOST}:{doors.web_port}/ws", compression="deflate") as client,
    ):
        await client.send("hello")
        assert await client.recv() == "hello"


async def test_the_client_closes_and_the_conversation_is_lost_once() -> None:
    async with open_doors() as doors:
        async with connect(f"ws://{HOST}:{doors.web_port}/ws") as client:
            await client.send("hello")
            assert await client.recv() == "hello"
        assert client.close_code == 1000
        echo = await doors.echo()
        await until(lambda: echo.events)
        assert echo.events == ["lost"]
        assert len(doors.keeper.gate) == 0


async def test_the_server_closes_after_what_it_said_last() -> None:
    async with (
        open_doors() as doors,
        connect(f"ws://{HOST}:{doors.web_port}/ws") as client,
    ):
        echo = await doors.echo()
        echo.say(b"last")
        echo.channel.close(1001, "ü" * 100)
        assert not echo.say(b"too late")
        assert await client.recv() == "last"
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
        # What fits into a close frame, and no half character.
        assert closed.value.rcvd.reason == "ü" * 61
        await until(lambda: echo.events == ["lost"])


async def test_fragments_are_joined_and_pings_between_them_answered() -> None:
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port)
        client.writer.write(ws_frame(TEXT, b"one \xc3", fin=False))
        client.writer.write(ws_frame(PING, b"there?"))
        client.writer.write(ws_frame(CONTINUATION, b"\xa9", fin=False))
        client.writer.write(ws_frame(CONTINUATION, b" two"))
        assert await client.receive_frame() == (PONG, b"there?")
        assert await client.receive() == "one é two".encode()


async def test_a_frame_may_come_byte_by_byte() -> None:
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port)
        for byte in ws_frame(TEXT, b"x" * 200):
            client.writer.write(bytes((byte,)))
            await asyncio.sleep(0)
        assert await client.receive() == b"x" * 200


@pytest.mark.parametrize("length", [1, 125, 126, 127, 65535, 65536, 100_000])
async def test_a_door_may_take_binary_messages_in_place_of_text(length: int) -> None:
    async with (
        open_doors(Limits(message_bytes=200_000), binary=True) as doors,
        connect(f"ws://{HOST}:{doors.web_port}/ws", compression=None) as client,
    ):
        await client.send(b"\xff" * length)
        echo = await doors.echo()
        await until(lambda: echo.messages)
        assert echo.messages == [b"\xff" * length]
        echo.channel.send(echo.channel.packet(b"\xfe" * length))
        # As text, that is how the echo comes, it would not be valid.
        assert await client.recv(decode=False) == b"\xff" * length
        assert await client.recv() == b"\xfe" * length
        await client.send("text")
        assert await client.recv() == "error bad_request"
        await client.send(b"on")
        await until(lambda: echo.messages[1:] == [b"on"])


async def test_binary_and_blank_messages_do_not_end_the_connection() -> None:
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port)
        client.writer.write(ws_frame(BINARY, b"\xff"))
        client.send(b"", b"  ", b"text")
        assert await client.receive() == b"error bad_request"
        assert await client.receive() == b"text"


HUGE = b"\x81\xff" + (2**40).to_bytes(8, "big") + b"mask"


@pytest.mark.parametrize(
    ("broken", "code", "close_code"),
    [
        (ws_frame(TEXT, b"\xff"), "bad_request", 1007),
        (ws_frame(TEXT, b"x" * 1001), "too_large", 1009),
        (HUGE, "too_large", 1009),
        (HUGE + b"x" * 100_000, "too_large", 1009),
        (
            ws_frame(TEXT, b"x" * 600, fin=False) + ws_frame(CONTINUATION, b"x" * 401),
            "too_large",
            1009,
        ),
        (ws_frame(CONTINUATION, b"x"), "bad_request", 1002),
        (ws_frame(TEXT, b"x", reserved=4), "bad_request", 1002),
        (ws_frame(3, b"x"), "bad_request", 1002),
        (ws_frame(PING, b"x" * 126), "bad_request", 1002),
        (b"\x81\x01x", "bad_request", 1002),  # not masked
    ],
    ids=[
        "not UTF-8",
        "too large",
        "a terabyte announced",
        "a terabyte begun",
        "too large in sum",
        "fragment of nothing",
        "reserved bit",
        "unknown opcode",
        "long ping",
        "not masked",
    ],
)
@pytest.mark.parametrize("together", [True, False])
async def test_broken_framing_is_answered_after_what_came_before_and_closed(
    broken: bytes, code: str, close_code: int, together: bool
) -> None:
    async with open_doors(SMALL) as doors:
        client = await connect_ws(doors.web_port)
        before = ws_frame(TEXT, b"before")
        if together:
            client.writer.write(before + broken + ws_frame(TEXT, b"after"))
            assert await client.receive() == b"before"
        else:
            client.writer.write(before)
            assert await client.receive() == b"before"
            client.writer.write(broken + ws_frame(TEXT, b"after"))
        assert await client.receive() == b"error " + code.encode()
        assert await client.receive_close() == close_code
        client.writer.close()
        echo = await doors.echo()
        await until(lambda: "lost" in echo.events)
        assert echo.events == [code, "lost"]
        assert echo.messages == [b"before"]
        assert len(doors.keeper.gate) == 0


async def test_the_other_connections_do_not_notice_a_broken_one() -> None:
    async with open_doors() as doors:
        good = await connect_ws(doors.web_port)
        bad = await connect_ws(doors.web_port)
        bad.writer.write(b"\xff" * 1000)
        assert await bad.receive() == b"error bad_request"
        good.send(b"still here")
        assert await good.receive() == b"still here"


async def test_a_pong_waits_its_turn_behind_answers_of_the_same_read() -> None:
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port)
        client.writer.write(
            ws_frame(TEXT, b"first") + ws_frame(PING, b"") + ws_frame(TEXT, b"second")
        )
        got = [await client.receive_frame() for _ in range(3)]
        assert got == [(TEXT, b"first"), (PONG, b""), (TEXT, b"second")]


async def test_a_close_comes_behind_answers_of_the_same_read() -> None:
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port)
        client.writer.write(ws_frame(TEXT, b"first") + ws_frame(CLOSE, b"\x03\xe8"))
        assert await client.receive() == b"first"
        assert await client.receive_close() == 1000


async def test_a_silent_peer_is_pinged_then_dropped() -> None:
    async with open_doors(Limits(idle_seconds=0.4)) as doors:
        client = await connect_ws(doors.web_port)
        assert await client.receive_frame() == (PING, b"")
        await client.receive_end()
        echo = await doors.echo()
        await until(lambda: echo.events == ["lost"])


async def test_pongs_keep_a_silent_peer_alive() -> None:
    async with open_doors(Limits(idle_seconds=2)) as doors:
        client = await connect_ws(doors.web_port)
        for _ in range(4):
            assert await client.receive_frame() == (PING, b"")
            client.writer.write(ws_frame(PONG, b""))
        client.send(b"alive")
        assert await client.receive() == b"alive"


async def test_pings_count_as_messages() -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=3)
    async with open_doors(limits) as doors:
        client = await connect_ws(doors.web_port)
        client.writer.write(ws_frame(PING, b"") * 8)
        got = [await client.receive_frame() for _ in range(7)]
        assert got == [(PONG, b"")] * 3 + [(TEXT, b"error rate_limited")] * 4
        assert await client.receive_close() == 1008


def test_a_frame_is_the_same_for_every_channel() -> None:
    assert WebSocketChannel.frame(b"x") == b"\x81\x01x"
