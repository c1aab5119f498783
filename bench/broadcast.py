"""One `round_state` to 5,000 subscribers: until the last has it, beside a bare picows broadcast.

    python bench/broadcast.py --connections 5000

The hall plays Sic Bo with nobody betting, and its BETTING_CLOSE is what is timed: it is told alone.
Right after it, each time, the bare server sends the same bytes in a loop over as many connections.
The servers have one core, this client the other. The time begins, for the hall, when the commit of
what it tells has returned, and for the bare server when its loop begins; it ends when the last
connection has the message. The time between the first and the last receipt is shown beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from broadcast_servers import STAMP
from servers import UNLIMITED, Started, pin, started

SETTINGS = ("sicbo.betting_seconds=1", "sicbo.reveal_seconds=0.7", "sicbo.pause_seconds=0.7")
PROGRAM = str(Path(__file__).with_name("broadcast_servers.py"))
WAIT_SECONDS = 60.0
FILES_MORE = 200
"""Open files beside the connections."""
STAMPS_MAX = 1000
"""Stamps that are looked at; far fewer are written during one broadcast."""
WARM_TIMES = 2
"""Broadcasts that do not count."""


class Times(NamedTuple):
    """Milliseconds of one broadcast."""

    whole: float
    spread: float
    """From the first receipt to the last."""


class Crowd:
    """Counts who has got the message that is timed."""

    def __init__(self, size: int, stamps: Path) -> None:
        self.size = size
        self.message = b""
        self.times: list[Times] = []
        self.complete = False
        """Everyone is there; from the next round on it counts."""
        self.counts = False
        self._stamps = stamps
        self._came = 0
        self._first_ns = 0
        self._all = asyncio.Event()

    def take(self, data: bytes) -> None:
        if b'"BETTING_CLOSE"' in data:
            if self.counts:
                self._count(data)
        elif self.complete and b'"BETTING_OPEN"' in data:
            self.counts = True

    def _count(self, data: bytes) -> None:
        if self._came == 0:
            self._first_ns = time.monotonic_ns()
            self.message = data
        self._came += 1
        if self._came == self.size:
            self._finish(time.monotonic_ns())

    def _finish(self, last_ns: int) -> None:
        content = self._stamps.read_bytes()
        stamps = [at for (at,) in STAMP.iter_unpack(content[-STAMPS_MAX * STAMP.size :])]
        began_ns = max(at for at in stamps if at <= self._first_ns)
        self.times.append(Times((last_ns - began_ns) / 1e6, (last_ns - self._first_ns) / 1e6))
        self._came = 0
        self._all.set()

    async def has_it(self) -> None:
        """Returns when the next broadcast has come to all."""
        async with asyncio.timeout(WAIT_SECONDS):
            await self._all.wait()
        self._all.clear()

    async def connect(self, url: str, say: bytes | None = None) -> WSTransport:
        """Everyone's connections, of which one is returned."""
        for _ in range(self.size):
            transport, _ = await ws_connect(lambda: Subscriber(self, say), url)
        return transport


class Subscriber(WSListener):
    def __init__(self, crowd: Crowd, say: bytes | None) -> None:
        self._take = crowd.take
        self._say = say

    def on_ws_connected(self, transport: WSTransport) -> None:
        if self._say is not None:
            transport.send(WSMsgType.TEXT, self._say)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self._take(frame.get_payload_as_bytes())


@contextmanager
def both_servers(folder: Path) -> Iterator[tuple[Started, Started]]:
    """The hall and the bare one, which share a core: each is idle while the other is timed."""
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*SETTINGS, *limits)]
    serve = ["serve", f"--data={folder / 'data'}", "--port=0", "--doors=none", *sets]
    with (
        started([PROGRAM, "hall", str(folder / "hall"), *serve]) as hall,
        started([PROGRAM, "bare", str(folder / "bare")]) as bare,
    ):
        yield hall, bare


def url(server: Started, path: str) -> str:
    host, port = server.doors["native"]
    return f"ws://{host}:{port}{path}"


async def take_turns(folder: Path, connections: int, times: int) -> tuple[Crowd, Crowd]:
    """The crowds of the hall and of the bare server, with the times of each."""
    ours, theirs = Crowd(connections, folder / "hall"), Crowd(connections, folder / "bare")
    with both_servers(folder) as (hall, bare):
        await ours.connect(url(hall, "/rfc"), b'{"action":"subscribe_rounds"}')
        one = await theirs.connect(url(bare, "/"))
        theirs.counts = ours.complete = True
        for _ in range(WARM_TIMES + times):
            await ours.has_it()
            # The next that the hall tells is the dice, after reveal_seconds.
            one.send(WSMsgType.TEXT, ours.message)
            await theirs.has_it()
    for crowd in (ours, theirs):
        del crowd.times[:WARM_TIMES]
    return ours, theirs


def median(times: list[Times]) -> Times:
    whole, spread = zip(*times, strict=True)
    return Times(statistics.median(whole), statistics.median(spread))


def allow_many_files(number: int) -> None:
    """For this process and the servers that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, hard), hard))
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < number:
        raise SystemExit(f"Raise the limit of open files: ulimit -n {number}")


def measure(connections: int, times: int) -> float:
    """Prints what one run has shown; bare ÷ hall."""
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = uvloop.run(take_turns(Path(folder), connections, times))
    pairs = zip(ours.times, theirs.times, strict=True)
    ratio = statistics.median(bare.whole / hall.whole for hall, bare in pairs)
    hall, bare = median(ours.times), median(theirs.times)
    print(
        f"{len(ours.message)} bytes to {ours.size}, until the last has it: "
        f"bare {bare.whole:.1f} ms   hall {hall.whole:.1f} ms   ratio {ratio:.2f}   "
        f"(from first to last {bare.spread:.1f}, {hall.spread:.1f})"
    )
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--times", type=int, default=20, help="broadcasts in each run")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    allow_many_files(2 * arguments.connections + FILES_MORE)
    print(f"limits off: {', '.join(UNLIMITED)}; {', '.join(SETTINGS)}")
    pin(0, 1)
    ratios = [measure(arguments.connections, arguments.times) for _ in range(arguments.runs)]
    print(f"ratio, median of {len(ratios)}: {statistics.median(ratios):.2f} (at least 0.8)")


if __name__ == "__main__":
    main()
