"""`gamehall serve --workers`: several processes behind the same ports, and one that keeps them.

The parent reserves the ports and serves nobody. Each worker is a node of its own, started with the
parent's command line and one end of a pair of sockets: there it reads the ports, says that it is
ready, and learns that it is to stop, since the other end closes, also if the parent is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import TypeVar

import msgspec
import structlog

from gamehall.config import SettingError, Settings
from gamehall.wire.net.listening import reserve

T = TypeVar("T")
log = structlog.get_logger(__name__)

WORKERS_MAX = 256
PAUSE_SECONDS_MIN, PAUSE_SECONDS_MAX = 0.1, 5.0
STEADY_SECONDS = 30.0
"""A worker that has lived for so long is started again after the shortest pause."""
STOP_SECONDS = 12.0
"""How long workers have to stop; the whole hall has 15."""
READY = b"ready\n"


def check_workers(workers: int, settings: Settings, *, reload: bool) -> None:
    """Raises SettingError if no hall can run in so many processes."""
    if not 1 <= workers <= WORKERS_MAX:
        raise SettingError(f"--workers takes a number from 1 to {WORKERS_MAX}.")
    if workers == 1:
        return
    if reload:
        raise SettingError("--reload is for a hall of one process: leave out --workers.")
    if not hasattr(socket, "SO_REUSEPORT"):
        raise SettingError("On this system processes cannot share a port: leave out --workers.")
    needed = []
    if not settings.store.url.startswith("postgresql:"):
        needed.append("`store.url` to postgresql://USER@HOST/DATABASE")
    if settings.bus.url == "local:":
        needed.append("`bus.url` to redis://HOST:PORT")
    if needed:
        raise SettingError(f"Workers share a database and a bus: set {' and '.join(needed)}.")


class Parent:
    """What a worker knows of the process that has started it."""

    def __init__(self) -> None:
        """Raises OSError where there is none."""
        self._line = socket.socket(fileno=os.dup(0))
        # Nobody else is to read it, or to hold it open.
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        with self._line.makefile("rb") as file:
            ports = msgspec.json.decode(file.readline(), type=dict[str, int])
        self.ports: Mapping[str, int] = ports
        """Of each door, by its name."""

    def say_ready(self) -> None:
        # If the parent is gone, `watch` says so.
        with suppress(OSError):
            self._line.sendall(READY)

    def watch(self, stop: Callable[[], None]) -> None:
        """Has `stop` called once the parent wants it, or is gone."""
        loop = asyncio.get_running_loop()

        def closed() -> None:
            loop.remove_reader(self._line)
            stop()

        loop.add_reader(self._line, closed)


class Worker:
    """One of the processes, and those that come after it."""

    def __init__(self, number: int, ports: Mapping[str, int]) -> None:
        self.serves = asyncio.Event()
        self._number = number
        self._order = msgspec.json.encode(ports) + b"\n"
        self._process: Process | None = None
        self._line: asyncio.StreamWriter | None = None
        self._started_at = 0.0
        self._renewed = False

    async def start(self) -> bool:
        """Whether it serves; it has ended otherwise, or never begun."""
        self._started_at = monotonic()
        if self._line is not None:
            self._line.close()
        ours, theirs = socket.socketpair()
        with theirs:
            reader, self._line = await asyncio.open_connection(sock=ours)
            self._line.write(self._order)
            try:
                self._process = await asyncio.create_subprocess_exec(
                    # As this process was started, whichever way that was.
                    *(sys.executable, *sys.orig_argv[1:], f"--worker={self._number}"),
                    stdin=theirs.fileno(),
                    # Ctrl-C at a terminal is for the parent alone.
                    start_new_session=True,
                )
            except OSError as error:
                # Out of memory or processes; that may pass.
                log.error("worker_not_started", worker=self._number, reason=str(error))
                return False
        # Nothing comes if it ends.
        with suppress(OSError):
            if await reader.readline() == READY:
                self.serves.set()
        return self.serves.is_set()

    async def keep(self) -> None:
        """Starts it again whenever it ends, after pauses that grow."""
        pause_seconds = PAUSE_SECONDS_MIN
        while True:
            assert self._process is not None, "it is started before it is kept"
            code = await self._process.wait()
            self.serves.clear()
            if self._renewed:
                self._renewed = False
            else:
                log.error("worker_ended", worker=self._number, code=code)
                if monotonic() - self._started_at > STEADY_SECONDS:
                    pause_seconds = PAUSE_SECONDS_MIN
                await asyncio.sleep(pause_seconds)
                pause_seconds = min(2 * pause_seconds, PAUSE_SECONDS_MAX)
            if await self.start():
                log.info("worker_started", worker=self._number)

    async def renew(self) -> None:
        """Has another process in its place, once that serves. `keep` starts it."""
        await self.serves.wait()
        self._renewed = True
        await self.stop()
        await self.serves.wait()

    async def stop(self) -> None:
        """Returns when it has ended; if it takes too long it is killed."""
        process = self._process
        if self._line is not None:
            self._line.close()
        if process is None:
            return
        self.serves.clear()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            log.error("worker_killed", worker=self._number)
            # All that was acknowledged is in the store.
            process.kill()
            await process.wait()


async def run_workers(
    host: str,
    doors: Mapping[str, int],
    number: int,
    stopping: asyncio.Event,
    say_open: Callable[[Sequence[tuple[str, str]]], None],
) -> int:
    """The exit code, once `stopping` is set or a worker could not start at the beginning.

    Raises:
        PortTaken: someone else listens at one of the ports.
    """
    reserved = [await reserve(name, host, port) for name, port in doors.items()]
    ports = {door.name: door.port for door in reserved}
    workers = [Worker(place, ports) for place in range(1, number + 1)]
    restarting = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, restarting.set)

    async def run() -> int:
        """Returns the exit code if they do not start."""
        # The first by itself: it makes what a new hall needs, and says once why it cannot start.
        for group in (workers[:1], workers[1:]):
            if not all(await asyncio.gather(*(worker.start() for worker in group))):
                return 1  # The worker has said why.
        say_open([(door.name, f"{door.host}:{door.port}") for door in reserved])
        await asyncio.gather(*(worker.keep() for worker in workers), _restart(workers, restarting))
        return 0  # Never: each is kept until this is cancelled.

    try:
        return await unless(stopping, run()) or 0
    finally:
        await asyncio.gather(*(worker.stop() for worker in workers))
        for door in reserved:
            await door.close()


async def unless(stopping: asyncio.Event, work: Awaitable[T]) -> T | None:
    """What the work gives; None if `stopping` is set first: then it is cancelled."""
    working, stopped = asyncio.ensure_future(work), asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait((working, stopped), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, stopped):
            task.cancel()
        await asyncio.gather(working, stopped, return_exceptions=True)


async def _restart(workers: Sequence[Worker], asked: asyncio.Event) -> None:
    """Whenever it is asked for, one after the other, while the others serve."""
    while True:
        await asked.wait()
        asked.clear()
        for worker in workers:
            await worker.renew()
        log.info("workers_restarted")
