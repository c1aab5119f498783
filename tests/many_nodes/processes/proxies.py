"""A network between a node and a server that it needs, which a test cuts and heals.

Proxies run in a thread of their own, so that they pass bytes on while a test waits for a process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.support.waiting import WAIT_SECONDS

T = TypeVar("T")

PIECE_BYTES = 2**16


class Proxy:
    """Passes everything on to a port of this machine, until it is told otherwise."""

    def __init__(self, network: Network, target: int) -> None:
        self.port = 0
        self._network = network
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._refuses = False
        self._there, self._back = asyncio.Event(), asyncio.Event()
        """Whether bytes get to the server, and from it."""
        self._delay_seconds = 0.0
        self._heal()

    def refuse(self) -> None:
        """Ends every connection, and each new one at once."""
        self._network.do(self._refuse)

    def hang(self) -> None:
        """Takes new connections and bytes, and passes nothing on: as a network that lost its way.
        What was sent meanwhile arrives when it heals."""
        self._network.do(self._hang)

    def lose_requests(self) -> None:
        """As `hang`, in one direction: the server's answers still come."""
        self._network.do(self._there.clear)

    def lose_answers(self) -> None:
        """As `hang`, in one direction: the server hears everything, and its answers do not come."""
        self._network.do(self._back.clear)

    def slow(self, delay_seconds: float) -> None:
        """Passes each piece on so much later."""
        self._network.do(lambda: setattr(self, "_delay_seconds", delay_seconds))

    def heal(self) -> None:
        self._network.do(self._heal)

    def _refuse(self) -> None:
        self._refuses = True
        for writer in self._writers:
            writer.transport.abort()

    def _hang(self) -> None:
        self._there.clear()
        self._back.clear()

    def _heal(self) -> None:
        self._refuses = False
        self._there.set()
        self._back.set()
        self._delay_seconds = 0.0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self._refuse()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            await self._there.wait()
            if self._refuses:
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(far_writer)
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._pass_on(reader, far_writer, self._there))
                    both.create_task(self._pass_on(far_reader, writer, self._back))
            finally:
                self._writers.discard(far_writer)
        except OSError:
            return  # The server is away.
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event
    ) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE_BYTES):
                await asyncio.sleep(self._delay_seconds)
                await flows.wait()
                writer.write(piece)
                await writer.drain()
        writer.close()


class Network:
    """The thread that proxies live in. A context manager."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._proxies: list[Proxy] = []

    def proxy(self, target: int) -> Proxy:
        """A new one, open."""
        made = Proxy(self, target)
        self._run(made.open())
        self._proxies.append(made)
        return made

    def do(self, change: Callable[[], None]) -> None:
        """Returns when it is done, in the proxies' thread."""

        async def run() -> None:
            change()

        self._run(run())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WAIT_SECONDS)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for proxy in self._proxies:
            self.do(proxy.close)
        self._run(_all_ended())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_SECONDS)
        self._loop.close()


async def _all_ended() -> None:
    """Ends what proxies still do."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
