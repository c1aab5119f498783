"""Matches of two-player Bingo as anyone may watch them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gamehall.games.bingo_duel import BingoDuel
from gamehall.store.appends import Answer, Append
from gamehall.table_log.house import Person, Sit
from tests.hall.halls import TestHall


async def test_what_was_shown_is_shown_on_while_nobody_knows_what_became_of_a_write(
    house: TestHall,
) -> None:
    rooms = house.hall.rooms
    table = await rooms.tables.open(BingoDuel.name, {}, drawn=False)
    written = asyncio.Event()

    async def sit(name: str) -> None:
        link = await house.guest(name)
        assert link.online is not None
        await house.ask(link, table, Sit(Person(link.online.player.id, name)))

    def write_and_tell_nobody(append: Append, done: Callable[[Answer], None]) -> None:
        house.store.really_append(append, lambda answer: written.set())

    await sit("anna")
    house.store.script.append(write_and_tell_nobody)
    sits = asyncio.create_task(sit("bob"))
    await written.wait()
    first, again = [
        await rooms.duel_rooms.now(await rooms.reading.table(table, None)) for _ in range(2)
    ]
    assert first.names.uids == ("anna", "bob")
    assert again == first
    sits.cancel()
