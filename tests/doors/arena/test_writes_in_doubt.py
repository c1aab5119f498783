"""What is written although the store could not say so, or although who asked for it was gone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gamehall.errors import NoSuchMatch, Unavailable
from gamehall.games.two_in_turn import Resign
from gamehall.hall.arena.as_portal.facts import Match, MatchStatus
from gamehall.hall.arena.as_server import course as match_course
from gamehall.hall.arena.as_server.matches import Progress
from gamehall.hall.beat.requests import Done
from gamehall.store.sqlite import writer as sqlite_writer
from tests.doors.arena.game_server import Transport
from tests.doors.arena.portals import LONG_SECONDS, PortalHall
from tests.hall.halls import until
from tests.hall.test_matches import FOUR, House

WON = {7: (1, 1, 0, 0, 5, 3), 8: (1, 0, 0, 1, 3, 5)}


class Disk:
    """Writes all, and says of what contains `doubted` once that it may not have."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.doubted: bytes | None = None
        commit = sqlite_writer.commit

        def doubtful_commit(connection: sqlite3.Connection) -> None:
            query = "SELECT 1 FROM facts WHERE instr(value, ?)"
            found = connection.execute(query, (self.doubted,)).fetchone()
            commit(connection)
            if found is not None:
                self.doubted = None
                raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr(sqlite_writer, "commit", doubtful_commit)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    await house.start()
    yield house
    await house.stop()


# The hall as a portal


async def test_a_result_in_doubt_counts_once(
    at: PortalHall, transport: Transport, disk: Disk
) -> None:
    server, id = await at.registered(transport)
    match = (await at.made(id)).match
    disk.doubted = b'"over"'
    await server.finish(match, 5, 3)
    assert await server.read_end() == [Unavailable.message]
    await server.come()
    await at.is_so(match, status="over", score1=5, score2=3)
    assert await at.scores() == WON
    await server.finish(match, 5, 3)
    await at.made(id)
    assert await at.scores() == WON
    await at.restart()
    assert await at.scores() == WON


async def test_a_start_in_doubt_has_begun(tmp_path: Path, disk: Disk) -> None:
    at = PortalHall(tmp_path, poll_seconds=LONG_SECONDS)
    await at.start()
    server, id = await at.registered("tcp")
    match = (await at.made(id)).match
    disk.doubted = b'"running"'
    await server.start(match)
    assert await server.read_end() == [Unavailable.message]
    await server.come()
    await server.start(match)
    await at.is_so(match, status="running")
    await at.stop()


async def test_a_match_in_doubt_whose_key_nobody_knows_does_not_count(
    at: PortalHall, disk: Disk
) -> None:
    server, id = await at.registered("tcp")
    disk.doubted = b'"waiting"'
    status, body = await at.make(id)
    assert (status, body["error"]["code"]) == (503, "unavailable")
    assert (await at.match(1000))["status"] == "failed"
    server.has_played(1000, 0, 0)
    await at.restart()
    await server.come()
    await server.finish(1000, 0, 0)
    await at.made(id)
    assert (await at.match(1000))["status"] == "failed"
    assert await at.scores() == {}


async def test_a_match_in_doubt_that_could_not_be_given_up_ends_like_any_other(
    at: PortalHall, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(match: Match, *only: MatchStatus) -> None:
        raise Unavailable

    server, id = await at.registered("tcp")
    disk.doubted = b'"waiting"'
    with monkeypatch.context() as broken:
        broken.setattr(at.portal._matches, "give_up", fail)
        status, _ = await at.make(id)
    assert status == 503
    assert (await at.match(1000))["status"] == "waiting"
    server.has_played(1000, 5, 3)
    await at.is_so(1000, status="over", score1=5, score2=3)
    assert await at.scores() == WON


# The hall as a game server


async def test_start_and_result_in_doubt_are_told_and_told_again(
    house: House, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_course, "AGAIN_SECONDS", 0.01)
    await house.create(1000)
    first, second = await house.guest("first"), await house.guest("second")
    await house.claim(first, 7)
    disk.doubted = b'"started":true'
    seated = await house.claim(second, 8)
    assert isinstance(seated, Done)
    await until(lambda: house.told)
    assert disk.doubted is None
    disk.doubted = b'"scores":['
    await house.ask(first, seated.table, Resign())
    await until(lambda: house.ended(1000))
    assert [(m.started, m.scores, m.how) for m in house.told] == [
        (True, None, None),
        (True, (0, 1), "played"),
    ]
    assert house.owed() == [1000]
    assert house.hall.matches.course.open == {}


async def test_a_match_in_doubt_that_is_made_again_goes_its_way(house: House, disk: Disk) -> None:
    disk.doubted = b'"connect-four","number":1000'
    with pytest.raises(Unavailable):
        await house.create(1000)
    await house.create(1000)
    await house.play(1000)
    assert [match.scores for match in house.told] == [None, (0, 1)]
    assert house.owed() == [1000]


async def test_a_match_whose_portal_went_while_it_was_written_ends_like_any_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, writing = house.store.put_fact, asyncio.Event()

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        if key.startswith("arena-match:"):
            writing.set()
        return await real(key, value, before)

    for number in (1000, 1001):
        with monkeypatch.context() as slow:
            slow.setattr(house.store, "put_fact", put_fact)
            making = asyncio.create_task(house.create(number, key=f"key {number}"))
            await writing.wait()
            writing.clear()
            making.cancel()
            with pytest.raises(asyncio.CancelledError):
                await making
    # Behind these in the store's queue, so they are written.
    await house.play(1000, key="key 1000")
    assert house.told[-1].scores == (0, 1)
    house.clock.advance(300_000)
    await until(lambda: house.ended(1001))
    assert house.told[-1].scores == (0, 0)


async def test_a_match_that_was_never_written_leaves_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(key: str, value: bytes, before: bytes | None) -> bool:
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "put_fact", fail)
        with pytest.raises(Unavailable):
            await house.create(1000)
    await house.create(1002)
    house.clock.advance(200_000)
    with pytest.raises(NoSuchMatch):
        await house.hall.matches.progress(1000, FOUR)
    # Another one of its number has all of its own time.
    await house.create(1000, (8, 9))
    house.clock.advance(200_000)
    await until(lambda: house.ended(1002))
    assert await house.hall.matches.progress(1000, FOUR) == Progress(0)
    house.clock.advance(100_000)
    await until(lambda: house.ended(1000))
    with monkeypatch.context() as broken:
        broken.setattr(house.store, "put_fact", fail)
        with pytest.raises(Unavailable):
            await house.create(1001)
    house.clock.advance(300_000)
    await until(lambda: not house.hall.matches.course.open)
    assert not house.ended(1001)
