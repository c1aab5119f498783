"""Tournaments of other halls: what is followed is kept, whatever the other hall does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gamehall.bus.local import LocalBus
from gamehall.errors import HallError, HallUnreachable, NoSuchTournament, TooMany, Unavailable
from gamehall.hall.hall import Hall
from gamehall.hall.nodes.exchange import Exchange
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tournaments import away as away_module
from gamehall.hall.tournaments.away import Away, Followed
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.store.sqlite.store import SqliteStore
from tests.hall.halls import LIMIT_SECONDS, TestHall, until
from tests.support.fake_clock import FakeClock

NORTH = "http://north:8000"
POLL_SECONDS = 0.005


class North:
    """Another hall, as far as the port to it goes: a real one's tournaments, or why there are none.

    `asked` counts. Answers wait until `answering` is set.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.away: HallError | None = None
        self.asked = 0
        self.answering = asyncio.Event()
        self.answering.set()

    async def tournament(self, url: str, id: int) -> Shown:
        self.asked += 1
        await self.answering.wait()
        if self.away is not None:
            raise self.away
        return await self._hall.tournaments.shown(id)


class South:
    """A hall's followed tournaments over a real store; `restart` throws its memory away."""

    def __init__(self, folder: Path, north: North) -> None:
        self.north = north
        self.clock = FakeClock()
        self._path = folder / "south.db"
        self._tasks: list[asyncio.Task[None]] = []
        self.store: SqliteStore
        self.away: Away

    async def start(self) -> None:
        self.store = SqliteStore(self._path)
        await self.store.start()
        exchange = Exchange(LocalBus())
        nodes = Nodes(
            self.store,
            exchange,
            self.clock,
            3,
            on_gone=lambda _: None,
            on_lapsed=lambda: None,
        )
        self.away = Away(
            self.store,
            self.clock,
            self.north,
            nodes,
            Lead(exchange, nodes, lambda: None),
            lambda work: self._tasks.append(asyncio.get_running_loop().create_task(work)),
        )
        self.away.poll_seconds = POLL_SECONDS

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.stop()
        assert not [each for each in ended if isinstance(each, Exception)]

    async def restart(self) -> None:
        await self.stop()
        self._tasks.clear()
        await self.start()
        await self.away.run()

    @property
    def running(self) -> int:
        return sum(not task.done() for task in self._tasks)

    async def followed(self) -> Followed:
        (found,) = await self.away.page(0, 10)
        return found


@pytest.fixture
async def north(house: TestHall) -> North:
    return North(house.hall)


@pytest.fixture
async def south(tmp_path: Path, north: North) -> AsyncIterator[South]:
    south = South(tmp_path, north)
    await south.start()
    yield south
    await south.stop()


async def opened(house: TestHall, title: str = "Cup") -> int:
    options = {"game": "connect-four", "title": title}
    id = await house.hall.tournaments.open(options)
    await house.hall.tournaments.enter_bots(id, ["random", "random"])
    return id


async def play(house: TestHall, id: int) -> Shown:
    """How it stands in the end."""
    await house.hall.tournaments.begin(id, None)
    table = house.hall.rooms.tables.loaded(id)
    assert table is not None
    await until(lambda: table.state.over)
    return await house.hall.tournaments.shown(id)


async def polls(north: North, count: int = 2) -> None:
    """Returns when the other hall has been asked so often from now on."""
    before = north.asked
    await until(lambda: north.asked >= before + count)


async def test_it_is_followed_to_its_end_and_then_no_longer(house: TestHall, south: South) -> None:
    id = await opened(house)
    assert await south.away.follow(NORTH, id) == 1
    followed, shown = await south.away.shown(1)
    assert shown == await house.hall.tournaments.shown(id)
    assert (followed.url, followed.tournament, followed.reachable) == (NORTH, id, True)
    assert (followed.brief.title, followed.brief.entrants) == ("Cup", 2)
    final = await play(house, id)
    await until(lambda: south.running == 0)
    asked = south.north.asked
    followed, shown = await south.away.shown(1)
    assert (followed.over, followed.reachable, shown) == (True, True, final)
    await south.restart()
    followed, shown = await south.away.shown(1)
    assert (followed.over, followed.reachable, shown) == (True, True, final)
    assert (south.running, south.north.asked) == (0, asked)


