"""Bets that are taken and bets that are not, and requests that are sent twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.doors.rfc.clients import Json, RfcClient
from tests.doors.rfc.halls import PATIENT, Visitors

SETTINGS = (*PATIENT, "sicbo.bet_max=5000", "players.start_balance=6000")

AMOUNTS = [
    ("3.0", "fraction"), ("3.5", "fraction"), ("1e3", "exponent"), ("-1.5", "fraction"),
    ("1e400", "exponent"), ('"1000"', "string"), ('""', "string"), ("true", "true"),
    ("false", "true"), ("null", "missing"), ("[1000]", "list"), ('{"chips":1}', "object"),
    ("0", "positive"), ("-0", "positive"), ("-5", "positive"),
    ("-99999999999999999999", "positive"), ("5001", "5000"), ("9007199254740992", "5000"),
    ("9007199254740993", "9007199254740992"), ("18446744073709551616", "9007199254740992"),
    ("1" + "0" * 5000, "9007199254740992"),
]  # fmt: skip


@pytest.mark.parametrize(("amount", "word"), AMOUNTS, ids=[a[:22] for a, _ in AMOUNTS])
async def test_a_bad_amount_is_refused_and_costs_nothing(
    at: Visitors, amount: str, word: str
) -> None:
    client = await at.rfc()
    await client.send(
        '{"action":"place_bet","requestId":"a","payload":'
        f'{{"roundId":"R1","side":"BIG","amount":{amount}}}}}'
    )
    answer = await client.answer("a")
    assert client.code_of(answer) == "INVALID_AMOUNT"
    assert word in answer["payload"]["message"]
    assert await client.balance() == 6000


async def test_an_amount_that_is_missing(at: Visitors) -> None:
    client = await at.rfc()
    assert await client.refused("place_bet", {"side": "BIG"}) == "INVALID_AMOUNT"


async def test_more_than_the_balance(at: Visitors) -> None:
    client = await at.rfc()
    await client.bet("BIG", 5000)
    answer = await client.request("place_bet", {"side": "BIG", "amount": 1001})
    assert client.code_of(answer) == "INVALID_AMOUNT"
    assert "balance" in answer["payload"]["message"]
    await client.bet("SMALL", 1000)
    assert await client.balance() == 0


@pytest.mark.parametrize("side", ["big", "LEFT", "", "NONE", None, 1, True, ["BIG"], {}])
async def test_a_bad_side(at: Visitors, side: Any) -> None:
    client = await at.rfc()
    bet = {"side": side, "amount": 1000}
    assert await client.refused("place_bet", bet) == "INVALID_SIDE"
    assert await client.balance() == 6000


@pytest.mark.parametrize(
    "round",
    ["R2", "R0", "R01", "R-1", "r1", "1", " ", "R", "R1 ", "ROUND_1", "R" + "9" * 40, 1, True, [1]],
)
async def test_a_round_that_never_was(at: Visitors, round: Any) -> None:
    client = await at.rfc()
    bet = {"roundId": round, "side": "BIG", "amount": 1000}
    assert await client.refused("place_bet", bet) == "ROUND_NOT_FOUND"


@pytest.mark.parametrize("round", ["absent", None, "R1"])
async def test_the_round_now_open(at: Visitors, round: str | None) -> None:
    client = await at.rfc()
    bet: Json = {"side": "SMALL", "amount": 1, "roundId": round, "more": "is ignored"}
    if round == "absent":
        del bet["roundId"]
    answer = await client.request("place_bet", bet)
    assert answer["payload"]["roundId"] == "R1"


# The same request again


@pytest.mark.parametrize("id", ["again", 17, 1.5, -3])
async def test_sent_twice_it_is_one_bet(at: Visitors, id: Any) -> None:
    client = await at.rfc()
    first = await client.request("place_bet", {"side": "BIG", "amount": 10}, id)
    # In other words, but the same: TAI is BIG, and a round that is not named is the open one.
    second = await client.request("place_bet", {"roundId": None, "amount": 10, "side": "TAI"}, id)
    third = await client.request("place_bet", {"roundId": "R1", "amount": 10, "side": "BIG"}, id)
    assert first == second == third
    assert await client.balance() == 5990
    other = await client.request("place_bet", {"side": "BIG", "amount": 10}, "another")
    assert other["payload"]["betId"] != first["payload"]["betId"]


@pytest.mark.parametrize(
    "other",
    [
        {"side": "BIG", "amount": 11},
        {"side": "SMALL", "amount": 10},
        {"side": "BIG", "amount": 10.0},
        {"side": "BIG", "amount": -10},
        {"side": "BIG", "amount": 5001},
        {"side": "LEFT", "amount": 10},
        {},
    ],
)
async def test_with_other_content_the_id_is_refused(at: Visitors, other: Json) -> None:
    client = await at.rfc()
    await client.request("place_bet", {"side": "BIG", "amount": 10}, "same")
    assert await client.refused("place_bet", other, "same") == "BAD_REQUEST"
    assert await client.balance() == 5990


async def test_an_empty_id_and_one_of_another_type_name_no_bet(at: Visitors) -> None:
    client = await at.rfc()
    for id in ("", "", 5, "5"):
        answer = await client.request("place_bet", {"side": "BIG", "amount": 10}, id)
        assert (answer["action"], answer["requestId"]) == ("bet_accepted", id)
    assert await client.balance() == 5960
    later = {"side": "BIG", "amount": 10, "roundId": "R2"}
    assert await client.refused("place_bet", later, "5") == "ROUND_NOT_FOUND"


async def test_in_flight_it_joins_the_first(at: Visitors) -> None:
    client = await at.rfc()
    await client.balance()
    request = json.dumps(
        {"action": "place_bet", "requestId": "x", "payload": {"side": "BIG", "amount": 10}}
    )
    for _ in range(5):
        await client.send(request)
    answers = [await client.answer("x") for _ in range(5)]
    assert all(answer == answers[0] for answer in answers)
    assert await client.balance() == 5990


async def test_two_players_may_use_the_same_id(at: Visitors) -> None:
    one, other = await at.rfc(), await at.rfc()
    answers = [await client.bet("BIG", 10, request_id="mine") for client in (one, other)]
    assert answers[0]["betId"] != answers[1]["betId"]


async def test_a_refusal_is_not_remembered(at: Visitors) -> None:
    client = await at.rfc()
    assert (
        await client.refused("place_bet", {"side": "BIG", "amount": 0}, "try") == "INVALID_AMOUNT"
    )
    assert (await client.bet("BIG", 1, request_id="try"))["amount"] == 1


async def test_without_an_id_every_bet_is_a_new_one(at: Visitors) -> None:
    client = await at.rfc()
    for _ in range(2):
        await client.send('{"action":"place_bet","payload":{"side":"BIG","amount":10}}')
        assert (await client.told("bet_accepted"))["amount"] == 10
    assert await client.balance() == 5980


# Request ids


@pytest.mark.parametrize(
    "id",
    ['"req-42"', "7", "1e2", "1.50", "-0", "10000000000000000000000", '"é\\u0000♟"',
     f'"{"x" * 64}"', "9" * 64],
)  # fmt: skip
async def test_an_id_is_echoed_as_it_came(at: Visitors, id: str) -> None:
    client = await at.rfc()
    await client.send(f'{{"action":"ping","requestId":{id}}}')
    await client.told("pong")
    assert client.texts == [f'{{"action":"pong","requestId":{id}}}']
    await client.send(f'{{"action":"what","requestId":{id}}}')
    await client.take(lambda message: message["action"] == "error", "the error")
    assert client.texts[1].startswith(f'{{"action":"error","requestId":{id},"payload":')
    assert client.texts[1].endswith(f',"requestId":{id}}}}}')
    await client.send(
        f'{{"action":"place_bet","requestId":{id},"payload":{{"side":"BIG","amount":1}}}}'
    )
    await client.told("bet_accepted")


@pytest.mark.parametrize("id", ["true", "[]", "{}", f'"{"x" * 65}"', "9" * 65])
async def test_other_ids_are_refused(at: Visitors, id: str) -> None:
    client = await at.rfc()
    await client.send(f'{{"action":"ping","requestId":{id}}}')
    assert await client.error() == "BAD_REQUEST"
    await client.still_answers()


async def test_no_id_is_null_too(at: Visitors) -> None:
    client = await at.rfc()
    await client.send('{"action":"ping","requestId":null}')
    await client.told("pong")
    assert client.texts == ['{"action":"pong"}']


# Everything else that is wrong


@pytest.mark.parametrize(
    "message",
    ["", "x", "{", "null", "7", '"ping"', "[]", '["ping"]', "{}", '{"action":null}',
     '{"action":7}', '{"action":["ping"]}', '{"action":"ping","payload":7}',
     '{"action":"ping","payload":[]}', '{"action":"place_bet","payload":"BIG"}',
     '{"action":"ping"} x', '{"action":"\\ud800"}', "[" * 50_000, '{"a":' * 5000],
    ids=lambda message: message[:30],
)  # fmt: skip
async def test_what_is_no_request(at: Visitors, message: str) -> None:
    client = await at.rfc()
    await client.send(message)
    if message:
        assert await client.error() == "BAD_REQUEST"
    await client.still_answers()
    assert client.waiting == []


@pytest.mark.parametrize("action", ["", "what", "logout", "PING", "join_to_sicbo_game", "payout"])
async def test_an_unknown_action(at: Visitors, action: str) -> None:
    client = await at.rfc()
    assert await client.refused(action) == "UNKNOWN_ACTION"


async def test_a_binary_message(at: Visitors) -> None:
    client = await at.rfc()
    await client.send(b'{"action":"ping"}')
    assert await client.error() == "BAD_REQUEST"
    await client.still_answers()


async def test_requests_may_be_sent_without_waiting(at: Visitors) -> None:
    client = await at.rfc()
    for number in range(150):
        action = ("get_user_info", "ping", "get_table_info")[number % 3]
        await client.send({"action": action, "requestId": number})
    for number in range(150):
        await client.answer(number)
    assert [message["requestId"] for message in client.log] == list(range(150))


async def test_too_fast(at: Visitors) -> None:
    client = await RfcClient.visit(at.hall)
    for number in range(600):
        await client.send({"action": "ping", "requestId": number})
    assert await client.closed() == 1008
    refused = [each["payload"] for each in client.log if each["action"] == "error"]
    assert {each["code"] for each in refused} == {"RATE_LIMITED"}
    ids = [each["requestId"] for each in client.log]
    assert ids == list(range(len(ids)))


async def test_too_large(at: Visitors) -> None:
    client = await RfcClient.visit(at.hall)
    await client.send("x" * 70_000)
    assert await client.error() == "BAD_REQUEST"
    assert await client.closed() == 1009
