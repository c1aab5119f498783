"""Who has no way to answer a challenge is not listed; and what comes of a table afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.doors.caller.clients import Caller
from tests.doors.duel import packets
from tests.doors.duel.clients import Client as Duelist
from tests.doors.four.halls import Visitors, new_name, open_hall
from tests.doors.four.natives import Native
from tests.doors.four.playing import (
    WON_BY_FIRST,
    WON_BY_SECOND,
    over,
    over_for,
    play,
    start,
    whole_game,
)
from tests.doors.mario.clients import MarioClient
from tests.doors.native.playing import GAME
from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    doors = ("native-tcp", "four", "caller", "duel", "mario")
    with open_hall(tmp_path_factory.mktemp("hall"), doors=doors) as hall:
        yield hall


async def test_who_cannot_answer_is_not_listed(at: Visitors) -> None:
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    mario = await MarioClient.visit(at.hall)
    gambler = new_name("mario").replace(" ", "")
    await mario.log_in(gambler)
    caller = await Caller.join(at.hall.ports["caller"], new_name("caller"))
    duelist = await asyncio.to_thread(Duelist, at.hall.ports["duel"])
    duelist.hello("7:8:1:the key:fast")
    await asyncio.to_thread(duelist.take, packets.ACCEPTED)
    assert nora.id in (listed := await anna.ids())
    online = (await nora.client.ask("list_players", limit=200))["players"]
    assert gambler in {player["name"] for player in online}, "it is there, and yet not listed"
    for player in online:
        if player["id"] not in (nora.client.id, anna.number):
            id = f"player_{player['id']}"
            assert id not in listed
            anna.challenge(id)
            assert await anna.error()
    await asyncio.to_thread(duelist.close)
    await caller.close()
    await mario.close()


async def test_nobody_takes_a_seat_of_another_door(at: Visitors) -> None:
    nora = await at.native("nora")
    name = new_name("caller")
    caller = await Caller.join(at.hall.ports["caller"], name)
    caller.say("/start")
    await caller.new_card()
    online = (await nora.ask("list_players", limit=200))["players"]
    (seated,) = [player["id"] for player in online if player["name"] == name]
    await caller.reset()
    thief = await (await at.stranger()).register(name)
    assert thief.id != f"player_{seated}"
    await thief.quiet()
    again = await Caller.join(at.hall.ports["caller"], name)
    assert again.dealt == caller.dealt
    await again.close()


async def test_bots_of_the_house_are_not_listed(at: Visitors) -> None:
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    table = (await nora.client.ask("open_table", game=GAME, bots=1))["table"]
    await nora.client.ask("sit", table=table)
    view = await nora.client.notice("table_view", table=table, status="playing")
    (bot,) = [player["id"] for player in view["players"] if "bot" in player]
    assert not {f"player_{bot}", nora.id} & set(await anna.ids())
    anna.challenge(f"player_{bot}")
    assert await anna.error()
    await nora.client.ask("leave", table=table)
    await nora.client.notice("table_over", table=table)
    assert nora.id in (listed := await anna.ids())
    assert f"player_{bot}" not in listed
    anna.challenge(f"player_{bot}")
    assert await anna.error()


async def test_the_journal_of_a_game_can_be_verified(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)
    source = f"{at.hall.web_url}/api/tables/{game}/journal"
    with Process("verify", source) as verify:
        assert await asyncio.to_thread(verify.wait) == 0, verify.report()
    assert verify.stdout[-1].startswith("Verified"), verify.report()
    rows = await asyncio.to_thread(read_lines, source)
    events = [event for row in rows for event in row.get("events", ())]
    dropped = [event["column"] for event in events if event["type"] == "dropped"]
    assert dropped == list(WON_BY_FIRST)
    seated = [event["person"]["name"] for event in events if event["type"] == "seated"]
    assert seated == [anna.name, bob.name]


async def test_the_table_closes_when_nobody_can_want_another_round(at: Visitors) -> None:
    anna, bob = await at.pair()
    nora = await at.native("nora")
    game = await start(anna, bob)
    await play(anna, bob, WON_BY_SECOND)
    await over(anna, bob, bob)
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            listed = await nora.ask("list_tables", status="closed", after=game - 1)
            if game in [table["id"] for table in listed["tables"]]:
                break
            await asyncio.sleep(0.05)


async def test_a_game_that_is_called_off(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await play(anna, bob, (3, 3))
    await asyncio.to_thread(void, at.hall, game)
    for player in (anna, bob):
        assert await over_for(player, None)
        await player.quiet()
    await whole_game(anna, bob)


def read_lines(source: str) -> list[dict[str, Any]]:
    with urlopen(source) as answer:
        return [json.loads(line) for line in answer]


def void(hall: HallProcess, table: int) -> None:
    token = (hall.data / "operator-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"{hall.web_url}/api/tables/{table}/void"
    with urlopen(Request(address, b'{"reason": "a test"}', headers)) as answer:
        assert answer.status == 200
