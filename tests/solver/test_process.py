"""The solver as a process: started when needed, bounded, replaced when it dies, gone at the end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from gamehall.errors import Unavailable
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import Position

LIMIT_SECONDS = 240
EMPTY = Position(0, 0)
FIRST_MOVES = (-2, -1, 0, 1, 0, -1, -2)
NEVER_READY = (sys.executable, "-c", "input()")
DIES = (sys.executable, "-c", "print('ready', flush=True); input()")
HANGS = (sys.executable, "-c", "print('ready', flush=True); input(); input()")
"""What stands in for the solver: not one of them answers."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def solver() -> AsyncIterator[SolverProcess]:
    solver = SolverProcess()
    yield solver
    await solver.close()


pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(2 * LIMIT_SECONDS)]


async def gone(pid: int) -> None:
    """Returns when there is no such process any more."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while _runs(pid):
            await asyncio.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_whoever_cannot_wait_is_told_so_until_it_has_started(solver: SolverProcess) -> None:
    with pytest.raises(Unavailable, match="is starting"):
        await solver.scores(EMPTY, patient=False)
    assert await solver.scores(EMPTY) == FIRST_MOVES
    assert await solver.scores(EMPTY, patient=False) == FIRST_MOVES


async def test_many_ask_at_once_and_each_gets_its_answer(solver: SolverProcess) -> None:
    drops = [Position(0, 1 << 7 * column) for column in range(7)]
    answers = await asyncio.gather(*(solver.scores(drop) for drop in drops))
    assert [-max(score for score in scores if score is not None) for scores in answers] == list(
        FIRST_MOVES
    )


async def test_one_that_is_killed_is_replaced(solver: SolverProcess) -> None:
    await solver.scores(EMPTY)
    first = solver.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await gone(first)
    for _ in range(3):
        try:
            assert await solver.scores(EMPTY) == FIRST_MOVES
        except Unavailable:
            continue
        break
    assert solver.pid not in (None, first)


async def test_who_gives_up_waiting_does_not_leave_its_answer_to_the_next(
    solver: SolverProcess,
) -> None:
    await solver.scores(EMPTY)
    asking = asyncio.create_task(solver.scores(Position(0, 1)))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait((asking,))
    assert await solver.scores(EMPTY) == FIRST_MOVES


async def test_no_more_wait_than_it_allows() -> None:
    solver = SolverProcess(NEVER_READY, waiting_max=2)
    waiting = [asyncio.create_task(solver.scores(EMPTY)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable, match="too many questions"):
        await solver.scores(EMPTY)
    await solver.close()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(answer, Unavailable) for answer in answers)


@pytest.mark.parametrize("command", [NEVER_READY, DIES, HANGS, ("/no/such/program",)])
async def test_after_three_failures_it_is_left_alone(command: tuple[str, ...]) -> None:
    solver = SolverProcess(command, start_seconds=1, answer_seconds=1)
    for _ in range(3):
        with pytest.raises(Unavailable, match="does not answer"):
            await solver.scores(EMPTY)
    with pytest.raises(Unavailable, match="does not answer"):
        await solver.scores(EMPTY, patient=False)
    assert solver.pid is None
    await solver.close()


async def test_it_tries_again_after_a_rest() -> None:
    solver = SolverProcess(NEVER_READY, start_seconds=0.1, rest_seconds=0)
    for _ in range(3):
        with pytest.raises(Unavailable):
            await solver.scores(EMPTY)
    with pytest.raises(Unavailable, match="is starting"):
        await solver.scores(EMPTY, patient=False)
    await solver.close()


OWNER = """
import asyncio
from gamehall.solver.process import SolverProcess
from gamehall.solver.solver import Position

async def main():
    solver = SolverProcess()
    await solver.scores(Position(0, 0))
    print(solver.pid, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""
WITHOUT_A_BOOK = """
from gamehall.solver import __main__ as process
from gamehall.solver.solving import Solving, no_book

class Telling(Solving):
    def scores(self, position):
        print("thinking", flush=True)
        return super().scores(position)

process.read_book, process.Solving = no_book, Telling
process.main()
"""
"""The first question takes it some minutes."""


async def program(text: str) -> Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-c", text, stdin=PIPE, stdout=PIPE)


async def test_it_ends_with_an_owner_that_is_killed() -> None:
    owner = await program(OWNER)
    assert owner.stdout is not None
    said = b""
    while not said.strip().isdigit():
        said = await owner.stdout.readline()
        assert said, "it has ended"
    assert _runs(int(said))
    owner.kill()
    await owner.wait()
    await gone(int(said))


async def test_it_ends_in_the_middle_of_a_search_too() -> None:
    searching = await program(WITHOUT_A_BOOK)
    assert searching.stdin is not None
    assert searching.stdout is not None
    assert await searching.stdout.readline() == b"thinking\n"
    searching.stdin.close()
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await searching.wait() == 0


async def test_it_ends_when_it_is_closed(solver: SolverProcess) -> None:
    await solver.scores(EMPTY)
    pid = solver.pid
    assert pid is not None
    await solver.close()
    await gone(pid)
    with pytest.raises(Unavailable):
        await solver.scores(EMPTY)
