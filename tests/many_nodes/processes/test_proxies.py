"""The lines that tests cut do what is said of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.many_nodes.processes.proxies import Network, Proxy
from tests.support.waiting import WAIT_SECONDS


@pytest.fixture
async def echo() -> AsyncIterator[int]:
    """The port of a server that says everything back."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


class Caller:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def of(cls, proxy: Proxy) -> Caller:
        return cls(*await asyncio.open_connection("127.0.0.1", proxy.port))

    def say(self, line: bytes) -> None:
        self._writer.write(line)

    async def hear(self) -> bytes:
        """A line; nothing, when the connection has ended."""
        async with asyncio.timeout(WAIT_SECONDS):
            try:
                return await self._reader.readline()
            except ConnectionError:
                return b""


async def test_what_is_sent_arrives(echo: int) -> None:
    with Network() as network:
        caller = await Caller.of(network.proxy(echo))
        caller.say(b"hello\n")
        assert await caller.hear() == b"hello\n"


async def test_refused_until_it_heals(echo: int) -> None:
    with Network() as network:
        proxy = network.proxy(echo)
        caller = await Caller.of(proxy)
        caller.say(b"hello\n")
        assert await caller.hear() == b"hello\n"
        proxy.refuse()
        assert await caller.hear() == b""
        assert await (await Caller.of(proxy)).hear() == b""
        proxy.heal()
        caller = await Caller.of(proxy)
        caller.say(b"again\n")
        assert await caller.hear() == b"again\n"


async def test_what_hangs_arrives_when_it_heals(echo: int) -> None:
    with Network() as network:
        proxy = network.proxy(echo)
        before = await Caller.of(proxy)
        before.say(b"hello\n")
        assert await before.hear() == b"hello\n"
        proxy.hang()
        new = await Caller.of(proxy)
        waiting = []
        for caller in (before, new):
            caller.say(b"late\n")
            waiting.append(asyncio.create_task(caller.hear()))
        through = await Caller.of(network.proxy(echo))
        through.say(b"elsewhere\n")
        assert await through.hear() == b"elsewhere\n"
        assert not any(task.done() for task in waiting)
        proxy.heal()
        assert await asyncio.gather(*waiting) == [b"late\n", b"late\n"]


async def test_a_server_that_is_away(echo: int) -> None:
    with Network() as network:
        server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        assert await (await Caller.of(network.proxy(port))).hear() == b""
