"""A restart with many open tables: each stays in the store until someone comes, or its timer is
due. So a hall is ready as soon as an empty one."""

from __future__ import annotations

from typing import Any

from tests.hall.halls import FakeLink, TestHall, until
from tests.hall.test_seating import me, opened, sit

TABLES = 12


async def playing(house: TestHall, tables: int, **options: Any) -> dict[int, str]:
    """Tables at which two play, each with the token of one of them."""
    tokens = {}
    for _ in range(tables):
        anna, bob = FakeLink(), await house.guest("bob")
        welcome = await house.hall.people.hello(anna, "anna", None)
        table = await opened(house, anna, options=options)
        await sit(house, anna, table)
        await sit(house, bob, table)
        tokens[table] = welcome.token
    return tokens


async def looked(house: TestHall) -> None:
    """Starts the hall, and returns when all that is due was looked at."""
    await house.hall.start()
    await house.hall.rooms.tables.waking.wake_due()


def in_memory(house: TestHall) -> set[int]:
    return {table.id for table in house.hall.reading.all_loaded()}


async def test_no_table_is_loaded_before_someone_comes(house: TestHall) -> None:
    tokens = await playing(house, TABLES)
    assert in_memory(house) == tokens.keys()
    await house.restart()
    await looked(house)
    assert in_memory(house) == set()


async def test_who_comes_back_finds_the_seat_and_loads_no_other_table(house: TestHall) -> None:
    tokens = await playing(house, TABLES)
    table, token = tokens.popitem()
    await house.restart()
    await looked(house)
    anna = FakeLink()
    await house.hall.people.hello(anna, None, token)
    await until(lambda: in_memory(house))
    assert in_memory(house) == {table}
    assert me(anna).seated.keys() == {table}


async def test_a_timer_that_fell_due_loads_its_table_and_no_other(house: TestHall) -> None:
    await playing(house, TABLES)
    (due,) = await playing(house, 1, move_seconds=30)
    await playing(house, 1, move_seconds=600)
    house.clock.advance(29_000)
    await house.stop()
    house.clock.advance(31_000)
    await house.start()
    await looked(house)
    assert in_memory(house) == {due}