async def test_the_same_one_has_the_same_number(house: TestHall, south: South) -> None:
    first, second = await opened(house), await opened(house)
    both = await asyncio.gather(south.away.follow(NORTH, first), south.away.follow(NORTH, first))
    assert (list(both), south.running) == ([1, 1], 1)
    assert await south.away.follow(NORTH, second) == 2
    assert await south.away.follow("http://other:8000", first) == 3
    await south.restart()
    assert await south.away.follow(NORTH, second) == 2
    assert [each.id for each in await south.away.page(1, 10)] == [2, 3]
    assert [each.id for each in await south.away.page(0, 2)] == [1, 2]
    assert south.running == 3


async def test_while_the_other_hall_is_away_the_last_is_shown(
    house: TestHall, south: South
) -> None:
    id = await opened(house)
    await south.away.follow(NORTH, id)
    before = (await south.away.shown(1))[1]
    with capture_logs() as logged:
        south.north.away = HallUnreachable("It burns.")
        await polls(south.north, 3)
        followed, shown = await south.away.shown(1)
    assert (followed.reachable, followed.lost, shown) == (False, "It burns.", before)
    assert [each["event"] for each in logged] == ["away_lost"], "the same reason is told once"
    await south.restart()
    await polls(south.north)
    followed, shown = await south.away.shown(1)
    assert (followed.reachable, shown) == (False, before)
    south.north.away = None
    final = await play(house, id)
    await until(lambda: south.running == 0)
    assert (await south.away.shown(1))[1] == final


async def test_one_that_the_other_hall_has_lost_is_still_shown(
    house: TestHall, south: South
) -> None:
    await south.away.follow(NORTH, await opened(house))
    south.north.away = NoSuchTournament()
    await polls(south.north)
    followed, shown = await south.away.shown(1)
    assert (followed.reachable, shown.view.title) == (False, "Cup")


async def test_pauses_grow_while_it_cannot_be_reached(south: South) -> None:
    south.away.poll_seconds = away_module.POLL_SECONDS
    assert south.away._pause_seconds(0) == away_module.POLL_SECONDS
    longest = [max(south.away._pause_seconds(n) for _ in range(200)) for n in (1, 2, 3, 10_000)]
    assert longest[0] <= 4 < longest[1] <= 8 < longest[2] <= 16 < longest[3] <= 30
    assert len({south.away._pause_seconds(5) for _ in range(10)}) > 1


async def test_when_it_was_seen(house: TestHall, south: South) -> None:
    at_ms = south.clock.now_ms()
    await south.away.follow(NORTH, await opened(house))
    assert (await south.followed()).seen_at_ms == at_ms
    south.clock.advance(5000)
    followed = await south.followed()
    await until(lambda: followed.seen_at_ms == at_ms + 5000)


async def test_what_has_not_changed_is_not_written_again(
    house: TestHall, south: South, monkeypatch: pytest.MonkeyPatch
) -> None:
    await south.away.follow(NORTH, await opened(house))
    written: list[str] = []
    really = south.store.put_fact

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        written.append(key)
        return await really(key, value, before)

    monkeypatch.setattr(south.store, "put_fact", put_fact)
    await polls(south.north, 5)
    assert written == []
    await house.hall.tournaments.enter_bots(1, ["random"])
    followed = await south.followed()
    await until(lambda: followed.brief.entrants == 3)
    await polls(south.north, 5)
    assert written == ["away-tournament:0000000001"]


async def test_what_cannot_be_followed(south: South) -> None:
    with pytest.raises(NoSuchTournament):
        await south.away.follow(NORTH, 77)
    south.north.away = HallUnreachable()
    with pytest.raises(HallUnreachable):
        await south.away.follow(NORTH, 1)
    assert await south.away.page(0, 10) == []
    await south.restart()
    assert (await south.away.page(0, 10), south.running) == ([], 0)


