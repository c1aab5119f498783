"""A world in which time passes only as things happen, and all chance follows from one seed.

Machines share nothing but what the world carries between them. Each has an event loop of its own,
so that one can be frozen or killed between any two steps, as a process can: nothing of it runs any
more, not even a `finally`. The world always goes on with what is due next. Machines that are due at
the same time take turns in the order in which they were made.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from itertools import count
from random import Random
from typing import Any, TypeVar

from gamehall.simulation.broken import what_and_where

T = TypeVar("T")

START_MS = 1_800_000_000_000
"""The Unix time at which every world begins."""
NEVER = float("inf")
STEPS_MAX = 2_000_000
"""Of one run; one that takes more goes round in circles."""


class Stuck(AssertionError):
    """Nothing is due any more, or the world goes round in circles."""


class World:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.seconds = 0.0
        """Since the world began."""
        self.faults: list[str] = []
        """What no machine may do: exceptions that nobody has caught, and errors that are logged."""
        self.machines: list[Machine] = []
        self._order = count()
        self._due: list[tuple[float, int, Callable[[], None]]] = []

    @property
    def now_ms(self) -> int:
        """The true Unix time."""
        return START_MS + int(self.seconds * 1000)

    def after(self, seconds: float, happens: Callable[[], None]) -> None:
        """Lets something happen later that no machine does by itself."""
        heapq.heappush(self._due, (self.seconds + seconds, next(self._order), happens))

    def run(self, main: Coroutine[Any, Any, None], on: Machine) -> None:
        """Returns when `main` has ended. Raises what it raises, and Stuck."""
        task = on.do(lambda: on.create_task(main))
        for _ in range(STEPS_MAX):
            if task.done():
                return task.result()
            self._step()
        raise Stuck(f"no end after {STEPS_MAX} steps and {self.seconds:.0f} seconds")

    def _step(self) -> None:
        at, machine = self._due[0][0] if self._due else NEVER, None
        for each in self.machines:
            due = 0.0 if each._ready else each._scheduled[0]._when if each._scheduled else NEVER
            if due < each.frozen_until:
                due = each.frozen_until
            if due < at:
                at, machine = due, each
        if at == NEVER:
            raise Stuck("nothing is due any more")
        if at > self.seconds:
            self.seconds = at
        if machine is None:
            heapq.heappop(self._due)[2]()
        else:
            machine.step()


class Machine(asyncio.BaseEventLoop):
    """One process. What is scheduled on this loop runs in the world's time."""

    # What BaseEventLoop has, though its stub does not say so.
    _ready: deque[asyncio.Handle]
    _scheduled: list[Any]
    _timer_cancelled_count: int

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.dead = False
        self.frozen_until = 0.0
        self._clock_resolution = 1e-9
        world.machines.append(self)

    def time(self) -> float:
        return self.world.seconds

    def step(self) -> None:
        """Runs what is due, once: as asyncio's, without what only loops with files and threads
        need."""
        events._set_running_loop(self)
        scheduled, ready = self._scheduled, self._ready
        until = self.world.seconds + self._clock_resolution
        while scheduled and (scheduled[0]._cancelled or scheduled[0]._when < until):
            timer = heapq.heappop(scheduled)
            timer._scheduled = False
            if timer._cancelled:
                self._timer_cancelled_count -= 1
            else:
                ready.append(timer)
        try:
            for _ in range(len(ready)):
                handle = ready.popleft()
                if not handle._cancelled:
                    handle._run()
        finally:
            events._set_running_loop(None)

    def do(self, work: Callable[[], T]) -> T:
        """Does something as this machine, at once."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            return work()
        finally:
            events._set_running_loop(before)

    def soon(self, happens: Callable[[], None]) -> None:
        """Something reaches the machine from outside; a dead one does not notice."""
        if not self.dead:
            self.call_soon(happens)

    def freeze(self, seconds: float) -> None:
        self.frozen_until = max(self.frozen_until, self.world.seconds + seconds)

    def kill(self) -> None:
        """Nothing of it ever runs again."""
        self.dead = True
        self.world.machines.remove(self)

    def call_exception_handler(self, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        if not self.dead:
            what = "no error" if error is None else what_and_where(error)
            self.world.faults.append(f"nobody caught {context.get('message')}: {what}")

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, work: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """The work is done at once, and its result comes later: here, threads take no turns."""
        future = self.create_future()
        try:
            result = work(*args)
        except Exception as error:  # noqa: BLE001 (whoever awaits it gets it)
            self.call_soon(settle, future, None, error)
        else:
            self.call_soon(settle, future, result, None)
        return future

    def _check_closed(self) -> None:
        """What is left of a world may still tell a machine something when it is cleared away."""

    def is_running(self) -> bool:
        return events._get_running_loop() is self

    def _write_to_self(self) -> None:
        """No thread waits."""


def settle(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    """Unless nobody waits for it any more."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
