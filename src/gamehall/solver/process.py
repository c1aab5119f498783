"""The solver in a process of its own: started when first needed, and never waited for by the loop.

idle ──► starting ──► ready ──► (dies, or takes too long: killed) ──► idle
             └── three failures in turn: resting for a minute ──► idle
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass

import msgspec
import structlog

from gamehall.errors import Unavailable
from gamehall.solver.solver import Position, Scores

log = structlog.get_logger(__name__)

COMMAND = (sys.executable, "-m", "gamehall.solver")
START_SECONDS = 180.0
"""Compiling takes some ten seconds, once for a machine, and more if it is busy."""
ANSWER_SECONDS = 60.0
"""The longest answers take about a second of a quiet core."""
WAITING_MAX = 64
"""Questions that wait, with the one that is thought about."""
FAILURES_MAX = 3
REST_SECONDS = 60.0
STARTING = "The solver is starting. Ask again in a few seconds."
BUSY = "The solver has too many questions before this one. Ask again in a moment."
AWAY = "The solver does not answer. Ask again in a minute."


@dataclass(eq=False)
class SolverProcess:
    """A `Solver`. One question is thought about at a time, the others wait in turn."""

    command: Sequence[str] = COMMAND
    _: KW_ONLY
    start_seconds: float = START_SECONDS
    answer_seconds: float = ANSWER_SECONDS
    waiting_max: int = WAITING_MAX
    rest_seconds: float = REST_SECONDS

    def __post_init__(self) -> None:
        self._process: Process | None = None
        """The one that has said that it is ready."""
        self._starting: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._failures = 0
        self._rests_until = 0.0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Of the process that is ready for questions."""
        return None if self._process is None else self._process.pid

    async def scores(self, position: Position, *, patient: bool = True) -> Scores:
        if self._closed or asyncio.get_running_loop().time() < self._rests_until:
            raise Unavailable(AWAY)
        if self._waiting >= self.waiting_max:
            raise Unavailable(BUSY)
        if self._process is not None and self._process.returncode is not None:
            log.warning("solver_gone", code=self._process.returncode)
            self._process = None
        if self._process is None:
            self._start()
            if not patient:
                raise Unavailable(STARTING)
        self._waiting += 1
        try:
            async with self._turn:
                return await self._ask(position)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._end()

    def _start(self) -> None:
        if self._starting is None:
            self._starting = asyncio.get_running_loop().create_task(self._bring_up())
            self._starting.add_done_callback(self._brought_up)

    def _brought_up(self, task: asyncio.Task[None]) -> None:
        self._starting = None
        if not task.cancelled() and task.exception() is not None:
            self._failed(repr(task.exception()))

    async def _bring_up(self) -> None:
        # A session of its own: Ctrl-C at a terminal is for the hall, which ends it.
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        try:
            async with asyncio.timeout(self.start_seconds):
                said = await _heard(process)
            if said != b"ready":
                raise OSError(f"the solver said {said!r} instead of `ready`")
        except BaseException:
            await _kill(process)
            raise
        self._process = process

    async def _ask(self, position: Position) -> Scores:
        if self._process is None and not self._closed:
            self._start()
            assert self._starting is not None
            # Whoever gives up does not end the start that others wait for.
            await asyncio.wait((self._starting,))
        process = self._process
        if process is None:
            raise Unavailable(AWAY)
        assert process.stdin is not None
        try:
            async with asyncio.timeout(self.answer_seconds):
                process.stdin.write(msgspec.json.encode(position) + b"\n")
                await process.stdin.drain()
                answer = msgspec.json.decode(await _heard(process), type=Scores)
        except (OSError, TimeoutError, ValueError) as error:
            self._failed(repr(error))
            await self._end()
            raise Unavailable(AWAY) from None
        except BaseException:
            # Nobody would read the answer, and the next would take it for theirs.
            await self._end()
            raise
        self._failures = 0
        return answer

    def _failed(self, why: str) -> None:
        self._failures += 1
        log.warning("solver_failed", why=why, failures=self._failures)
        if self._failures >= FAILURES_MAX:
            self._failures = 0
            self._rests_until = asyncio.get_running_loop().time() + self.rest_seconds

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await _kill(process)


async def _heard(process: Process) -> bytes:
    """The next line. Raises OSError when there are no more."""
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise OSError("the solver has ended")
    return line.strip()


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
