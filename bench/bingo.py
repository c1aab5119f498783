"""One number of called Bingo to 5,000 players: until the last has it, beside a bare TCP broadcast.

    python bench/bingo.py --connections 5000

Everyone joins through the `caller` door and has a card; nobody answers, so that each number comes
by the time-out, alone. The bare server then sends the same bytes, one write for each connection.
Both times begin and end as in broadcast.py, whose servers and counting these are. The memory of a
player is how much the hall grows from before the first came until the numbers are called.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple, cast

import uvloop

from broadcast import FILES_MORE, PROGRAM, WAIT_SECONDS, Crowd, Times, allow_many_files, median
from servers import UNLIMITED, Started, pin, started

SETTINGS = ("bingo.pause_seconds=0.7", "bingo.ready_seconds=0.7")
BARE = str(Path(__file__).with_name("bingo_bare.py"))
PAUSE_SECONDS = 0.7
"""Between two broadcasts of the bare server, as between two of the hall."""
TIMES_MAX = 70
"""A round has 75 numbers, of which the first may come before everyone counts."""


class Bingo(NamedTuple):
    """What a run with the hall has shown."""

    times: list[Times]
    message: bytes
    player_bytes: float


class Numbers(Crowd):
    """Counts who has got each number."""

    def take(self, data: bytes) -> None:
        if self.counts and data.startswith(b"CHECK_NUMBER|"):
            self._count(data)


class Player(asyncio.Protocol):
    """Says its name, if it has one, and is then silent."""

    def __init__(self, crowd: Numbers, name: bytes) -> None:
        self._take = crowd.take
        self._name = name
        self.transport: asyncio.Transport
        self.told = asyncio.get_running_loop().create_future()
        self.dealt = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self._name:
            self.transport.write(self._name + b"\n")

    def data_received(self, data: bytes) -> None:
        if b"NEW_CARD|" in data and not self.dealt.done():
            self.dealt.set_result(None)
        elif b"/start" in data and not self.told.done():
            self.told.set_result(None)
        self._take(data)


async def connect(
    crowd: Numbers, address: tuple[str, int], *, named: bool, at_once: int = 50
) -> list[Player]:
    """The crowd, connected; with names, everyone is told that a round can be started."""
    loop = asyncio.get_running_loop()

    async def one(number: int) -> Player:
        name = b"player %d" % number if named else b""
        _, player = await loop.create_connection(lambda: Player(crowd, name), *address)
        if named:
            async with asyncio.timeout(WAIT_SECONDS):
                await player.told
        return player

    players: list[Player] = []
    for start in range(0, crowd.size, at_once):
        numbers = range(start, min(start + at_once, crowd.size))
        players += await asyncio.gather(*(one(number) for number in numbers))
    return players


async def time_hall(server: Started, crowd: Numbers, times: int) -> float:
    """How much memory each player takes."""
    before = server.memory_bytes()
    players = await connect(crowd, server.doors["caller"], named=True)
    players[0].transport.write(b"/start\n")
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.gather(*(player.dealt for player in players))
    crowd.counts = True
    for _ in range(times):
        await crowd.has_it()
    return (server.memory_bytes() - before) / crowd.size


async def time_bare(server: Started, crowd: Numbers, message: bytes, times: int) -> None:
    # The one that came last: when it is heard, all others are there.
    *_, last = await connect(crowd, server.doors["bare"], named=False)
    crowd.counts = True
    for _ in range(times):
        last.transport.write(message)
        await crowd.has_it()
        await asyncio.sleep(PAUSE_SECONDS)


def with_hall(connections: int, times: int) -> Bingo:
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*SETTINGS, *limits)]
    with tempfile.TemporaryDirectory() as name:
        stamps = Path(name) / "stamps"
        serve = ["serve", f"--data={name}", "--port=0", "--doors=caller=0", *sets]

        async def run(server: Started) -> Bingo:
            crowd = Numbers(connections, stamps)
            player_bytes = await time_hall(server, crowd, times)
            return Bingo(crowd.times, crowd.message, player_bytes)

        with started([PROGRAM, "hall", str(stamps), *serve]) as server:
            return uvloop.run(run(server))


def with_bare(connections: int, times: int, message: bytes) -> list[Times]:
    with tempfile.TemporaryDirectory() as name:
        stamps = Path(name) / "stamps"

        async def run(server: Started) -> list[Times]:
            crowd = Numbers(connections, stamps)
            await time_bare(server, crowd, message, times)
            return crowd.times

        with started([BARE, str(stamps)]) as server:
            return uvloop.run(run(server))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--times", type=int, default=15, help="numbers in each run")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    times = min(arguments.times, TIMES_MAX)
    allow_many_files(arguments.connections + FILES_MORE)
    print(f"limits off: {', '.join(UNLIMITED)}; {', '.join(SETTINGS)}")
    pin(0, 1)
    ratios = []
    for _ in range(arguments.runs):
        hall = with_hall(arguments.connections, times)
        ours = median(hall.times)
        bare = median(with_bare(arguments.connections, times, hall.message))
        ratios.append(bare.whole / ours.whole)
        print(
            f"{len(hall.message)} bytes to {arguments.connections}, until the last has it: "
            f"bare {bare.whole:.1f} ms   hall {ours.whole:.1f} ms   ratio {ratios[-1]:.2f}   "
            f"(first to last: {bare.spread:.1f}, {ours.spread:.1f})   "
            f"{hall.player_bytes / 1000:.1f} KB a player"
        )
    print(f"ratio, median of {len(ratios)}: {statistics.median(ratios):.2f} (at least 0.8)")


if __name__ == "__main__":
    main()
