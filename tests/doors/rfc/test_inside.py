"""What cannot be done from outside: a round that is called off, and a client that does not read.

The hall runs in this process; the clients and their sockets are real.
"""

from __future__ import annotations

import asyncio
import hashlib
import socket
from pathlib import Path

import pytest

from gamehall.errors import HallError
from gamehall.hall.beat.requests import Ask, Done
from gamehall.server import Server
from gamehall.table_log import house
from gamehall.wire.net.serial import SerialLink
from tests.doors.mario.clients import MarioClient
from tests.doors.rfc.clients import Speaker
from tests.doors.rfc.halls import PATIENT
from tests.doors.rfc.inside import hall_inside, visit

HASTY = ("sicbo.betting_seconds=0.05", "sicbo.reveal_seconds=0", "sicbo.pause_seconds=0")
both = pytest.mark.parametrize("door", ["rfc", "mario"])


@both
async def test_a_round_that_is_called_off(tmp_path: Path, door: str) -> None:
    async with hall_inside(tmp_path, *PATIENT) as server:
        client = await visit(server, door)
        await client.bet("BIG", 1000)
        (commitment,) = {
            said["payload"]["commitment"]
            for said in map(client.said, client.log)
            if said is not None and said["action"] == "round_state"
        }
        assert await client.balance() == 999_000
        table = await server.hall.house_tables.table("sicbo")
        await server.hall.seating.void(table, "power failure")
        state = await client.told("round_state", status="FINISH")
        over = await client.told("game_over")
        assert state["roundId"] == over["roundId"] == "R1"
        assert over["reason"] == "power failure"
        assert hashlib.sha256(bytes.fromhex(over["secret"])).hexdigest() == commitment
        assert await client.balance() == 1_000_000
        assert client.actions("R1")[-2:] == ["FINISH", "game_over"]
        info = (await client.table_info())["tableInfo"]
        assert (info["status"], info["dice"], info["result"]) == ("FINISH", [], "")
        assert await client.refused("place_bet", {"side": "BIG", "amount": 1}) == (
            "BET_WINDOW_CLOSED"
        )
        assert await client.new_round() == "R2"
        assert (await client.table_info())["histories"] == []
        await client.close()


async def test_a_planned_stop(tmp_path: Path) -> None:
    async with hall_inside(tmp_path, *PATIENT) as server:
        rfc, mario = await visit(server, "rfc"), await visit(server, "mario")
        player = await visit(server, "mario")
        assert isinstance(player, MarioClient)
        await player.log_in("someone", zone="ConnectFourZone")
    for client in (rfc, mario, player):
        assert await client.closed() == 1001
    # Only the native dialect has a word for it.
    assert rfc.waiting == mario.waiting == []
    assert await player.told("going_away") == {"seconds": 0}


@both
async def test_who_does_not_read_is_skipped_but_gets_what_it_is_owed(
    tmp_path: Path, door: str
) -> None:
    async with hall_inside(tmp_path, *HASTY, "limits.unsent_bytes=10000") as server:
        slow, other = await visit(server, door), await visit(server, door)
        link = link_of(server, slow)
        transport = link.channel._transport
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        slow.stop_reading()
        # Until the rounds that go by are more than it may leave unread.
        while not link.channel._skipped:
            await other.new_round()
        round = await bet_in_some_round(other)
        paid = await other.told("payout", roundId=round)
        await lengthen_rounds(server)
        last = int((await other.new_round())[1:])
        slow.go_on_reading()
        assert await slow.told("payout", roundId=round) == paid
        # Nothing is told of this round for an hour, but the state that makes up for it all.
        await slow.until(lambda: last in rounds_of(slow) or None, "how the round stands")
        heard = rounds_of(slow)
        assert set(range(heard[0], last)) - set(heard), "nothing was skipped"
        for client in (slow, other):
            await client.close()


async def lengthen_rounds(server: Server) -> None:
    """The next round takes bets for an hour."""
    answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
    options = {"betting_seconds": 3600.0, "reveal_seconds": 0.0, "pause_seconds": 0.0}
    command = house.SetOptions({**options, "bet_max": 1000})
    server.hall.rooms.tables.put(Ask(1, None, command, answered.set_result))
    assert isinstance(await answered, Done)


async def bet_in_some_round(client: Speaker) -> str:
    """The round that has taken it: they are short."""
    while True:
        answer = await client.request("place_bet", {"side": "BIG", "amount": 10})
        if answer["action"] == "bet_accepted":
            round: str = answer["payload"]["roundId"]
            return round
        assert client.code_of(answer) == "BET_WINDOW_CLOSED"


def link_of(server: Server, client: Speaker) -> SerialLink:
    """The hall's side of the connection."""
    port = client._socket.local_address[1]
    for link in server.hall.rooms.audiences.of(1).spectators:
        assert isinstance(link, SerialLink)
        if link.channel._transport.get_extra_info("peername")[1] == port:
            return link
    raise AssertionError("it follows nothing")


def rounds_of(client: Speaker) -> list[int]:
    """The rounds whose state it was told, in order."""
    said = [client.said(message) or {} for message in client.log]
    states = [each["payload"] for each in said if each.get("action") == "round_state"]
    return [int(state["roundId"][1:]) for state in states]
