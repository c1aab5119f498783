"""More people in the hall, all in one process: a machine has not sockets for a hundred thousand.

Everyone is a guest with a link that forgets what it is told. So what is measured is the hall: what
one more costs who comes, and what a move costs, at one table, while so many are there.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import uvloop

from gamehall.bus.local import LocalBus
from gamehall.catalogue import catalogue
from gamehall.config import Settings
from gamehall.games.connect_four import Drop
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.requests import Done, Told
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice
from gamehall.server import make_hall
from gamehall.store.appends import Request
from gamehall.store.sqlite.store import SqliteStore
from growing.fitting import Growth, Point

TOGETHER = 50
"""Who come at once, and share commits."""
LAST = 2000
"""At most so many of those who came last are timed."""
BOARD = {"columns": 12, "rows": 12, "length": 12}
MOVES = 140


class Silent(Link):
    """Forgets what it is told."""

    def tell(self, notice: Notice) -> None:
        pass

    def tell_table(self, told: Told, seat: int | None) -> None:
        pass


async def come(hall: Hall, count: int) -> list[Silent]:
    came = []
    for start in range(0, count, TOGETHER):
        links = [Silent("127.0.0.1") for _ in range(min(TOGETHER, count - start))]
        await asyncio.gather(*(hall.people.hello(link, None, None) for link in links))
        came += links
    return came


async def sit_down(hall: Hall, pair: Sequence[Silent]) -> tuple[int, list[Silent]]:
    """A new table, and the two by their seats."""
    table = await hall.new_tables.open_table(
        pair[0].me, "connect-four", BOARD, private=False, bots=(), request=None
    )
    for link in pair:
        done = Awaited[Done]()
        await hall.seating.sit(link, link.me, table.table, None, None, None, done)
        await done
    first = hall.seating.seat_at(pair[0].me, table.table)
    return table.table, list(pair if first == 0 else reversed(pair))


async def move_us(hall: Hall, pair: Sequence[Silent]) -> float:
    """The processor time of a move, each alone in its commit."""
    table, seats = await sit_down(hall, pair)
    began = process_time()
    for number in range(MOVES):
        online, done = seats[number % 2].me, Awaited[Done]()
        request = Request(online.player.id, f"move-{table}-{number}", b"d" * 16)
        hall.seating.act(online, table, Drop((number + number // 24) % 12), request, done)
        await done
    used = process_time() - began
    for link in pair:
        left = Awaited[Done]()
        hall.seating.leave(link, link.me, table, None, left)
        await left
    return used / MOVES * 1e6


async def measure(folder: Path, numbers: Sequence[int]) -> list[Growth]:
    hello_us: list[Point] = []
    moves_us: list[Point] = []
    store = SqliteStore(folder / "hall.db")
    await store.start()
    hall = make_hall(Settings(), catalogue(), store, LocalBus(), DrawKey(bytes(32)), None)
    await hall.start()
    everyone: list[Silent] = []
    for number in numbers:
        timed = min(LAST, (number - len(everyone)) // 2)
        everyone += await come(hall, number - len(everyone) - timed)
        began = process_time()
        everyone += await come(hall, timed)
        hello_us.append((number, (process_time() - began) / timed * 1e6))
        moves_us.append((number, await move_us(hall, everyone[:2])))
    await hall.stop()
    await store.stop()
    across = "players in the hall"
    return [
        Growth("one more comes, µs of CPU", across, hello_us),
        Growth("a move in the process, µs of CPU", across, moves_us),
    ]


def players(numbers: Sequence[int]) -> list[Growth]:
    with tempfile.TemporaryDirectory() as folder:
        return uvloop.run(measure(Path(folder), numbers))
