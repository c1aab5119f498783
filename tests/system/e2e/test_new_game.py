"""A game from one file, of which nothing else knows: through doors, by bots, over a crash.

tests/web/test_new_game.py plays it in the browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gamehall.client.asking import RequestRefused
from gamehall.client.native_client import NativeClient
from tests.doors.mario.clients import MarioClient
from tests.doors.practice.halls import Visitors as PracticeVisitors
from tests.doors.practice.playing import match, over
from tests.support.processes import HallProcess, Process

FILE = Path(__file__).parents[3] / "examples" / "pig.py"
GAME = "little-pig"
ZONE = "LittlePigZone"
SECONDS = 60.0
REASON = "twelve_points"
Json = dict[str, Any]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    doors = ("native-tcp", "mario", "practice")
    settings = ("practice.begin_ms=0",)
    more = (f"--game={FILE}",)
    with HallProcess(tmp_path / "data", settings=settings, doors=doors, more=more) as hall:
        yield hall


def command(view: Json) -> Json:
    """What someone careful does."""
    return {"type": "move", "roll": view["stake"] < 4}


def test_it_is_short() -> None:
    assert len(FILE.read_text().splitlines()) <= 60


def test_it_is_sound() -> None:
    with Process("check", str(FILE), "--tables=3") as process:
        assert process.wait(SECONDS) == 0, process.report()


async def test_through_mario(hall: HallProcess) -> None:
    players = [await MarioClient.visit(hall) for _ in range(2)]
    for client, name in zip(players, ("anna", "bob"), strict=True):
        await client.log_in(name, zone=ZONE)
    opened = await players[0].request("open_table", {"game": GAME})
    room = opened["payload"]["table"]
    for client in players:
        await client.request("sit", {"table": room})
    seats = {(await client.told("seated", table=room))["seat"]: client for client in players}
    view = (await seats[0].told("table_view", table=room, status="playing"))["view"]
    for number in range(200):
        mover = seats[view["turn"]]
        params = {"action": "act", "requestId": number, "payload": {"command": command(view)}}
        await mover.send([5, ZONE, room, params])
        answer = await mover.answer(number)
        assert answer["action"] == "act", answer
        # A fresh view, by joining the room once more.
        assert (await mover.call(3, ZONE, room, ""))[1] is True
        told = await mover.told("table_view", table=room, seq=answer["payload"]["seq"])
        view = told["view"]
        if told["status"] == "over":
            break
    for client in players:
        assert (await client.told("table_over", table=room))["outcome"]["reason"] == REASON
        await client.close()


async def test_through_practice(hall: HallProcess) -> None:
    at = PracticeVisitors(hall)
    game = await match(*await at.pair(), GAME)
    view: Json = {"turn": 0, "stake": 0, "scores": [0, 0]}
    while max(view["scores"]) < 12:
        game.players[view["turn"]].act(game.room, "move", roll=command(view)["roll"])
        heard = []
        for player in game.players:
            await player.room("moved", seat=view["turn"])
            heard.append((await player.room("view"))["view"])
        assert heard[0] == heard[1]
        view = heard[0]
    winner = view["scores"].index(max(view["scores"]))
    await over(game, winner, REASON)
    await at.leave()


async def test_by_bots_and_verified(hall: HallProcess) -> None:
    bot = ("bot", GAME, f"--url={hall.ws_url}", f"--rules={FILE}", "--games=1")
    with Process(*bot) as one, Process(*bot) as other:
        codes = [await asyncio.to_thread(process.wait, SECONDS) for process in (one, other)]
        assert codes == [0, 0], one.report() + other.report()
    journal = f"{hall.web_url}/api/tables/1/journal"
    with Process("verify", journal, f"--game={FILE}") as process:
        assert await asyncio.to_thread(process.wait, SECONDS) == 0, process.report()


async def moved(player: NativeClient, table: int, roll: bool) -> bool:
    """Whether it was this player's turn."""
    move = {"type": "move", "roll": roll}
    try:
        await player.request("act", {"table": table, "command": move})
    except RequestRefused as refusal:
        if refusal.code not in ("not_your_turn", "round_over"):
            raise
        return False
    return True


async def test_a_crash_in_mid_game(hall: HallProcess) -> None:
    """Against a bot of the house, killed after each of the first moves."""
    async with NativeClient(hall.ws_url, name="anna") as anna:
        opening = {"game": GAME, "bots": ["random"]}
        table = (await anna.request("open_table", opening))["table"]
        await anna.request("sit", {"table": table})
        kills, moves = 2, 0
        async with asyncio.timeout(SECONDS):
            async for notice in anna:
                if notice.action == "table_over":
                    break
                if notice.action in ("table_view", "table_events"):
                    # Rolls once and holds: that gets there too.
                    if await moved(anna, table, roll=moves % 2 == 0):
                        moves += 1
                    if moves and kills:
                        kills -= 1
                        await asyncio.to_thread(hall.restart)
        assert kills == 0
        assert notice.payload["outcome"]["reason"] == REASON
    journal = f"{hall.web_url}/api/tables/{table}/journal"
    with Process("verify", journal, f"--game={FILE}") as process:
        assert await asyncio.to_thread(process.wait, SECONDS) == 0, process.report()
