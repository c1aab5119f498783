"""How many watch a table: counted by connection, told seldom."""

from __future__ import annotations

from gamehall.hall.people.notices import TableView, Watching
from tests.hall.halls import FakeLink, TestHall, until


async def match(house: TestHall) -> tuple[int, FakeLink, FakeLink]:
    anna, bob = await house.guest("anna"), await house.guest("bob")
    assert anna.online is not None
    assert bob.online is not None
    table = await house.hall.new_tables.open_match(
        (anna.online, bob.online), "connect-four", {}, drawn=False, rated=False, origin="t"
    )
    await until(lambda: any(view.status == "playing" for view in bob.of(TableView)))
    return table, anna, bob


async def watch(house: TestHall, link: FakeLink, table: int) -> None:
    await house.hall.seating.watch(link, table, None)
    await house.hall.seating.send_view(link, table)


def counts(link: FakeLink) -> list[int]:
    return [notice.count for notice in link.of(Watching)]


async def test_who_comes_and_goes_is_counted_once_a_second(house: TestHall) -> None:
    table, anna, _ = await match(house)
    carol, dan = await house.guest("carol"), await house.guest("dan")
    await watch(house, carol, table)
    await watch(house, dan, table)
    # Each sees itself at once; the others are told later, and all together.
    assert [link.of(TableView)[-1].watching for link in (carol, dan)] == [1, 2]
    assert counts(anna) == []
    house.clock.advance(1000)
    assert counts(anna) == counts(carol) == counts(dan) == [2]
    house.hall.seating.unwatch(dan, table)
    house.hall.people.disconnected(carol)
    house.clock.advance(999)
    assert counts(anna) == [2]
    house.clock.advance(1)
    assert counts(anna) == [2, 0]
    # Who comes and goes within a second has not changed anything.
    await watch(house, dan, table)
    house.hall.seating.unwatch(dan, table)
    house.clock.advance(5000)
    assert counts(anna) == [2, 0]


async def test_every_connection_counts_but_those_of_players_do_not(house: TestHall) -> None:
    table, anna, bob = await match(house)
    await watch(house, anna, table)  # It has a seat, so it watches nothing.
    carol, again = FakeLink(), FakeLink()
    token = (await house.hall.people.hello(carol, "carol", None)).token
    await house.hall.people.hello(again, None, token)
    for link in (carol, again):
        await watch(house, link, table)
    house.clock.advance(1000)
    assert counts(bob) == [2]
    await house.hall.seating.send_view(bob, table)
    assert bob.of(TableView)[-1].watching == 2


async def test_a_crowd_is_told_more_seldom(house: TestHall) -> None:
    table, anna, _ = await match(house)
    crowd = [await house.guest(f"guest {number}") for number in range(60)]
    for link in crowd:
        await watch(house, link, table)
    house.clock.advance(1000)
    assert counts(anna) == [60]
    house.hall.people.disconnected(crowd.pop())
    house.clock.advance(5000)
    assert counts(anna) == [60]
    # A view recounts no crowd.
    await house.hall.seating.send_view(anna, table)
    assert anna.of(TableView)[-1].watching == 60
    house.clock.advance(6000)
    assert counts(anna) == [60, 59]


async def test_bots_and_tables_that_are_gone_tell_nothing(house: TestHall) -> None:
    anna = await house.guest("anna")
    assert anna.online is not None
    opened = await house.hall.new_tables.open_table(
        anna.online, "sicbo", {}, private=False, bots=["random"], request=None
    )
    await watch(house, anna, opened.table)
    house.clock.advance(1000)
    assert counts(anna) == [1]
    house.hall.seating.unwatch(anna, opened.table)
    house.hall.rooms.audiences.forget(opened.table)
    house.clock.advance(1000)
    assert house.hall.rooms.audiences.watching(opened.table) == 0
