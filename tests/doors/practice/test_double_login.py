"""One id, two connections: one that lives keeps it, one that is dead gives way."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from websockets.frames import Opcode

from tests.doors.practice import stones
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors, new_id, new_name
from tests.doors.practice.playing import (
    Match,
    all_of,
    match,
    over,
    play,
    resumed,
    whole_game,
)
from tests.doors.practice.shapes import ELSEWHERE, LOGGED_IN, START, TOLD, WAITING
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS


async def turned_away(client: Practice, player: Practice) -> None:
    """The id is in use, and this client is nobody."""
    told = await client.next()
    assert (told["code"], told["id"]) == (ELSEWHERE, player.id)
    assert told["info"] == {"name": player.name}
    assert client.id is None


# One that lives


async def test_a_live_connection_keeps_its_id(at: Visitors) -> None:
    anna, bob = await at.pair()
    other = await at.stranger()
    for _ in range(3):
        other.log_in("whoever", anna.id)
        await turned_away(other, anna)
    await other.quiet()
    other.seek("four_stone")
    assert await other.error() == "not_logged_in"
    # To the one who was first nothing has happened.
    await anna.quiet()
    await whole_game(anna, bob)
    other.log_in(new_name("other"))
    await other.take(LOGGED_IN)
    await whole_game(other, anna)


async def test_in_the_middle_of_a_game(at: Visitors) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    other = await at.stranger(address="127.0.0.2")
    other.log_in("whoever", game.first.id)
    await turned_away(other, game.first)
    await play(game, stones.FIRE_WINS, 1)
    await over(game, 0, "one_stone")
    for client in (*game.players, other):
        await client.quiet()


async def test_after_a_logout_the_id_is_free_for_another_connection(at: Visitors) -> None:
    anna = await at.player("anna")
    other = await at.stranger()
    other.log_in("whoever", anna.id)
    await turned_away(other, anna)
    id = anna.id
    anna.send(200003)
    assert await anna.error() == "logged_out"
    other.log_in("whoever", id)
    await other.take(LOGGED_IN, name=anna.name)
    anna.log_in("whoever", id)
    await turned_away(anna, other)


async def test_after_a_close_the_id_is_free(at: Visitors) -> None:
    anna = await at.player("anna")
    for end in ("close", "reset"):
        await getattr(anna, end)()
        anna = await at.back(anna)
    await anna.quiet()


async def test_many_with_one_new_id_at_once(at: Visitors) -> None:
    """One of them has it; the others are told so."""
    for own in (new_id(), 98_765):
        clients = [await at.stranger() for _ in range(8)]
        for client in clients:
            client.log_in(new_name("same"), own)
        codes = [(await client.next())["code"] for client in clients]
        assert sorted(codes) == [LOGGED_IN] + [ELSEWHERE] * 7
        for client in clients:
            await client.quiet()


async def test_what_was_sent_behind_a_login_is_answered_after_it(at: Visitors) -> None:
    anna = await at.player("anna")
    other = await at.stranger()
    other.log_in("whoever", anna.id)
    other.seek("four_stone")
    other.log_in(new_name("other"))
    other.seek("no such game")
    await turned_away(other, anna)
    assert await other.error() == "not_logged_in"
    await other.take(LOGGED_IN)
    assert await other.error() == "no_such_game"


# One that is dead


ways = pytest.mark.parametrize("way", ["half closed", "deaf"])


def dies(client: Practice, way: str) -> None:
    """Without an end that the hall is told of, or without any."""
    if way == "half closed":
        client.shut()
    else:
        client.deaf = True


async def test_a_dead_connection_is_replaced(at: Visitors) -> None:
    anna = await at.player("anna")
    anna.shut()
    again = await at.back(anna)
    await anna.end()
    await again.quiet()
    await whole_game(again, await at.player("bob"))


@ways
async def test_a_dead_connection_in_a_game(at: Visitors, way: str) -> None:
    game = await match(*await at.pair())
    await play(game, "0302 0001 0203")
    dies(game.first, way)
    again = await at.back(game.first)
    await resumed(again, game, 0, "0302 0001 0203")
    await game.first.end()
    game = game.with_(0, again)
    # To the other nothing has happened.
    await game.second.quiet()
    await play(game, "0302 0001 0203 0100 1312", 3)


async def test_a_dead_connection_that_waited(at: Visitors) -> None:
    """The new one does not wait: it has not said so."""
    anna, bob = await at.pair()
    anna.seek("four_stone")
    await anna.take(WAITING)
    anna.shut()
    again = await at.back(anna)
    bob.seek("four_stone")
    await bob.take(WAITING)
    for player in (again, bob):
        await player.quiet()
    again.seek("four_stone")
    await again.take(WAITING)
    assert {(await player.take(START))["move_turn"] for player in (again, bob)} == {0, 1}


async def test_several_who_would_replace_a_dead_one(at: Visitors) -> None:
    anna = await at.player("anna")
    anna.deaf = True
    clients = [await at.stranger() for _ in range(4)]
    for client in clients:
        client.log_in("whoever", anna.id)
    codes = [(await client.next())["code"] for client in clients]
    assert sorted(codes) == [LOGGED_IN] + [ELSEWHERE] * 3
    for client in clients:
        await client.quiet()


async def test_who_asks_for_a_dead_ones_place_and_goes(at: Visitors) -> None:
    """While the dead one is still waited for."""
    anna = await at.player("anna")
    anna.deaf = True
    hasty = await at.stranger()
    hasty.log_in("whoever", anna.id)
    await anna.until(lambda: anna.pings > 0)
    await hasty.reset()
    again = await at.back(anna)
    await again.quiet()


async def test_one_that_answers_late_but_answers_is_alive(at: Visitors) -> None:
    anna = await at.player("anna")
    anna.stop_reading()
    other = await at.stranger()
    other.log_in("whoever", anna.id)
    other.send(0)
    anna.read_on()
    await turned_away(other, anna)
    assert await other.error() == "not_logged_in"
    await anna.quiet()


async def test_a_pong_that_nobody_asked_for_changes_nothing(at: Visitors) -> None:
    anna = await at.player("anna")
    for data in (b"", b"x", b"\0" * 125):
        anna.write(anna.frame(Opcode.PONG, data))
    await anna.quiet()


STOPPED = """
import json, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

