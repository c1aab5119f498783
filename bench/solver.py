"""The solver: how long a move takes, and what its thinking costs the moves at other tables.

    python bench/solver.py --positions 20 --moves 2000

First, in this process: the scores of all columns of random positions, from the empty board to the
last stone, each with an empty memory, so that nothing is known from the one before. Then a hall
without doors in this process, with the solver in its own: moves at one table, one after the other
and each durable, while the solver rests, and while it thinks without a pause; the ratio is what
counts. No limit is switched off.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from gamehall.bus.local import LocalBus
from gamehall.catalogue import catalogue
from gamehall.config import Settings
from gamehall.errors import HallError
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.drop_board import drop_board
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.hall import Hall
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice
from gamehall.hall.people.online import Online
from gamehall.ports import store_at
from gamehall.server import make_hall
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import CELLS, COLUMNS, LENGTH, ROWS, Position, dropped
from gamehall.solver.solving import Book, Solving, no_book, read_book

BOARD = drop_board(COLUMNS, ROWS, LENGTH)
HARD_STONES = 13
"""Just past the book."""


def random_position(rng: Random, stones: int) -> Position:
    """Nobody has a line."""
    while True:
        position = Position(0, 0)
        for _ in range(stones):
            room = [c for c in range(COLUMNS) if BOARD.landing(position.both, c)]
            position = dropped(position, rng.choice(room))
            if BOARD.has_line(position.both ^ position.mine):
                break
        else:
            return position


def moves(book: Book, positions: int, seed: int) -> None:
    rng = Random(seed)
    Solving(book).scores(Position(0, 0))
    every: list[float] = []
    print("stones   mean ms  worst ms")
    for stones in range(CELLS):
        times = []
        for _ in range(positions if stones < 36 else 1):
            solving, position = Solving(book), random_position(rng, stones)
            before = perf_counter()
            solving.scores(position)
            times.append(1000 * (perf_counter() - before))
        every += times
        print(f"{stones:6}  {statistics.mean(times):8.2f}  {max(times):8.2f}", flush=True)
    print(f"all     {statistics.mean(every):8.2f}  {max(every):8.2f}")


class Person(Link):
    """Who plays, and does not listen."""

    def tell(self, notice: Notice) -> None:
        pass

    def tell_table(self, told: Told, seat: int | None) -> None:
        pass


async def move(hall: Hall, player: int, table: int, column: int) -> float:
    """How long it took until it was durable, in ms."""
    answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
    before = perf_counter()
    hall.rooms.tables.put(Ask(table, player, Drop(column), answered.set_result))
    assert isinstance(await answered, Done)
    return 1000 * (perf_counter() - before)


async def latencies(hall: Hall, people: list[Online], number: int) -> list[float]:
    """Of so many moves, in ms."""
    times: list[float] = []
    while len(times) < number:
        origin = f"bench:{perf_counter()}"
        table = await hall.new_tables.open_match(
            people, ConnectFour.name, {}, drawn=False, rated=False, origin=origin
        )
        for turn in range(7):
            times.append(await move(hall, people[turn % 2].player.id, table, turn % 2))
    return times


async def think(solver: SolverProcess, rng: Random) -> None:
    while True:
        await solver.scores(random_position(rng, HARD_STONES))


async def beside(number: int, seed: int) -> None:
    solver = SolverProcess()
    await solver.scores(Position(0, 0))
    with TemporaryDirectory() as folder:
        settings = Settings()
        _, store = store_at(settings, Path(folder))
        await store.start()
        hall = make_hall(settings, catalogue(), store, LocalBus(), DrawKey(bytes(32)), solver)
        people = []
        for name in ("anna", "bob"):
            link = Person("bench")
            await hall.people.hello(link, name, None)
            assert link.online is not None
            people.append(link.online)
        await latencies(hall, people, number // 10)
        resting = await latencies(hall, people, number)
        thinking = asyncio.create_task(think(solver, Random(seed)))
        busy = await latencies(hall, people, number)
        thinking.cancel()
        with suppress(asyncio.CancelledError):
            await thinking
        await hall.stop()
        await store.stop()
    await solver.close()
    print(f"a move while the solver rests:   {_percentiles(resting)}")
    print(f"a move while the solver thinks:  {_percentiles(busy)}")
    print(f"ratio of the medians: {statistics.median(busy) / statistics.median(resting):.2f}")


def _percentiles(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"median {cuts[49]:.2f} ms, 95 % {cuts[94]:.2f} ms, 99 % {cuts[98]:.2f} ms"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=20, help="for each number of stones")
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-book", action="store_true")
    chosen = parser.parse_args()
    moves(no_book() if chosen.no_book else read_book(), chosen.positions, chosen.seed)
    asyncio.run(beside(chosen.moves, chosen.seed))
