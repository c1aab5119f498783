"""The seed's flow at the `mario` door, step by step, in the shapes that existing clients read."""

from __future__ import annotations

import asyncio

import pytest

from tests.doors.mario.clients import MarioClient
from tests.doors.rfc.clients import Json
from tests.doors.rfc.halls import BETTING_MS, FAST, Visitors
from tests.doors.rfc.test_flow import CHIP_SET, after, result_of

SETTINGS = FAST


async def test_the_flow_step_by_step(at: Visitors) -> None:
    client = await at.mario()
    await client.send('[1,"SicboZone","user_test","pw_123",{}]')
    assert await client.array(1) == [1, True, 0, "user_test", "SicboZone", ""]
    state = await client.told("round_state")
    assert {"roundId", "status", "openAt", "closeAt", "elapsedTime"} <= set(state)
    assert [message[0] for message in client.log[:2]] == [1, 5]
    opened = await client.opened()
    round = opened["roundId"]
    assert '[5,{"action":"new_round"}]' in client.texts
    assert opened["closeAt"] - opened["openAt"] == BETTING_MS
    bet = {"roundId": round, "side": "BIG", "amount": 1000}
    await client.send([6, "SicboZone", "sicboPlugin", {"action": "place_bet", "payload": bet}])
    accepted = await client.told("bet_accepted")
    assert accepted == {
        "betId": accepted["betId"],
        **bet,
        "totalBetBig": 1000,
        "totalBetSmall": 0,
        "betPlayerBig": 1,
        "betPlayerBIG": 1,
        "betPlayerSmall": 0,
        "betInfo": {"amountBig": 1000, "amountSmall": 0, "sides": {"BIG": 1000}},
    }
    assert await client.told("round_state") == after(opened, "BETTING_CLOSE")
    revealed = await client.told("reveal_result")
    assert revealed["result"] == result_of(revealed["dice"])
    won = 2000 if revealed["result"] == "BIG" else 0
    outcome = "WIN" if won else "LOSS"
    paid = await client.told("payout")
    assert paid == {"roundId": round, "betId": "", "outcome": outcome, "payout": won}
    assert await client.told("round_state") == after(opened, "FINISH")
    assert await client.told("game_over") == {"roundId": round}
    assert client.actions(round) == [
        "BETTING_OPEN",
        "BETTING_CLOSE",
        "reveal_result",
        "payout",
        "FINISH",
        "game_over",
    ]
    await client.send('[6,"SicboZone","sicboPlugin",{"action":"get_user_info"}]')
    info = await client.take(lambda m: m[0] == 5 and m[1]["action"] == "get_user_info", "the info")
    table = info[1]["payload"]["tableId"]
    assert type(table) is int
    assert info[1] == {
        "action": "get_user_info",
        "payload": {"balance": 999_000 + won, "tableId": table, "chipSet": CHIP_SET},
        "chipSet": CHIP_SET,
    }


async def test_the_table_and_its_history(at: Visitors) -> None:
    client, other = await at.mario("teller"), await at.mario("other teller")
    first = await client.new_round()
    await client.bet("BIG", 30)
    await other.bet("BIG", 5)
    both = await other.bet("SMALL", 12)
    assert both == {
        **both,
        "totalBetBig": 35,
        "totalBetSmall": 12,
        "betPlayerBig": 2,
        "betPlayerBIG": 2,
        "betPlayerSmall": 1,
        "betInfo": {"amountBig": 5, "amountSmall": 12, "sides": {"BIG": 5, "SMALL": 12}},
    }
    totals = {
        "totalBet": 47,
        "totalBetBig": 35,
        "totalBetSmall": 12,
        "betPlayer": 2,
        "betPlayerBig": 2,
        "betPlayerSmall": 1,
    }
    await client.send('[6,"SicboZone","sicboPlugin",{"action":"get_table_info"}]')
    said = await client.take(lambda m: m[0] == 5 and m[1]["action"] == "get_table_info", "the info")
    assert set(said[1]) == {"action", "payload", "datas"}
    assert said[1]["payload"] == {}
    datas: Json = said[1]["datas"]
    assert set(datas) == {"tableInfo", "histories", "tableInfos", "betInfo"}
    assert datas["tableInfos"] == []
    assert datas["betInfo"] == {"amountBig": 30, "amountSmall": 0, "sides": {"BIG": 30}}
    assert datas["tableInfo"] == {
        **datas["tableInfo"],
        **totals,
        "roundId": first,
        "dice": [],
        "sum": 0,
        "result": "",
    }
    await client.new_round()
    datas = await client.table_info()
    assert datas["betInfo"] == {"amountBig": 0, "amountSmall": 0, "sides": {}}
    past = datas["histories"][-1]
    assert past == {**past, **totals, "roundId": first, "status": "FINISH", "elapsedTime": 0}
    assert set(past) == set(datas["tableInfo"])


async def test_one_payout_a_player_and_round(at: Visitors) -> None:
    client = await at.mario("both sides")
    round = await client.new_round()
    for side, amount in (("TAI", 10), ("XIU", 4), ("BIG", 1)):
        await client.bet(side, amount)
    result = (await client.told("reveal_result"))["result"]
    won = {"BIG": 22, "SMALL": 8, "NONE": 0}[result]
    paid = await client.told("payout")
    assert (paid["payout"], paid["outcome"]) == (won, "WIN" if won else "LOSS")
    await client.told("game_over")
    assert client.actions(round).count("payout") == 1
    assert await client.balance() == 1_000_000 - 15 + won


async def test_all_connections_of_the_bettor_are_paid_even_out_of_the_room(at: Visitors) -> None:
    client, here, outside = [await at.mario("three times") for _ in range(3)]
    bystander = await at.mario("bystander")
    room = (await outside.request("get_user_info"))["payload"]["tableId"]
    assert await outside.call(4, "SicboZone", room) == [4, True, 0, room, 0]
    outside.waiting.clear()
    round = await client.new_round()
    await client.bet("BIG", 10)
    paid = await client.told("payout", roundId=round)
    assert await here.told("payout", roundId=round) == paid
    assert await outside.told("payout") == paid
    await bystander.told("game_over", roundId=round)
    await outside.still_answers()
    assert outside.waiting == [], "it has left the room"
    assert "payout" not in bystander.actions(round)


async def test_both_doors_show_the_same_table(at: Visitors) -> None:
    mario, rfc = await at.mario("same"), await at.rfc()
    await rfc.log_in("same", "pw_123")
    await rfc.subscribe()
    round = await mario.new_round()
    bet = await mario.bet("BIG", 10, request_id="one")
    again = await rfc.bet("TAI", 10, request_id="one")
    assert again == {name: bet[name] for name in ("betId", "roundId", "side", "amount")}
    paid = await rfc.told("payout", roundId=round)
    assert paid["betId"] == bet["betId"]
    assert (await mario.told("payout", roundId=round))["payout"] == paid["payout"]
    revealed = await asyncio.gather(
        *(client.told("reveal_result", roundId=round) for client in (rfc, mario))
    )
    assert revealed[0] == revealed[1]
    assert await mario.balance() == await rfc.balance()


@pytest.mark.parametrize(
    ("port", "path"), [("mario", "/websocket"), ("mario", "/"), ("native", "/websocket")]
)
async def test_where_the_door_is(at: Visitors, port: str, path: str) -> None:
    url = f"ws://127.0.0.1:{at.hall.ports[port]}{path}"
    client = await MarioClient.connect(url, origin="https://elsewhere.example")
    assert (await client.log_in("passer-by"))["roundId"].startswith("R")
    await client.close()