url, name = sys.argv[1:]
with connect(url) as socket:
    socket.send(json.dumps({"code": 200002, "id": "", "info": {"name": name}, "timestamp": 0}))
    print(socket.recv(), flush=True)
    socket.send(json.dumps({"code": 200004, "id": "", "info": {"game_id": "four_stone"}}))
    try:
        while True:
            print(socket.recv(), flush=True)
    except ConnectionClosed:
        print("closed", flush=True)
"""


async def test_a_process_that_is_stopped(at: Visitors, hall: HallProcess) -> None:
    """Its machine still takes what is sent, but nobody answers."""
    url = f"ws://127.0.0.1:{hall.ports['practice']}/"
    program = [sys.executable, "-c", STOPPED, url, new_name("anna")]
    with Process(program=program) as process:
        await asyncio.to_thread(process.wait_until, lambda: len(process.stdout) == 2)
        told = json.loads(process.stdout[0])
        assert told["code"] == LOGGED_IN
        bob = await at.player("bob")
        bob.seek("four_stone")
        await bob.take(WAITING)
        start = await bob.take(START)
        await asyncio.to_thread(process.wait_until, lambda: len(process.stdout) == 3)
        anna = await at.stranger()
        anna.log_in("whoever", told["id"])
        assert (await anna.next())["code"] == ELSEWHERE
        os.kill(process.pid, signal.SIGSTOP)
        await is_stopped(process.pid)
        anna.log_in("whoever", told["id"])
        await anna.take(LOGGED_IN, name=told["info"]["name"])
        players = (anna, bob) if start["move_turn"] == 1 else (bob, anna)
        game = Match(*players, start["room"])
        await resumed(anna, game, 1 - start["move_turn"], "")
        os.kill(process.pid, signal.SIGCONT)
        await asyncio.to_thread(process.wait)
        # It hears of nothing but the end.
        assert process.stdout[3:] == ["closed"], process.report()
    await play(game, stones.WATER_WINS)
    await over(game, 1, "one_stone")


async def is_stopped(pid: int) -> None:
    """Returns when none of its threads runs any more."""
    async with asyncio.timeout(WAIT_SECONDS):
        while states(pid) != {"T"}:
            await asyncio.sleep(0.01)


def states(pid: int) -> set[str]:
    """Those of its threads."""
    stats = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return {stat.rpartition(")")[2].split()[0] for stat in stats}


async def test_many_dead_ones_at_once(at: Visitors) -> None:
    """Each is waited for on its own: nobody waits for another's."""
    players = [await at.player("anna") for _ in range(10)]
    for player in players:
        player.deaf = True
    busy = asyncio.create_task(whole_game(*await at.pair()))
    again = await all_of(*(at.back(player) for player in players))
    await busy
    for player in again:
        await player.quiet()
    for player in players:
        await player.end()
    assert not any(m["code"] == TOLD for player in players for m in player.left_over)
