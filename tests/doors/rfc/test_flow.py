"""The RFC's flow, step by step, at the `rfc` door; and what those hear who join in differently."""

from __future__ import annotations

import hashlib

import pytest

from tests.doors.rfc.clients import Json, RfcClient
from tests.doors.rfc.halls import BETTING_MS, FAST, Visitors

SETTINGS = FAST
START_CHIPS = 1_000_000
CHIP_SET = [10_000, 20_000, 30_000, 40_000, 50_000, 60_000]


def result_of(dice: list[int]) -> str:
    total = sum(dice)
    return "NONE" if total in (3, 18) else "BIG" if total > 10 else "SMALL"


async def test_the_flow_step_by_step(at: Visitors) -> None:
    client = await at.rfc()
    await client.subscribe()
    opened = await client.opened()
    round = opened["roundId"]
    assert {"action": "new_round", "payload": {"roundId": round}} in client.log
    assert opened == {
        "roundId": round,
        "status": "BETTING_OPEN",
        "openAt": opened["openAt"],
        "closeAt": opened["openAt"] + BETTING_MS,
        "elapsedTime": opened["elapsedTime"],
        "commitment": opened["commitment"],
    }
    # What is left of them, in seconds, and begun ones count.
    assert opened["elapsedTime"] in (1, 2, 3)
    await client.send(
        {
            "action": "place_bet",
            "requestId": "req-123",
            "payload": {"roundId": round, "side": "BIG", "amount": 1000},
        }
    )
    accepted = await client.answer("req-123")
    bet = accepted["payload"]["betId"]
    assert accepted == {
        "action": "bet_accepted",
        "requestId": "req-123",
        "payload": {"betId": bet, "roundId": round, "side": "BIG", "amount": 1000},
    }
    assert await client.balance() == START_CHIPS - 1000
    assert await client.told("round_state") == after(opened, "BETTING_CLOSE")
    revealed = await client.told("reveal_result")
    result = result_of(revealed["dice"])
    assert set(revealed) == {"roundId", "dice", "sum", "result", "secret"}
    assert (revealed["roundId"], revealed["result"]) == (round, result)
    assert revealed["sum"] == sum(revealed["dice"])
    secret = bytes.fromhex(revealed["secret"])
    assert hashlib.sha256(secret).hexdigest() == opened["commitment"]
    won = 2000 if result == "BIG" else 0
    outcome = "WIN" if won else "LOSS"
    paid = await client.told("payout")
    assert paid == {"roundId": round, "betId": bet, "outcome": outcome, "payout": won}
    assert await client.told("round_state") == after(opened, "FINISH")
    assert await client.told("game_over") == {"roundId": round}
    assert await client.balance() == START_CHIPS - 1000 + won
    assert client.actions(round) == [
        "new_round",
        "BETTING_OPEN",
        "BETTING_CLOSE",
        "reveal_result",
        "payout",
        "FINISH",
        "game_over",
    ]


def after(opened: Json, status: str) -> Json:
    """The later state of a round that was opened so."""
    state = {**opened, "status": status, "elapsedTime": 0}
    del state["commitment"]
    return state


async def test_rounds_follow_each_other_and_stay_in_the_history(at: Visitors) -> None:
    client = await at.rfc()
    await client.subscribe()
    first = await client.new_round()
    bet = await client.bet("SMALL", 7)
    second = await client.new_round()
    assert (bet["roundId"], int(second[1:])) == (first, int(first[1:]) + 1)
    datas = await client.table_info()
    assert set(datas) == {"tableInfo", "histories", "betInfo"}
    past = datas["histories"][-1]
    assert set(past) == set(datas["tableInfo"])
    assert past == {
        **past,
        "roundId": first,
        "status": "FINISH",
        "elapsedTime": 0,
        "totalBet": 7,
        "totalBetBig": 0,
        "totalBetSmall": 7,
        "betPlayer": 1,
        "betPlayerBig": 0,
        "betPlayerSmall": 1,
        "sum": sum(past["dice"]),
        "result": result_of(past["dice"]),
    }
    now = datas["tableInfo"]
    assert (now["roundId"], now["totalBet"], now["dice"], now["sum"]) == (second, 0, [], 0)
    assert now["result"] == ""


