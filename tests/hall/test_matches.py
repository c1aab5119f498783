"""Matches of portals inside the hall: bounds, scores, and a store that is away for a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamehall.errors import (
    BadRequest,
    HallError,
    NoSuchMatch,
    RoundOver,
    SeatTaken,
    TooMany,
    Unavailable,
)
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Outcome
from gamehall.games.two_in_turn import Resign
from gamehall.hall.arena.as_server import course as match_course
from gamehall.hall.arena.as_server import matches
from gamehall.hall.arena.as_server.book import Match
from gamehall.hall.arena.as_server.matches import Progress
from gamehall.hall.beat.requests import Done
from gamehall.store.lists import TableInfo
from gamehall.table_log import house as table_house
from tests.hall.halls import LIMIT_SECONDS, FakeLink, TestHall, until

FOUR = "connect-four"
DAY_MS = 86_400_000


class Pointed(ConnectFour):
    """Connect Four with points, of which who resigns has the most."""

    def outcome(self, state: Any) -> Outcome | None:
        outcome = super().outcome(state)
        if outcome is None or not outcome.winners:
            return outcome
        (winner,) = outcome.winners
        return msgspec.structs.replace(outcome, scores={winner: 2, 1 - winner: 5})


class House(TestHall):
    """With everything that the hall has told of matches."""

    async def start(self) -> None:
        await super().start()
        self.told: list[Match] = []
        self.hall.matches.listen(self.told.append)
        await self.hall.matches.course.start()

    async def create(self, number: int, uids: tuple[int, int] = (7, 8), key: str = "key") -> Match:
        return await self.hall.matches.create(FOUR, number, uids, key)

    async def claim(self, link: FakeLink, uid: int, key: str = "key") -> Done | HallError:
        answers: list[Done | HallError] = []
        assert link.online is not None
        claim = self.hall.matches.claim
        await claim(link, link.online, uid, key, None, answers.append)
        (answer,) = answers
        return answer

    async def play(self, number: int, uids: tuple[int, int] = (7, 8), key: str = "key") -> None:
        """A match that uid1 loses."""
        await self.create(number, uids, key)
        first, second = await self.guest("first"), await self.guest("second")
        await self.claim(first, uids[0], key)
        seated = await self.claim(second, uids[1], key)
        assert isinstance(seated, Done)
        await self.ask(first, seated.table, Resign())
        await until(lambda: self.ended(number))

    def ended(self, number: int) -> bool:
        return any(match.number == number and match.over for match in self.told)

    def owed(self) -> list[int]:
        return [match.number for match in self.hall.matches.owed(FOUR)]


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[House]:
    at = House(tmp_path)
    await at.start()
    yield at
    await at.stop()


async def test_what_is_told_of_a_match_is_written_before(at: House) -> None:
    await at.play(1000)
    assert [(m.started, m.scores, m.how) for m in at.told] == [
        (True, None, None),
        (True, (0, 1), "played"),
    ]
    await at.restart()
    assert await at.hall.matches.progress(1000, FOUR) == Progress(2, (0, 1))
    assert await at.hall.matches.progress(1000) == Progress(2, (0, 1))
    assert at.owed() == [1000]
    with pytest.raises(NoSuchMatch):
        await at.hall.matches.progress(1001)
    with pytest.raises(NoSuchMatch):
        await at.hall.matches.progress(1000, "bingo-duel")


async def test_the_winner_has_more_points_also_than_who_resigned(tmp_path: Path) -> None:
    at = House(tmp_path, {FOUR: Pointed()})
    await at.start()
    await at.play(1000)
    assert at.told[-1].scores == (5, 6)
    await at.stop()


async def test_a_round_that_is_called_off_is_nothing_to_nothing(at: House) -> None:
    await at.create(1000)
    first, second = await at.guest("first"), await at.guest("second")
    await at.claim(first, 7)
    seated = await at.claim(second, 8)
    assert isinstance(seated, Done)
    await at.ask_hall(seated.table, table_house.Void("the stream was down"))
    await until(lambda: at.ended(1000))
    assert at.told[-1].scores == (0, 0)
    assert at.told[-1].how == "called_off"


async def test_after_a_restart_the_end_is_noticed(at: House) -> None:
    await at.create(1000)
    first = FakeLink()
    welcome = await at.hall.people.hello(first, "first", None)
    await at.claim(first, 7)
    seated = await at.claim(await at.guest("second"), 8)
    assert isinstance(seated, Done)
    await at.restart()
    await until(lambda: at.owed() == [1000])
    again = FakeLink()
    await at.hall.people.hello(again, None, welcome.token)
    await at.ask(again, seated.table, Resign())
    await until(lambda: at.ended(1000))


async def test_nobody_waits_for_a_match_that_ended_before_a_crash(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at.create(1000)
    seated = await at.claim(await at.guest("first"), 7)
    assert isinstance(seated, Done)
    with monkeypatch.context() as crash:
        crash.setattr(match_course.MatchCourse, "send_away", lambda course, table: None)
        at.clock.advance(300_000)
        await until(lambda: at.ended(1000))
        await at.restart()
    await at.restart()
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await info(at, seated.table)).status != "closed":
            await asyncio.sleep(0.01)


async def info(at: House, table: int) -> TableInfo:
    found = await at.store.table(table)
    assert found is not None
    return found


async def test_an_end_that_is_not_written_yet_is_an_end(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = at.store.put_fact

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        if b'"scores":[' in value:
            raise Unavailable
        return await real(key, value, before)

    monkeypatch.setattr(at.store, "put_fact", put_fact)
    await at.create(1000)
    first, second = await at.guest("first"), await at.guest("second")
    await at.claim(first, 7)
    seated = await at.claim(second, 8)
    assert isinstance(seated, Done)
    await at.ask(first, seated.table, Resign())
    with pytest.raises(RoundOver):
        await at.claim(second, 8)


async def test_results_are_told_again_for_a_week_and_no_more_than_so_many(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_course, "TOLD_AGAIN_MAX", 3)
    for number in range(1000, 1005):
        await at.play(number, key=f"key {number}")
        at.clock.advance(DAY_MS)
    assert at.owed() == [1002, 1003, 1004]
    await at.restart()
    assert at.owed() == [1002, 1003, 1004], "in the order of their ends"
    at.clock.advance(5 * DAY_MS)
    assert at.owed() == [1004]
    at.clock.advance(2 * DAY_MS)
    assert at.owed() == []
    await at.restart()
    assert at.owed() == []


async def test_only_so_many_wait_to_be_played(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "OPEN_MAX", 2)
    await at.create(1000)
    await at.create(1001)
    with pytest.raises(TooMany):
        await at.create(1002)
    assert (await at.create(1001)).number == 1001
    at.clock.advance(300_000)
    await until(lambda: at.ended(1000) and at.ended(1001))
    await at.create(1002)


async def test_one_key_for_several_matches(at: House) -> None:
    """The newest that is not over is meant."""
    for number in range(1000, 1003):
        await at.create(number, (7, number))
    first, other = await at.guest("first"), await at.guest("other")
    seated = await at.claim(first, 7)
    assert isinstance(seated, Done)
    with pytest.raises(SeatTaken):
        await at.claim(first, 1002)
    await at.claim(other, 1002)
    await at.ask(other, seated.table, Resign())
    await until(lambda: at.ended(1002))
    older = await at.claim(first, 7)
    assert isinstance(older, Done)
    assert older.table != seated.table
    with pytest.raises(RoundOver):
        await at.claim(other, 1002)


async def test_the_same_match_from_two_links_at_once(at: House) -> None:
    made = await asyncio.gather(*(at.create(1000) for _ in range(5)))
    assert set(made) == {made[0]}
    clash = await asyncio.gather(
        *(at.create(1001, (7, uid)) for uid in range(8, 13)), return_exceptions=True
    )
    assert [type(each) for each in clash].count(Match) == 1
    assert [type(each) for each in clash].count(BadRequest) == 4


async def test_an_end_waits_for_a_store_that_is_away(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_course, "AGAIN_SECONDS", 0.01)
    await at.create(1000)
    real, failures = at.store.put_fact, 3

    async def put_fact(key: str, value: bytes, before: bytes | None) -> bool:
        nonlocal failures
        if failures:
            failures -= 1
            raise Unavailable
        return await real(key, value, before)

    monkeypatch.setattr(at.store, "put_fact", put_fact)
    at.clock.advance(300_000)
    await until(lambda: at.ended(1000))
    assert failures == 0
    assert at.told[-1].scores == (0, 0)
