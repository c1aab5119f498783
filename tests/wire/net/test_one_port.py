"""One port for everything: who is handed to whom, and who is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

import pytest
from aiohttp import web
from picows import picows

from gamehall.limits import Limits
from gamehall.wire.net.codec import LineCodec
from gamehall.wire.net.listening import PortTaken
from gamehall.wire.net.one_port import ANY_PATH, Http, picows_protocol, serve_web
from gamehall.wire.net.tcp import serve_tcp
from gamehall.wire.net.websocket import same_origin
from tests.support.waiting import WAIT_SECONDS
from tests.wire.net.doors import (
    HOST,
    TEXT,
    UPGRADE,
    ask,
    connect_tcp,
    connect_ws,
    open_doors,
    request,
    until,
    ws_frame,
)

BOTH_LOOPS = True


@asynccontextmanager
async def aiohttp_app() -> AsyncIterator[Http]:
    async def page(_: web.Request) -> web.Response:
        return web.Response(text="the page")

    async def double(asked: web.Request) -> web.Response:
        return web.Response(text=await asked.text() * 2)

    app = web.Application()
    app.router.add_get("/", page)
    app.router.add_post("/double", double)
    runner = web.AppRunner(app)
    await runner.setup()
    assert runner.server is not None
    http: Http = asyncio.get_running_loop().create_future()
    http.set_result(runner.server)
    yield http
    await runner.cleanup()


CLOSE = {"Host": "hall.example", "Connection": "close"}


async def test_pages_and_websockets_come_from_one_port() -> None:
    async with aiohttp_app() as http, open_doors(http=http) as doors:
        answer = await ask(doors.web_port, request("/", CLOSE))
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.endswith(b"the page")
        client = await connect_ws(doors.web_port)
        client.send(b"hello")
        assert await client.receive() == b"hello"


async def test_a_connection_serves_several_requests_and_bodies() -> None:
    async with aiohttp_app() as http, open_doors(http=http) as doors:
        body = {"Host": "hall.example", "Content-Length": "4"}
        post = request("/double", body, "POST")
        answer = await ask(doors.web_port, post + b"abcd" + post + b"efgh" + request("/", CLOSE))
        assert answer.count(b"HTTP/1.1 200 ") == 3
        assert b"abcdabcd" in answer
        assert b"efghefgh" in answer
        await until(lambda: len(doors.keeper.gate) == 0)


class Repeats(asyncio.Protocol):
    """Says again what it gets. Unlike aiohttp's it never lets a transport read on by itself."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)


async def test_who_comes_before_pages_are_loaded_waits_for_them() -> None:
    late: Http = asyncio.get_running_loop().create_future()
    made: list[Repeats] = []

    def make() -> Repeats:
        made.append(Repeats())
        return made[-1]

    async with open_doors(http=late) as doors:
        head = request("/", CLOSE)
        reader, writer = await asyncio.open_connection(HOST, doors.web_port)
        _, gone = await asyncio.open_connection(HOST, doors.web_port)
        writer.write(head + b"at once")
        gone.write(head)
        await until(lambda: len(doors.keeper.gate) == 2 and not doors.keeper.heads)
        client = await connect_ws(doors.web_port)
        client.send(b"hello")
        assert await client.receive() == b"hello"
        writer.write(b", and later")
        late.set_result(make)
        said = reader.readexactly(len(head + b"at once, and later"))
        assert await asyncio.wait_for(said, WAIT_SECONDS) == head + b"at once, and later"
        gone.close()
        writer.close()
        await until(lambda: len(doors.keeper.gate) == 1)
        assert len(made) == 2


async def test_who_waits_for_pages_that_are_never_loaded_is_hung_up_on() -> None:
    never: Http = asyncio.get_running_loop().create_future()
    async with open_doors(http=never) as doors:
        reader, writer = await asyncio.open_connection(HOST, doors.web_port)
        writer.write(request("/", CLOSE))
        await until(lambda: len(doors.keeper.gate) == 1 and not doors.keeper.heads)
        never.cancel()
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), WAIT_SECONDS) == b""
        await until(lambda: len(doors.keeper.gate) == 0)


async def test_methods_that_a_path_does_not_have_are_refused_by_aiohttp() -> None:
    async with aiohttp_app() as http, open_doors(http=http) as doors:
        answer = await ask(doors.web_port, request("/", CLOSE, "DELETE"))
        assert answer.startswith(b"HTTP/1.1 405 ")
        upgrade = {**UPGRADE, "Connection": "close, Upgrade"}
        assert (await ask(doors.web_port, request("/", upgrade, "POST"))).startswith(
            b"HTTP/1.1 405 "
        )


