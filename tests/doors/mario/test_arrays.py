"""Arrays that are too short, too long, of wrong types or about what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.doors.rfc.halls import PATIENT, Visitors

SETTINGS = PATIENT

WRONG: list[list[Any]] = [
    [1], [1, "SicboZone"], [1, "SicboZone", "u", "p"], [1, "SicboZone", "u", "p", {}, 1],
    [1, 2, "u", "p", {}], [1, "SicboZone", 3, "p", {}], [1, "SicboZone", "u", None, {}],
    [1, "SicboZone", "u", "p", []], [1, "SicboZone", "u", "p", None], [2], [2, 3], [2, None],
    [2, "SicboZone", 1], [3], [3, "SicboZone"], [3, "SicboZone", 1], [3, "SicboZone", "1", ""],
    [3, "SicboZone", 1.0, ""], [3, "SicboZone", True, ""], [3, "SicboZone", 1, None],
    [3, "SicboZone", 1, "", 2], [3, ["SicboZone"], 1, ""], [4], [4, "SicboZone"],
    [4, "SicboZone", "1"], [4, "SicboZone", False], [4, "SicboZone", 1, 1],
]  # fmt: skip
SHAPES: dict[int, list[Any]] = {
    1: [1, False, 1, "", "", str],
    2: [2, False, 1],
    3: [3, False, 1, 0, str],
    4: [4, False, 1, 0, 1],
}

NO_CALLS = [
    "[]", "[0]", "[8]", "[-1]", "[1.0]", "[1e0]", "[true]", '["1"]', "[null]", "[[]]", "[{}]",
    '[true,"SicboZone","u","p",{}]', '[1.0,"SicboZone","u","p",{}]', "[5]", '[5,"SicboZone",1]',
    '[5,"SicboZone","1",{"action":"ping"}]', '[5,"SicboZone",1,[]]', '[5,"SicboZone",1,{},1]',
    "[6]", '[6,"SicboZone","sicboPlugin"]', '[6,"SicboZone",1,{}]',
    '[6,"SicboZone","sicboPlugin","ping"]', '[6,"SicboZone","sicboPlugin",{},1]', "[7]",
    '[7,"SicboZone",1]', '[7,"SicboZone","1",2]', '[7,"SicboZone",1,2.5]', '[7,"SicboZone",true,1]',
    '[7,1,1,1]', '[7,"SicboZone",1,2,3]', "x", "[", "7", "null", '"x"', "[1,", "{", "{}",
    '{"action":7}', "[" * 60_000,
]  # fmt: skip


async def test_a_bad_request_is_answered_in_its_own_shape(at: Visitors) -> None:
    for client in (await at.mario(), await at.mario("somebody")):
        for array in WRONG:
            answer = await client.call(*array)
            assert fits(answer, SHAPES[array[0]]), (array, answer)
        await client.send({"action": "ping"})
        await client.take(lambda message: message == {"action": "pong"}, "the pong")
        assert client.waiting == []


def fits(answer: list[Any], shape: list[Any]) -> bool:
    """`str` stands for a sentence."""
    return len(answer) == len(shape) and all(
        isinstance(told, str) and told != "" if expected is str else told == expected
        for told, expected in zip(answer, shape, strict=True)
    )


async def test_what_is_no_request_at_all(at: Visitors) -> None:
    client = await at.mario("somebody")
    for text in NO_CALLS:
        await client.send(text)
        assert await client.error() == "BAD_REQUEST", text
    await client.still_answers()
    assert client.waiting == []


async def test_before_login(at: Visitors) -> None:
    client = await at.mario()
    assert await client.call(2, "SicboZone") == [2, False, 2]
    assert (await client.call(3, "SicboZone", 1, ""))[:4] == [3, False, 2, 1]
    assert await client.call(4, "SicboZone", 1) == [4, False, 2, 1, 2]
    for action in ("place_bet", "get_user_info", "get_table_info", "subscribe_rounds", "ping"):
        assert await client.refused(action, {}) == "NOT_LOGGED_IN"
    await client.send([5, "SicboZone", 1, {"action": "ping", "requestId": 5}])
    assert client.code_of(await client.answer(5)) == "NOT_LOGGED_IN"
    assert await client.call(7, "SicboZone", 9, 1764208281333) == [6, 9, 1764208281333]


async def test_zones_rooms_and_plugins_that_are_not_there(at: Visitors) -> None:
    client = await at.mario("somebody")
    answer = await client.call(1, "NoZone", "somebody", "pw_123", {})
    assert answer[:5] == [1, False, 4, "somebody", "NoZone"]
    assert await client.call(2, "NoZone") == [2, False, 4]
    assert (await client.call(3, "NoZone", 1, ""))[:4] == [3, False, 4, 1]
    assert await client.call(4, "NoZone", 1) == [4, False, 4, 1, 4]
    # Of other games' zones it has to be told that it is not there.
    assert await client.call(2, "ConnectFourZone") == [2, False, 2]
    for room in (0, -1, 999_999, 2**31, 10**30):
        assert (await client.call(3, "SicboZone", room, ""))[:4] == [3, False, 5, room]
        assert await client.call(4, "SicboZone", room) == [4, False, 5, room, 5]
        await client.send([5, "SicboZone", room, {"action": "ping", "requestId": 1}])
        assert client.code_of(await client.answer(1)) == "BAD_REQUEST"
    for zone, plugin in (("NoZone", "sicboPlugin"), ("SicboZone", "noPlugin")):
        await client.send([6, zone, plugin, {"action": "ping", "requestId": 2}])
        assert client.code_of(await client.answer(2)) == "BAD_REQUEST"


@pytest.mark.parametrize(
    ("id", "timestamp"), [("0", "0"), ("-7", "1764208281333"), ("1" * 40, "-0")]
)
async def test_a_ping_is_echoed(at: Visitors, id: str, timestamp: str) -> None:
    client = await at.mario()
    await client.send(f'[7,"AnyZone",{id},{timestamp}]')
    await client.array(6)
    assert client.texts == [f"[6,{id},{timestamp}]"]


@pytest.mark.parametrize("params", [{}, {"action": "login"}, {"anything": [1, 2]}])
async def test_what_a_login_may_say_besides(at: Visitors, params: Any) -> None:
    client = await at.mario()
    assert (await client.call(1, "SicboZone", "somebody", "pw_123", params))[1] is True


# Plugins


@pytest.mark.parametrize("form", ["zone", "room"])
async def test_errors_of_the_plugin(at: Visitors, form: str) -> None:
    client = await at.mario(f"mistaken in the {form}")
    table = (await client.request("get_user_info"))["payload"]["tableId"]

    async def code(params: Any) -> str:
        params = {**params, "requestId": 17}
        where = ["SicboZone", table] if form == "room" else ["SicboZone", "sicboPlugin"]
        await client.send([5 if form == "room" else 6, *where, params])
        return client.code_of(await client.answer(17))

    def bet(**fields: Any) -> Any:
        return {"action": "place_bet", "payload": {"side": "BIG", "amount": 1000, **fields}}

    assert await code({"action": "what"}) == "UNKNOWN_ACTION"
    assert await code({"action": 7}) == "BAD_REQUEST"
    assert await code({}) == "BAD_REQUEST"
    assert await code({"action": "place_bet", "payload": 7}) == "BAD_REQUEST"
    for amount in (0, -1, 1.5, 3.0, "1000", True, None, 2**53 + 1, 1_000_001):
        assert await code(bet(amount=amount)) == "INVALID_AMOUNT"
    assert await code(bet(side="LEFT")) == "INVALID_SIDE"
    assert await code(bet(roundId="R999")) == "ROUND_NOT_FOUND"
    assert await client.balance() == 1_000_000


async def test_bets_to_the_room_and_the_same_one_to_the_zone(at: Visitors) -> None:
    client = await at.mario("both ways")
    table = (await client.request("get_user_info"))["payload"]["tableId"]
    params = {"action": "place_bet", "requestId": 1e2, "payload": {"side": "XIU", "amount": 10}}
    await client.send([5, "SicboZone", table, params])
    first = await client.answer(100.0)
    await client.send([6, "SicboZone", "sicboPlugin", params])
    assert await client.answer(100.0) == first
    params["payload"] = {"side": "XIU", "amount": 11}
    await client.send([5, "SicboZone", table, params])
    assert client.code_of(await client.answer(100.0)) == "BAD_REQUEST"
    assert await client.balance() == 999_990


# Objects


async def test_objects_before_and_after_login(at: Visitors) -> None:
    client = await at.mario()
    await client.send('{"action":"subscribe_rounds"}')
    await client.send('{"action":"join_to_sicbo_game","requestId":3}')
    await client.send('{"action":"ping","requestId":1e2}')
    await client.take(lambda message: isinstance(message, dict), "the pong")
    assert client.texts == ['{"action":"pong","requestId":1e2}'], "the others come with the login"
    for action in ("place_bet", "get_user_info"):
        await client.send({"action": action, "requestId": 4, "payload": {"side": "BIG"}})
        assert client.code_of(await client.answer(4)) == "NOT_LOGGED_IN"
    await client.send({"action": "get_table_info", "requestId": 5})
    assert "datas" in await client.answer(5)
    await client.send({"action": "what", "requestId": 6})
    assert client.code_of(await client.answer(6)) == "UNKNOWN_ACTION"
    await client.log_in("objector")
    for action in ("subscribe_rounds", "join_to_sicbo_game"):
        await client.send({"action": action, "requestId": 7})
        assert (await client.answer(7))["action"] == "round_state"
    bet = {"action": "place_bet", "requestId": 8, "payload": {"side": "BIG", "amount": 10}}
    await client.send(bet)
    own = (await client.answer(8))["payload"]["betInfo"]
    assert own == {"amountBig": 10, "amountSmall": 0, "sides": {"BIG": 10}}
    await client.send({"action": "ping"})
    await client.take(lambda message: message == {"action": "pong"}, "the pong")


async def test_a_login_by_object(at: Visitors) -> None:
    client = await at.mario()
    await client.send(
        {"action": "login", "requestId": 1, "payload": {"username": "obj", "password": "pw"}}
    )
    assert (await client.answer(1))["payload"] == {"username": "obj", "balance": 1_000_000}
    await client.told("round_state")
    await client.send(
        {"action": "login", "requestId": 2, "payload": {"username": "obj", "password": "no"}}
    )
    assert client.code_of(await client.answer(2)) == "LOGIN_FAILED"
    assert await client.balance() == 1_000_000
