"""Work that keeps a core busy for a while, done for clients in threads: a few at once, fairly.

Addresses take turns, however many of their clients wait. When too many wait, the address with the
most of them has its last one refused. So a flood is refused where it comes from, and others
hardly wait. Nothing is done for a client whose connection is closed. One that has hung up but is
owed answers (it may have shut down only its own side) comes after all others, and is refused first.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from gamehall.errors import Unavailable
from gamehall.hall.people.link import Link

T = TypeVar("T")

TOO_MANY = "Too many ask for this at once. Try again in a moment."

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def spare_cores() -> int:
    """The cores that this process may use, but for the one of the event loop: at least one."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system has that.
        cores = os.cpu_count() or 1
    return max(1, min([cores, *_quotas()]) - 1)


def _quotas() -> Iterator[int]:
    """How many cores' time each control group (version 2) around this process has, rounded up: so
    containers are limited, and the system still shows them all of the machine's cores."""
    try:
        lines = OWN_CGROUP.read_text().splitlines()
    except OSError:  # Not every system has control groups.
        return
    for line in lines:
        if line.startswith("0::"):
            own = CGROUPS / line.removeprefix("0::").lstrip("/")
            for group in (own, *own.parents):
                yield from _quota(group / "cpu.max")


def _quota(path: Path) -> Iterator[int]:
    try:
        quota, period = path.read_text().split()
    except OSError:  # The outermost group has no limit, nor has one without this controller.
        return
    if quota != "max":
        yield -(-int(quota) // int(period))


class _Waiting:
    __slots__ = ("link", "turn")

    def __init__(self, link: Link) -> None:
        self.link = link
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FairThreads:
    def __init__(self, at_once: int, waiting_max: int) -> None:
        self._free = at_once
        # Their own: one who is cancelled leaves a thread at work, which counts until it is done.
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="fair")
        self._waiting_max = waiting_max
        self._queues: dict[str, list[_Waiting]] = {}
        """Those who wait, by address. The address whose turn is next comes first."""

    async def run(self, link: Link, work: Callable[[], T]) -> T:
        """What the work returns, done in a thread for the client of this link.

        Raises:
            Unavailable: too many wait, or the client is gone.
        """
        await self._turn(link)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._give_back()

    def close(self) -> None:
        """Ends the threads, each after the work it is at. Nobody may ask for more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, link: Link) -> None:
        """Returns when one of the threads is this client's."""
        waiting = _Waiting(link)
        self._queues.setdefault(link.address, []).append(waiting)
        self._give_out()
        self._make_room()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.cancelled():
                self._remove(waiting)
            elif waiting.turn.exception() is None:
                self._give_back()
            raise

    def _give_back(self) -> None:
        self._free += 1
        self._give_out()

    def _give_out(self) -> None:
        """Gives free threads to those whose turn it is."""
        self._dismiss_closed()
        while self._free and self._queues:
            everyone = [waiting for queue in self._queues.values() for waiting in queue]
            first = next((one for one in everyone if not one.link.gone), everyone[0])
            address = first.link.address
            self._remove(first)
            if address in self._queues:
                # Others come before its next one.
                self._queues[address] = self._queues.pop(address)
            self._free -= 1
            first.turn.set_result(None)

    def _make_room(self) -> None:
        while sum(map(len, self._queues.values())) > self._waiting_max:
            queues = list(self._queues.values())
            gone = [waiting for queue in queues for waiting in queue if waiting.link.gone]
            # Of addresses with equally many, the one that came last.
            most = max(reversed(queues), key=len)
            self._refuse((gone or most)[-1])

    def _dismiss_closed(self) -> None:
        for queue in list(self._queues.values()):
            for waiting in list(queue):
                if waiting.turn.cancelled():
                    self._remove(waiting)
                elif waiting.link.closed:
                    self._refuse(waiting)

    def _refuse(self, waiting: _Waiting) -> None:
        self._remove(waiting)
        waiting.turn.set_exception(Unavailable(TOO_MANY))

    def _remove(self, waiting: _Waiting) -> None:
        queue = self._queues.get(waiting.link.address, [])
        if waiting in queue:
            queue.remove(waiting)
        if not queue:
            self._queues.pop(waiting.link.address, None)