async def test_only_so_many_at_once(
    house: TestHall, south: South, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(away_module, "RUNNING_MAX", 2)
    monkeypatch.setattr(away_module, "KEPT_MAX", 3)
    ids = [await opened(house) for _ in range(4)]
    for id in ids[:2]:
        await south.away.follow(NORTH, id)
    with pytest.raises(TooMany, match="2 tournaments are followed already"):
        await south.away.follow(NORTH, ids[2])
    await play(house, ids[3])
    assert await south.away.follow(NORTH, ids[3]) == 3, "one that is over is not asked for"
    await play(house, ids[0])
    await until(lambda: south.running == 1)
    with pytest.raises(TooMany, match="3 tournaments are kept already"):
        await south.away.follow(NORTH, ids[2])
    await south.away.forget(1)
    assert await south.away.follow(NORTH, ids[2]) == 4


async def test_what_is_forgotten_is_neither_shown_nor_asked_for(
    house: TestHall, south: South
) -> None:
    id = await opened(house)
    await south.away.follow(NORTH, id)
    await south.away.forget(1)
    await until(lambda: south.running == 0)
    for forgotten in (south.away.shown, south.away.forget):
        with pytest.raises(NoSuchTournament, match="followed here"):
            await forgotten(1)
    await south.restart()
    assert (await south.away.page(0, 10), south.running) == ([], 0)
    # Programs may still ask for that number: it is never another tournament's.
    assert await south.away.follow(NORTH, await opened(house)) == 2
    assert await south.away.follow(NORTH, id) == 1
    assert (await south.away.shown(1))[1] == await house.hall.tournaments.shown(id)


async def test_an_answer_that_comes_too_late_does_not_bring_it_back(
    house: TestHall, south: South
) -> None:
    id = await opened(house)
    await south.away.follow(NORTH, id)
    south.north.answering.clear()
    await polls(south.north, 1)
    await south.away.forget(1)
    await house.hall.tournaments.enter_bots(id, ["random"])
    south.north.answering.set()
    await until(lambda: south.running == 0)
    await south.restart()
    assert await south.away.page(0, 10) == []


async def test_the_end_is_kept_once_the_store_takes_it(
    house: TestHall, south: South, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await opened(house)
    await south.away.follow(NORTH, id)
    really = south.store.put_fact

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        raise Unavailable

    monkeypatch.setattr(south.store, "put_fact", put_fact)
    final = await play(house, id)
    await polls(south.north, 3)
    assert not (await south.followed()).over
    monkeypatch.setattr(south.store, "put_fact", really)
    await until(lambda: south.running == 0)
    assert (await south.away.shown(1))[1] == final


async def test_a_write_whose_answer_got_lost_is_found_again(
    house: TestHall, south: South, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await opened(house)
    really = south.store.put_fact

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        await really(key, value, before)
        raise Unavailable

    monkeypatch.setattr(south.store, "put_fact", put_fact)
    with pytest.raises(Unavailable):
        await south.away.follow(NORTH, id)
    monkeypatch.setattr(south.store, "put_fact", really)
    south.clock.advance(1000)
    assert await south.away.follow(NORTH, id) == 1
    assert await south.away.follow(NORTH, await opened(house)) == 2
    await south.restart()
    assert len(await south.away.page(0, 10)) == 2


async def test_a_store_that_is_away_at_the_start(
    house: TestHall, south: South, monkeypatch: pytest.MonkeyPatch
) -> None:
    await south.away.follow(NORTH, await opened(house))
    await south.stop()
    await south.start()
    monkeypatch.setattr(away_module, "AGAIN_SECONDS", 0.001)
    really, tried = south.store.facts, []

    async def facts(prefix: str, after: str, limit: int) -> list[object]:
        tried.append(prefix)
        raise Unavailable

    monkeypatch.setattr(south.store, "facts", facts)
    starting = asyncio.create_task(south.away.run())
    await until(lambda: len(tried) > 2)
    with pytest.raises(Unavailable):
        await south.away.page(0, 10)
    monkeypatch.setattr(south.store, "facts", really)
    await asyncio.wait_for(starting, LIMIT_SECONDS)
    followed = await south.followed()
    await until(lambda: followed.reachable)


async def test_more_than_one_page_is_read_at_the_start(house: TestHall, south: South) -> None:
    id = await opened(house)
    await play(house, id)
    for number in range(23):
        await south.away.follow(f"http://hall{number}:8000", id)
    await south.restart()
    assert [each.id for each in await south.away.page(0, 100)] == list(range(1, 24))
    assert await south.away.follow("http://hall23:8000", id) == 24
