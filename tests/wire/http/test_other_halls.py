"""Other halls over HTTP: a real one, and all sorts of things that are none."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.errors import BadRequest, HallUnreachable, NoSuchTournament
from gamehall.wire.http.other_halls import ANSWER_BYTES_MAX, WebHalls, web_address
from tests.hall.halls import until
from tests.wire.http.test_api import GAMES_BY_NAME
from tests.wire.http.web_hall import WebHall

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

OPENED: dict[str, Any] = {
    "tournament": 1,
    "names": {"0": "Ann"},
    "tables": {},
    "view": {
        "title": "Cup",
        "format": "derby",
        "game": "connect-four",
        "status": "open",
        "starts_at_ms": 0,
        "ends_at_ms": 0,
        "rated": True,
        "winners": [],
        "entrants": [{"seat": 0, "club": "", "withdrawn": False}],
        "standings": [],
        "games": [],
        "games_count": 0,
        "byes": [],
        "bracket": {},
        "groups": [],
    },
}


@asynccontextmanager
async def stranger(answer: Answer) -> AsyncIterator[str]:
    """The address of a server that reads the head of a request, and answers so."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # The client has heard enough.
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def says(body: bytes, head: bytes = b"200 OK", *headers: bytes) -> Answer:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [b"HTTP/1.1 " + head, b"Content-Length: %d" % len(body), *headers]
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        await writer.drain()

    return answer


def changed(place: str, value: object) -> bytes:
    """The answer of a hall, except for one thing in it."""
    answer: Any = msgspec.json.decode(msgspec.json.encode(OPENED))
    at = answer
    *path, last = place.split(".")
    for key in path:
        at = at[key]
    at[last] = value
    # Not by msgspec, which knows no number that large.
    return json.dumps(answer).encode()


async def ask(url: str, id: int = 1, answer_seconds: float = 10) -> Any:
    return await WebHalls(answer_seconds).tournament(url, id)


async def test_a_hall(tmp_path: Path) -> None:
    hall = WebHall(tmp_path, GAMES_BY_NAME)
    await hall.start()
    try:
        tournaments = hall.house.hall.tournaments
        id = await tournaments.open({"game": "connect-four", "format": "derby"})
        await tournaments.enter_bots(id, ["random"] * 6, "north")
        assert await ask(hall.url(""), id) == await tournaments.shown(id)
        await tournaments.begin(id, None)
        table = await hall.house.hall.rooms.tables.load(id)
        await until(lambda: table.state is not None and table.state.over)
        assert await ask(hall.url(""), id) == await tournaments.shown(id)
        with pytest.raises(NoSuchTournament, match="has no tournament 77"):
            await ask(hall.url(""), 77)
    finally:
        await hall.stop()
    with pytest.raises(HallUnreachable, match="cannot be reached"):
        await ask(hall.url(""), id)


async def test_what_a_hall_may_say() -> None:
    async with stranger(says(msgspec.json.encode(OPENED))) as url:
        assert (await ask(url)).names == {0: "Ann"}
    async with stranger(says(changed("view.season", {"of": "a newer hall"}))) as url:
        assert (await ask(url)).view.title == "Cup"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"more":' * 50_000,
        msgspec.json.encode(OPENED)[:-1],
        changed("tournament", 2),
        changed("tournament", "1"),
        changed("view", None),
        changed("view.status", "done"),
        changed("view.title", "x" * 257),
        changed("view.games_count", 10**30),
        changed("view.starts_at_ms", 2**53),
        changed("view.ends_at_ms", -(2**53)),
        changed("view.winners", list(range(5000))),
        changed("view.winners", [1.5]),
        changed("view.bracket", {"x" * 300: []}),
        changed("names", {"0": "x" * 300}),
        changed("names", {"9" * 30: "Ann"}),
        changed("names", {"Ann": "0"}),
        changed("names", {str(n): "Ann" for n in range(5000)}),
        changed("names", {"0": "\ud800"}),
    ],
    ids=lambda body: repr(body[:20]),
)
async def test_a_bad_answer(body: bytes) -> None:
    async with stranger(says(body)) as url:
        with pytest.raises(HallUnreachable, match="does not answer as a hall does"):
            await ask(url)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (b"500 Oops", b""),
        (b"404 Not Found", b"<html>"),
        (b"404 Not Found", b'{"error":{"code":"no_such_path","message":"x"}}'),
        (b"204 No Content", b""),
        (b"401 Unauthorized", b"[" * 100_000),
    ],
)
async def test_another_status(head: bytes, body: bytes) -> None:
    async with stranger(says(body, head)) as url:
        with pytest.raises(HallUnreachable, match=f"answers {head[:3].decode()}"):
            await ask(url)


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"307 Temporary", b"308 Permanent"])
async def test_it_is_not_sent_elsewhere(status: bytes) -> None:
    asked: list[None] = []

    async def elsewhere(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(None)
        await says(msgspec.json.encode(OPENED))(reader, writer)

    async with stranger(elsewhere) as other:
        location = b"Location: " + other.encode() + b"/api/tournaments/1"
        async with stranger(says(b"", status, location)) as url:
            with pytest.raises(HallUnreachable, match="answers 30"):
                await ask(url)
    assert asked == []


async def test_an_answer_without_end() -> None:
    sent = 0

    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
            sent += 0x10000
            await writer.drain()

    async with stranger(endless) as url:
        with pytest.raises(HallUnreachable, match="more than 1000000 bytes"):
            await ask(url)
    # What lies in the sockets' buffers was sent as well.
    assert sent < 100 * ANSWER_BYTES_MAX


async def test_a_little_that_unpacks_to_much() -> None:
    packed = gzip.compress(msgspec.json.encode(OPENED) + b" " * 100_000_000)
    assert len(packed) < ANSWER_BYTES_MAX
    async with stranger(says(packed, b"200 OK", b"Content-Encoding: gzip")) as url:
        with pytest.raises(HallUnreachable, match="does not answer as a hall does"):
            await ask(url)


async def never(*_: object) -> None:
    await asyncio.Event().wait()


async def drop_by_drop(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("answer", [never, drop_by_drop])
async def test_one_who_takes_too_long(answer: Answer) -> None:
    async with stranger(answer) as url:
        with pytest.raises(HallUnreachable, match="does not answer in time"):
            await ask(url, answer_seconds=0.2)


@pytest.mark.parametrize(
    "bytes_sent", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r"]
)
async def test_no_http_at_all(bytes_sent: bytes) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes_sent)

    async with stranger(answer) as url:
        with pytest.raises(HallUnreachable, match="cannot be reached"):
            await ask(url)


async def test_an_answer_cut_short() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{}")

    async with stranger(answer) as url:
        with pytest.raises(HallUnreachable, match="cannot be reached"):
            await ask(url)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://north:8000", "http://north:8000"),
        ("HTTP://North.Example.org:8000/", "http://north.example.org:8000"),
        ("https://hall_1", "https://hall_1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://192.0.2.1", "http://192.0.2.1"),
    ],
)
def test_an_address(url: str, kept: str) -> None:
    assert web_address(url) == kept


@pytest.mark.parametrize(
    "url",
    [
        "", "north", "north:8000", "ws://north:8000/ws", "file:///etc/passwd", "http://",
        "http://north:0", "http://north:70000", "http://north:8000/hall", "http://north?x=1",
        "http://north#x", "http://me:secret@north", "http://north\n", "http://no rth",
        "http://[north]", "http://nörth", "http://north\\@south", " http://north",
    ],
)  # fmt: skip
def test_no_address(url: str) -> None:
    with pytest.raises(BadRequest, match="web address"):
        web_address(url)