async def test_firefox_is_served() -> None:
    headers = {**UPGRADE, "Connection": "keep-alive, Upgrade"}
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port, request("/ws?lang=de", headers))
        client.send(b"hello")
        assert await client.receive() == b"hello"


async def test_frames_may_follow_the_head_at_once_and_the_head_may_be_cut_anywhere() -> None:
    data = request("/ws", {**UPGRADE, "Cookie": "c" * 5000}) + ws_frame(TEXT, b"early" * 1000)
    async with open_doors() as doors:
        client = await connect_ws(doors.web_port, data)
        assert await client.receive() == b"early" * 1000
        reader, writer = await asyncio.open_connection(HOST, doors.web_port)
        for byte in request("/ws"):
            writer.write(bytes((byte,)))
            await asyncio.sleep(0)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, b"101"),
        ("http://hall.example", b"101"),
        ("HTTPS://Hall.Example", b"101"),
        ("http://hall.example:80", b"101"),
        ("https://friend.example", b"101"),
        ("http://friend.example", b"403"),
        ("http://hall.example:8000", b"403"),
        ("http://evil.example", b"403"),
        ("http://hall.example.evil.example", b"403"),
        ("null", b"403"),
        ("", b"403"),
    ],
)
async def test_only_known_pages_may_connect(origin: str | None, status: bytes) -> None:
    headers = UPGRADE if origin is None else {**UPGRADE, "Origin": origin}
    async with open_doors(origins=same_origin(["https://friend.example"])) as doors:
        reader, writer = await asyncio.open_connection(HOST, doors.web_port)
        writer.write(request("/ws", headers))
        assert (await reader.readline()).startswith(b"HTTP/1.1 " + status)
        writer.close()
        await until(lambda: len(doors.keeper.gate) == 0)
        assert len(doors.echoes) == (status == b"101")


async def test_two_origins_are_foreign() -> None:
    head = request("/ws", {**UPGRADE, "Origin": "http://hall.example"})
    twice = head.replace(b"\r\n\r\n", b"\r\nOrigin: http://evil.example\r\n\r\n")
    async with open_doors(origins=same_origin()) as doors:
        assert (await ask(doors.web_port, twice)).startswith(b"HTTP/1.1 403 ")


HUGE_HEAD = request("/ws", {**UPGRADE, "Cookie": "c" * 16384})


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (HUGE_HEAD, b"431"),
        (HUGE_HEAD[:-4], b"431"),
        (b"\x16\x03\x01" + b"\xff" * 20_000, b"431"),
        (request("/nowhere"), b"404"),
        (request("/"), b"404"),
        (request("/page", CLOSE), b"426"),
        (request("/ws", {**UPGRADE, "Sec-WebSocket-Key": "short"}), b"400"),
        (request("/ws", {**UPGRADE, "Sec-WebSocket-Version": "1"}), b"400"),
        (request("/ws", {**UPGRADE, "Connection": "close"}), b"400"),
        (request("/ws", {**UPGRADE, "Content-Length": "5"}) + b"hello", b"400"),
        (b"GET /ws\r\nUpgrade: websocket\r\n\r\n", b"400"),
        (b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n: x\r\n\r\n", b"400"),
        (b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n: x\r\n\r\n" + b"\r\n" * 5000, b"400"),
    ],
)
async def test_other_requests_are_refused_and_closed(data: bytes, status: bytes) -> None:
    async with open_doors() as doors:
        assert (await ask(doors.web_port, data)).startswith(b"HTTP/1.1 " + status)
        await until(lambda: len(doors.keeper.gate) == 0)
        assert doors.echoes == []


async def test_a_stop_does_not_wait_for_strangers() -> None:
    async with open_doors(head_seconds=3600, close_seconds=3600) as doors:
        silent = await connect_tcp(doors.web_port)
        await until(lambda: len(doors.keeper.heads) == 1)
        await doors.keeper.close()
        assert (await silent.receive_rest()).startswith(b"HTTP/1.1 408 ")
        await until(lambda: len(doors.keeper.gate) == 0)


async def test_a_head_that_does_not_come_is_not_waited_for() -> None:
    async with open_doors(head_seconds=0.1) as doors:
        assert (await ask(doors.web_port, b"")).startswith(b"HTTP/1.1 408 ")
        assert (await ask(doors.web_port, b"GET / HT")).startswith(b"HTTP/1.1 408 ")
        await until(lambda: len(doors.keeper.gate) == 0)


