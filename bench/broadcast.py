"""One `round_state` to 5,000 subscribers: until the last has it, beside a bare picows broadcast.

    python bench/broadcast.py --connections 5000

The hall plays Sic Bo with nobody betting, and its BETTING_CLOSE is what is timed: it is told alone.
The bare server then sends the same bytes in a loop over its connections. The server has one core,
this client the other. The time begins, for the hall, when the commit of what it tells has returned,
and for the bare server when its loop begins; it ends when the last connection has the message. The
time between the first and the last receipt is shown beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
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
PAUSE_SECONDS = 0.5
"""Between two broadcasts of the bare server."""


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


async def time_hall(server: Started, crowd: Crowd, times: int) -> None:
    host, port = server.doors["native"]
    await crowd.connect(f"ws://{host}:{port}/rfc", b'{"action":"subscribe_rounds"}')
    crowd.complete = True
    for _ in range(times):
        await crowd.has_it()


async def time_bare(server: Started, crowd: Crowd, message: bytes, times: int) -> None:
    host, port = server.doors["native"]
    one = await crowd.connect(f"ws://{host}:{port}/")
    crowd.counts = True
    for _ in range(times):
        one.send(WSMsgType.TEXT, message)
        await crowd.has_it()
        await asyncio.sleep(PAUSE_SECONDS)


def hall_times(connections: int, times: int) -> tuple[list[Times], bytes]:
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*SETTINGS, *limits)]
    with tempfile.TemporaryDirectory() as name:
        stamps = Path(name) / "stamps"
        serve = ["serve", f"--data={name}", "--port=0", "--doors=none", *sets]

        async def run(server: Started) -> Crowd:
            crowd = Crowd(connections, stamps)
            await time_hall(server, crowd, times)
            return crowd

        with started([PROGRAM, "hall", str(stamps), *serve]) as server:
            crowd = uvloop.run(run(server))
        return crowd.times, crowd.message


def bare_times(connections: int, times: int, message: bytes) -> list[Times]:
    with tempfile.TemporaryDirectory() as name:
        stamps = Path(name) / "stamps"

        async def run(server: Started) -> Crowd:
            crowd = Crowd(connections, stamps)
            await time_bare(server, crowd, message, times)
            return crowd

        with started([PROGRAM, "bare", str(stamps)]) as server:
            return uvloop.run(run(server)).times


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--times", type=int, default=15, help="broadcasts in each run")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    allow_many_files(arguments.connections + FILES_MORE)
    print(f"limits off: {', '.join(UNLIMITED)}; {', '.join(SETTINGS)}")
    pin(0, 1)
    ratios = []
    for _ in range(arguments.runs):
        all_ours, message = hall_times(arguments.connections, arguments.times)
        ours = median(all_ours)
        bare = median(bare_times(arguments.connections, arguments.times, message))
        ratios.append(bare.whole / ours.whole)
        print(
            f"{len(message)} bytes to {arguments.connections}, until the last has it: "
            f"bare {bare.whole:.1f} ms   hall {ours.whole:.1f} ms   ratio {ratios[-1]:.2f}   "
            f"(first to last: {bare.spread:.1f}, {ours.spread:.1f})"
        )
    print(f"ratio, median of {len(ratios)}: {statistics.median(ratios):.2f} (at least 0.8)")


if __name__ == "__main__":
    main()
