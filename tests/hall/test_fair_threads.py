"""Work in threads for many clients: how much at once, in which order, and who is refused."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gamehall.errors import Unavailable
from gamehall.hall.people import fair_threads
from gamehall.hall.people.fair_threads import FairThreads, spare_cores
from tests.hall.halls import LIMIT_SECONDS, FakeLink


class Caller(FakeLink):
    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.has_hung_up = self.is_closed = False

    @property
    def gone(self) -> bool:
        return self.has_hung_up

    @property
    def closed(self) -> bool:
        return self.is_closed


class Office:
    """Threads whose work takes until the test lets one of them finish."""

    def __init__(self, at_once: int, waiting_max: int = 10) -> None:
        self._threads = FairThreads(at_once, waiting_max)
        self._may_finish = threading.Semaphore(0)
        self._counting = threading.Lock()
        self.begun: list[str] = []
        self._at_work = 0
        self.most_at_work = 0
        self.done: list[str] = []
        self.refused: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def comes(self, name: str, address: str) -> Caller:
        link = Caller(address)
        self._tasks[name] = asyncio.create_task(self._serve(name, link))
        # A turn of the loop in which it comes, and one in which others hear what follows.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return link

    async def _serve(self, name: str, link: Caller) -> None:
        def work() -> str:
            with self._counting:
                self._at_work += 1
                self.most_at_work = max(self.most_at_work, self._at_work)
            self.begun.append(name)
            try:
                assert self._may_finish.acquire(timeout=LIMIT_SECONDS)
            finally:
                with self._counting:
                    self._at_work -= 1
            return name

        try:
            self.done.append(await self._threads.run(link, work))
        except Unavailable:
            self.refused.append(name)

    async def begins(self, number: int) -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            while len(self.begun) < number:
                await asyncio.sleep(0.001)

    def may_finish(self, number: int) -> None:
        self._may_finish.release(number)

    async def finishes(self, number: int = 1) -> None:
        self.may_finish(number)
        wanted = len(self.done) + number
        async with asyncio.timeout(LIMIT_SECONDS):
            while len(self.done) < wanted:
                await asyncio.sleep(0.001)

    async def cancel(self, name: str) -> None:
        self._tasks[name].cancel()
        await asyncio.gather(self._tasks[name], return_exceptions=True)

    async def closes(self) -> None:
        self._may_finish.release(1000)
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._threads.close()


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    office = Office(at_once=1, waiting_max=5)
    yield office
    await office.closes()


async def test_so_many_at_once_and_no_more() -> None:
    office = Office(at_once=2)
    for name in "abcdef":
        await office.comes(name, name)
    for number in range(2, 7):
        await office.begins(number)
        await office.finishes()
    assert sorted(office.begun[:2]) == ["a", "b"]
    assert office.most_at_work == 2
    await office.closes()


async def test_work_of_the_cancelled_counts_until_it_is_done() -> None:
    office = Office(at_once=2)
    for name in "abcd":
        await office.comes(name, name)
    await office.begins(2)
    for name in "ab":
        await office.cancel(name)
    office.may_finish(2)
    await office.begins(4)
    assert office.most_at_work == 2
    await office.closes()


async def test_addresses_take_turns(office: Office) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        await office.comes(name, "a")
    for name, address in (("b1", "b"), ("c1", "c")):
        await office.comes(name, address)
    for number in range(1, 6):
        await office.begins(number)
        await office.finishes()
    await office.begins(6)
    assert office.begun == ["a1", "a2", "b1", "c1", "a3", "a4"]


async def test_a_flood_from_one_address_is_refused_there_alone(office: Office) -> None:
    for number in range(20):
        await office.comes(f"a{number}", "a")
    for name in "bcd":
        await office.comes(name, name)
    assert office.refused == [*(f"a{number}" for number in range(6, 20)), "a5", "a4", "a3"]
    for number in range(1, 6):
        await office.begins(number)
        await office.finishes()
    await office.begins(6)
    assert office.begun == ["a0", "a1", "b", "c", "d", "a2"]


async def test_of_many_addresses_the_last_is_refused(office: Office) -> None:
    for name in "abcdefg":
        await office.comes(name, name)
    assert office.refused == ["g"]


async def test_nothing_is_done_for_who_is_closed(office: Office) -> None:
    links = [await office.comes(f"a{number}", "a") for number in range(6)]
    for link in links[1:]:
        link.is_closed = True
    await office.comes("a6", "a")
    assert office.refused == [f"a{number}" for number in range(1, 6)], "they make room"
    await office.begins(1)
    await office.finishes()
    await office.begins(2)
    assert office.begun == ["a0", "a6"]


async def test_who_has_hung_up_comes_last_and_makes_room(office: Office) -> None:
    links = [await office.comes(f"a{number}", "a") for number in range(6)]
    for link in links[1:5]:
        link.has_hung_up = True
    await office.comes("b", "b")
    await office.comes("a6", "a")
    assert office.refused == ["a4", "a3"]
    for number in range(1, 6):
        await office.begins(number)
        await office.finishes()
    await office.begins(6)
    assert office.begun == ["a0", "a5", "b", "a6", "a1", "a2"]


async def test_who_is_cancelled_leaves_its_place_and_its_thread(office: Office) -> None:
    for name in "abc":
        await office.comes(name, name)
    await office.begins(1)
    await office.cancel("b")
    await office.cancel("a")
    office.may_finish(1)
    await office.begins(2)
    assert office.begun == ["a", "c"]


async def test_one_who_is_cancelled_as_its_turn_comes_keeps_no_thread(office: Office) -> None:
    await office.comes("a", "a")
    await office.begins(1)
    for name in "bc":
        await office.comes(name, name)
    # Both happen before it runs again.
    office._threads._give_back()
    await office.cancel("b")
    assert office._threads._queues == {}, "it is the turn of c"
    await office.finishes()
    await office.begins(2)
    assert office.begun == ["a", "c"]


@pytest.fixture
def cgroups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the test may limit this process, which is in the group /pod/hall."""
    own = tmp_path / "own"
    own.write_text("4:memory:/elsewhere\n0::/pod/hall\n")
    monkeypatch.setattr(fair_threads, "OWN_CGROUP", own)
    monkeypatch.setattr(fair_threads, "CGROUPS", tmp_path)
    (tmp_path / "pod" / "hall").mkdir(parents=True)
    return tmp_path


def has_cores(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))


@pytest.mark.usefixtures("cgroups")
def test_one_core_is_left_for_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, spare in ((1, 1), (2, 1), (4, 3), (5, 4), (64, 63)):
        has_cores(monkeypatch, cores)
        assert spare_cores() == spare


@pytest.mark.parametrize("group", ["pod", "pod/hall"])
def test_a_container_has_the_cores_of_its_quota(
    monkeypatch: pytest.MonkeyPatch, cgroups: Path, group: str
) -> None:
    has_cores(monkeypatch, 64)
    (cgroups / "pod/hall/cpu.max").write_text("max 100000\n")
    assert spare_cores() == 63
    for quota, spare in (("50000", 1), ("200000", 1), ("250000", 2), ("900000", 8), ("max", 63)):
        (cgroups / group / "cpu.max").write_text(f"{quota} 100000\n")
        assert spare_cores() == spare, quota


def test_a_system_without_control_groups(monkeypatch: pytest.MonkeyPatch, cgroups: Path) -> None:
    has_cores(monkeypatch, 4)
    (cgroups / "own").unlink()
    assert spare_cores() == 3
