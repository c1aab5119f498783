"""What players report of others is kept, bounded, and there after a restart."""

from __future__ import annotations

import asyncio

import pytest

from gamehall.errors import BadRequest, NoSuchPlayer, NoSuchTable, RateLimited, Unavailable
from gamehall.hall.records import reports
from gamehall.hall.records.reports import Report
from gamehall.store.people import Player
from tests.hall.halls import FakeLink, TestHall
from tests.hall.test_replays import match


def who(link: FakeLink) -> Player:
    assert link.online is not None
    return link.online.player


async def take(
    house: TestHall, reporter: FakeLink, reported: FakeLink, text: str, table: int | None = None
) -> int:
    return await house.hall.reports.take(who(reporter), who(reported).id, table, text)


def texts(found: list[Report]) -> list[str]:
    return [report.text for report in found]


async def test_a_report_has_the_last_lines_of_chat(house: TestHall) -> None:
    table, anna, bob = await match(house, "connect-four", {})
    for number in range(12):
        house.clock.advance(10_000)
        house.hall.seating.say(bob, bob.online, table, f"line {number}")  # type: ignore[arg-type]
    assert await take(house, anna, bob, "He is rude.", table) == 1
    assert await take(house, bob, anna, "She is slow.") == 2
    at_ms = house.clock.now_ms()
    await house.restart()
    second, first = await house.hall.reports.page(None, 10)
    assert (first.reporter.name, first.reported.name, first.table) == ("anna", "bob", table)
    assert (first.id, first.text, first.at_ms) == (1, "He is rude.", at_ms)
    assert [line.text for line in first.chat] == [f"line {number}" for number in range(2, 12)]
    assert {(line.player, line.name) for line in first.chat} == {(first.reported.id, "bob")}
    assert (second.text, second.table, second.chat) == ("She is slow.", None, ())
    # They are counted on from there.
    carol, dan = await house.guest("carol"), await house.guest("dan")
    assert await take(house, carol, dan, "Hm.") == 3


async def test_what_is_refused_is_not_kept(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    with pytest.raises(BadRequest):
        await take(house, anna, anna, "Me.")
    with pytest.raises(NoSuchPlayer):
        await house.hall.reports.take(who(anna), 99, None, "Who?")
    with pytest.raises(NoSuchTable):
        await take(house, anna, bob, "Where?", 99)
    assert await house.hall.reports.page(None, 10) == []


async def test_ten_an_hour(house: TestHall) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    sent = [take(house, anna, bob, str(number)) for number in range(12)]
    answers = await asyncio.gather(*sent, return_exceptions=True)
    assert sorted(answer for answer in answers if isinstance(answer, int)) == list(range(1, 11))
    assert sum(isinstance(answer, RateLimited) for answer in answers) == 2
    assert await take(house, bob, anna, "I too.") == 11
    house.clock.advance(reports.WINDOW_MS - 1)
    with pytest.raises(RateLimited):
        await take(house, anna, bob, "Again.")
    house.clock.advance(1)
    assert await take(house, anna, bob, "Again.") == 12


async def test_the_oldest_make_room(house: TestHall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "KEPT_MAX", 4)
    monkeypatch.setattr(reports, "PAGE", 3)
    anna, bob = await house.guest("anna"), await house.guest("bob")
    for number in range(1, 7):
        await take(house, anna, bob, str(number))
    await house.restart()
    page = house.hall.reports.page
    assert texts(await page(None, 10)) == ["6", "5", "4", "3"]
    assert texts(await page(None, 2)) == ["6", "5"]
    assert texts(await page(5, 2)) == ["4", "3"]
    assert texts(await page(3, 2)) == texts(await page(1, 2)) == []


async def test_a_report_that_the_store_does_not_take_is_not_counted(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")

    async def fail(key: str, value: bytes, before: bytes | None) -> bool:
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "put_fact", fail)
        for _ in range(reports.REPORTS_MAX + 1):
            with pytest.raises(Unavailable):
                await take(house, anna, bob, "Lost.")
    assert await take(house, anna, bob, "Kept.") == 1
    assert texts(await house.hall.reports.page(None, 10)) == ["Kept."]


async def test_a_report_that_was_written_in_spite_of_an_error_stays(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    really_put = house.store.put_fact

    async def fail_after(key: str, value: bytes, before: bytes | None) -> bool:
        await really_put(key, value, before)
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "put_fact", fail_after)
        with pytest.raises(Unavailable):
            await take(house, anna, bob, "In doubt.")
    assert await take(house, anna, bob, "Sure.") == 2
    assert texts(await house.hall.reports.page(None, 10)) == ["Sure.", "In doubt."]


async def test_players_whose_reports_are_counted_are_bounded(
    house: TestHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "REPORTERS_MAX", 2)
    monkeypatch.setattr(reports, "REPORTS_MAX", 1)
    people = [await house.guest(name) for name in ("anna", "bob", "carol")]
    for reporter in people[:2]:
        await take(house, reporter, people[2], "Hm.")
        with pytest.raises(RateLimited):
            await take(house, reporter, people[2], "Hm.")
    await take(house, people[2], people[0], "Hm.")
    # The one who was longest silent is no longer counted.
    await take(house, people[0], people[2], "Hm.")
