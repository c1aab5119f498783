"""One number of called Bingo to 5,000 players: until the last has it, beside a bare TCP broadcast.

    python bench/bingo.py --connections 5000

Everyone joins through the `caller` door and has a card; nobody answers, so that each number comes
by the time-out, alone. After each of them a bare server sends the same bytes to as many
connections, one write for each: the two take turns, so that whatever else the machine does falls on
both. The servers share one core, this client has the other. Times begin and end as in
broadcast.py, whose servers and counting these are. The memory of a player is how much the hall
grows from before the first came until the last number.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import cast

import uvloop

from broadcast import FILES_MORE, PROGRAM, WAIT_SECONDS, Crowd, allow_many_files, median
from servers import UNLIMITED, Started, pin, started

SETTINGS = ("bingo.pause_seconds=0.7", "bingo.ready_seconds=0.7")
BARE = str(Path(__file__).with_name("bingo_bare.py"))
AT_ONCE = 50
"""Connections that are being opened at a time."""
TIMES_MAX = 70
"""A round has 75 numbers, and the first are not timed."""


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


async def connect(crowd: Numbers, address: tuple[str, int], *, named: bool) -> list[Player]:
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
    for start in range(0, crowd.size, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, crowd.size))
        players += await asyncio.gather(*(one(number) for number in numbers))
    return players


async def take_turns(
    hall: Started, bare: Started, ours: Numbers, theirs: Numbers, times: int
) -> float:
    """The memory of a player, when both crowds have got so many numbers."""
    before = hall.memory_bytes()
    players = await connect(ours, hall.doors["caller"], named=True)
    # The one that came last: when it is heard, all others are there.
    *_, last = await connect(theirs, bare.doors["bare"], named=False)
    players[0].transport.write(b"/start\n")
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.gather(*(player.dealt for player in players))
    ours.counts = theirs.counts = True
    for _ in range(times):
        await ours.has_it()
        last.transport.write(ours.message)
        await theirs.has_it()
    return (hall.memory_bytes() - before) / ours.size


def run(connections: int, times: int) -> float:
    """Prints what one run has shown; bare ÷ hall."""
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*SETTINGS, *limits)]
    with tempfile.TemporaryDirectory() as name:
        stamps, bare_stamps = Path(name) / "stamps", Path(name) / "bare-stamps"
        serve = ["serve", f"--data={name}", "--port=0", "--doors=caller=0", *sets]
        with (
            started([PROGRAM, "hall", str(stamps), *serve]) as hall,
            started([BARE, str(bare_stamps)]) as bare,
        ):

            async def both() -> tuple[Numbers, Numbers, float]:
                crowds = Numbers(connections, stamps), Numbers(connections, bare_stamps)
                return *crowds, await take_turns(hall, bare, *crowds, times)

            ours, theirs, player_bytes = uvloop.run(both())
    hall_ms, bare_ms = median(ours.times), median(theirs.times)
    pairs = zip(theirs.times, ours.times, strict=True)
    ratio = statistics.median(bare.whole / hall.whole for bare, hall in pairs)
    print(
        f"{len(ours.message)} bytes to {connections}, until the last has it: "
        f"bare {bare_ms.whole:.1f} ms   hall {hall_ms.whole:.1f} ms   ratio {ratio:.2f}   "
        f"(first to last: {bare_ms.spread:.1f}, {hall_ms.spread:.1f})   "
        f"{player_bytes / 1000:.1f} KB a player"
    )
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--times", type=int, default=30, help="numbers in each run")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    allow_many_files(2 * arguments.connections + FILES_MORE)
    print(f"limits off: {', '.join(UNLIMITED)}; {', '.join(SETTINGS)}")
    pin(0, 1)
    times = min(arguments.times, TIMES_MAX)
    ratios = [run(arguments.connections, times) for _ in range(arguments.runs)]
    print(f"ratio, median of {len(ratios)}: {statistics.median(ratios):.2f} (at least 0.8)")


if __name__ == "__main__":
    main()