async def test_half_open_connections_of_one_address_are_bounded() -> None:
    async with open_doors(Limits(connections_per_address=3)) as doors:
        _inside = [await asyncio.open_connection(HOST, doors.web_port) for _ in range(3)]
        await until(lambda: len(doors.keeper.gate) == 3)
        assert (await ask(doors.web_port, b"")).startswith(b"HTTP/1.1 503 ")


async def test_a_client_that_goes_before_its_head_is_complete_is_forgotten() -> None:
    async with open_doors() as doors:
        _, writer = await asyncio.open_connection(HOST, doors.web_port)
        writer.write(b"GET /")
        await until(lambda: len(doors.keeper.gate) == 1)
        writer.close()
        await until(lambda: len(doors.keeper.gate) == 0)
        assert len(doors.keeper.heads) == 0


async def test_a_door_with_its_own_port_takes_any_path() -> None:
    async with open_doors(paths=(ANY_PATH,)) as doors:
        client = await connect_ws(doors.web_port, request("/what/ever"))
        client.send(b"hello")
        assert await client.receive() == b"hello"


@pytest.mark.parametrize(
    ("trusted", "forwarded", "address"),
    [
        ((), "9.9.9.9", HOST),
        (("127.0.0.0/8",), None, HOST),
        (("127.0.0.0/8",), "9.9.9.9", "9.9.9.9"),
        (("127.0.0.0/8",), "1.1.1.1, 9.9.9.9", "9.9.9.9"),
        (("127.0.0.0/8", "10.0.0.0/8"), "9.9.9.9, 10.1.2.3", "9.9.9.9"),
        (("127.0.0.0/8",), "2001:db8::1", "2001:db8::1"),
        (("127.0.0.0/8",), "9.9.9.9, nonsense", HOST),
    ],
)
async def test_only_trusted_proxies_say_whom_they_speak_for(
    trusted: tuple[str, ...], forwarded: str | None, address: str
) -> None:
    headers = UPGRADE if forwarded is None else {**UPGRADE, "X-Forwarded-For": forwarded}
    async with open_doors(trusted_proxies=trusted) as doors:
        client = await connect_ws(doors.web_port, request("/ws", headers))
        echo = await doors.echo()
        assert echo.channel.address == address
        client.writer.close()
        await until(lambda: len(doors.keeper.gate) == 0)


async def test_behind_a_proxy_the_limit_counts_for_the_client() -> None:
    one = request("/ws", {**UPGRADE, "X-Forwarded-For": "9.9.9.1"})
    two = request("/ws", {**UPGRADE, "X-Forwarded-For": "9.9.9.2"})
    limits = Limits(connections_per_address=1)
    async with open_doors(limits, trusted_proxies=("127.0.0.1",)) as doors:
        _inside = await connect_ws(doors.web_port, one), await connect_ws(doors.web_port, two)
        assert (await ask(doors.web_port, one)).startswith(b"HTTP/1.1 503 ")


async def test_a_port_that_is_taken_is_named_and_a_closed_one_is_free_again() -> None:
    async with open_doors() as doors:
        with pytest.raises(PortTaken, match=f"door rfc .* port {doors.tcp_port} on {HOST}"):
            await serve_web(doors.keeper, "rfc", HOST, doors.tcp_port, {})
        with pytest.raises(PortTaken, match=f"door four .* port {doors.web_port} "):
            await serve_tcp(
                doors.keeper, "four", HOST, doors.web_port, doors.converse, lambda: LineCodec(0)
            )
        other = await serve_web(doors.keeper, "rfc", HOST, 0, {})
        await other.close()
        await (await serve_web(doors.keeper, "rfc", HOST, other.port, {})).close()


async def test_picows_is_still_the_one_that_the_front_was_written_for() -> None:
    """Its protocol class is not public. If this fails, read its source anew, then the front's."""
    with pytest.raises(TypeError, match=r"takes exactly 15 positional arguments \(0 given\)"):
        picows.WSProtocol()  # type: ignore[attr-defined]
    protocol = picows_protocol(lambda _: None, 1000)
    assert isinstance(protocol, asyncio.BufferedProtocol)
    assert {name for name in dir(type(protocol)) if not name.startswith("_")} == {
        "buffer_updated",
        "connection_lost",
        "connection_made",
        "eof_received",
        "get_buffer",
        "is_buffered_protocol",
        "listener",
        "pause_writing",
        "resume_writing",
        "transport",
        "wait_until_handshake_complete",
    }
