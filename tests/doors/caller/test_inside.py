"""What cannot be done from outside: seats that are lost, and rounds and tables that are ended.

The hall runs in this process; the clients and their sockets are real.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gamehall.config import load
from gamehall.errors import HallError
from gamehall.hall.beat.requests import Ask, Done
from gamehall.server import Server, start_server
from gamehall.table_log import house
from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import QUICK
from tests.doors.caller.playing import CAN_START, WAIT

LOST = "You have lost your seat. Send anything to sit down again."


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    server = await start_server(
        load(None, {}, QUICK), data=tmp_path, host="127.0.0.1", port=0, doors={"caller": 0}
    )
    try:
        yield server
    finally:
        await server.stop(0)


async def join(server: Server, name: str) -> Caller:
    return await Caller.join(int(dict(server.doors)["caller"].rpartition(":")[2]), name)


async def done(server: Server, player: int | None, command: house.Leave | house.Close) -> None:
    table = await server.hall.house_tables.table("bingo")
    answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
    server.hall.rooms.tables.put(Ask(table, player, command, answered.set_result))
    assert isinstance(await answered, Done)


async def test_whose_seat_was_given_up_sits_down_again_without_its_card(server: Server) -> None:
    anna, bob = await join(server, "anna"), await join(server, "bob")
    anna.say("/start")
    await bob.new_card()
    (player,) = [
        id for id, here in server.hall.rooms.players.online.items() if here.player.name == "bob"
    ]
    await done(server, player, house.Leave("kicked"))
    await bob.message(LOST)
    bob.say("READY")
    await bob.message(WAIT)
    assert len(bob.dealt) == 1, "a lost round is lost"
    anna.say("/quit")
    await bob.message("Nobody is left in the round.")
    bob.say("/start")
    await bob.new_card(1)


async def test_a_round_that_is_called_off(server: Server) -> None:
    anna = await join(server, "anna")
    anna.say("/start")
    await anna.number(1)
    await server.hall.seating.void(1, "a | in the\nwrong place")
    await anna.message("The round has been called off: a / in the wrong place")
    late = await join(server, "late")
    assert late.messages[1] == CAN_START
    await anna.message(CAN_START, 2)
    anna.say("/start")
    await anna.new_card(1)


async def test_a_table_that_is_closed_is_replaced(server: Server) -> None:
    anna, bob = await join(server, "anna"), await join(server, "bob")
    anna.say("/start")
    await bob.number(1)
    await done(server, None, house.Close("fault"))
    for player in (anna, bob):
        await player.message(LOST)
        player.say("READY")
        await player.message(CAN_START, 2)
    bob.say("/start")
    await anna.new_card(1)
    await bob.new_card(1)