async def test_a_round_that_has_just_ended_is_in_the_history(at: Visitors) -> None:
    client = await at.rfc()
    await client.subscribe()
    client.waiting.clear()
    round = (await client.told("game_over"))["roundId"]
    datas = await client.table_info()
    assert round in [past["roundId"] for past in datas["histories"]]


async def test_bets_on_both_sides_are_paid_one_by_one(at: Visitors) -> None:
    client = await at.rfc()
    await client.subscribe()
    round = await client.new_round()
    bets = [await client.bet(side, chips) for side, chips in (("BIG", 10), ("TAI", 4), ("XIU", 3))]
    assert [bet["side"] for bet in bets] == ["BIG", "BIG", "SMALL"]
    assert len({bet["betId"] for bet in bets}) == 3
    result = (await client.told("reveal_result", roundId=round))["result"]
    for bet in bets:
        won = 2 * bet["amount"] if bet["side"] == result else 0
        paid = await client.told("payout", betId=bet["betId"])
        assert (paid["payout"], paid["outcome"]) == (won, "WIN" if won else "LOSS")
    credited = {"BIG": 28, "SMALL": 6, "NONE": 0}[result]
    assert await client.balance() == START_CHIPS - 17 + credited


async def test_a_bettor_who_does_not_subscribe_hears_its_payout_alone(at: Visitors) -> None:
    watcher, client = await at.rfc(), await at.rfc()
    await watcher.subscribe()
    round = await watcher.new_round()
    bet = await client.bet("BIG", 5)
    paid = await client.told("payout")
    assert (paid["roundId"], paid["betId"]) == (round, bet["betId"])
    await watcher.told("game_over", roundId=round)
    await client.still_answers()
    assert client.waiting == []
    assert "payout" not in watcher.actions(round)


async def test_it_is_told_at_once_how_the_round_stands(at: Visitors) -> None:
    first = await at.rfc()
    await first.subscribe()
    round = await first.new_round()
    await first.told("round_state", status="BETTING_CLOSE")
    second = await at.rfc()
    await second.send({"action": "subscribe_rounds"})
    state = await second.told("round_state")
    assert state["elapsedTime"] == 0 or state["status"] == "BETTING_OPEN"
    assert int(state["roundId"][1:]) >= int(round[1:])
    assert "requestId" not in second.log[0]


async def test_what_a_member_plays_elsewhere_is_not_told_here(at: Visitors) -> None:
    client = await at.rfc()
    await client.log_in("Two tables", "a long passphrase")
    await client.balance()
    elsewhere = await at.native("Two tables", "a long passphrase")
    table = (await elsewhere.ask("open_table", game="sicbo"))["table"]
    bet = {"type": "bet", "side": "BIG", "amount": 5}
    await elsewhere.ask("act", table=table, command=bet)
    await elsewhere.ask("watch", table=table)
    await elsewhere.notice("table_over", table=table)
    assert await client.balance() in (999_995, 1_000_005)
    assert client.waiting == []


@pytest.mark.parametrize(("port", "path"), [("rfc", "/"), ("rfc", "/any/path"), ("native", "/rfc")])
async def test_where_the_door_is(at: Visitors, port: str, path: str) -> None:
    url = f"ws://127.0.0.1:{at.hall.ports[port]}{path}"
    client = await RfcClient.connect(url, origin="https://elsewhere.example")
    assert (await client.subscribe())["roundId"].startswith("R")
    await client.close()


async def test_guests_have_accounts_of_their_own(at: Visitors) -> None:
    one, other = await at.rfc(), await at.rfc()
    await one.subscribe()
    await one.new_round()
    await one.bet("BIG", 300)
    info = await other.request("get_user_info", request_id="123456")
    table = info["payload"]["tableId"]
    assert type(table) is int
    assert info == {
        "action": "get_user_info",
        "requestId": "123456",
        "payload": {"balance": START_CHIPS, "tableId": table, "chipSet": CHIP_SET},
    }
