"""Logging in and out, joining and leaving rooms, alone and on several connections."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.doors.mario.clients import PASSWORD, MarioClient
from tests.doors.native.clients import Client
from tests.doors.rfc.halls import FAST, PATIENT, Visitors, open_hall
from tests.support.waiting import WAIT_SECONDS

SETTINGS = FAST
ROUNDS_MAX = 5
"""Until one in which two bets are taken: on a busy machine betting may close between them."""


async def room_of(client: MarioClient) -> int:
    room: int = (await client.request("get_user_info"))["payload"]["tableId"]
    return room


async def hears_nothing(client: MarioClient, clock: MarioClient) -> None:
    """While `clock` hears of a round."""
    client.waiting.clear()
    await clock.new_round()
    await client.send({"action": "ping", "requestId": "nothing else"})
    pong = {"action": "pong", "requestId": "nothing else"}
    await client.take(lambda message: message == pong, "the pong")
    assert client.waiting == []


# Who


async def test_a_wrong_password(at: Visitors) -> None:
    await at.mario("Owner")
    client = await at.mario()
    for attempt in range(4):
        answer = await client.call(1, "SicboZone", "owner", f"guess {attempt}", {})
        assert answer[:5] == [1, False, 3, "owner", "SicboZone"]
        assert answer[5]
    assert await client.refused("get_user_info") == "NOT_LOGGED_IN"
    assert (await client.call(1, "SicboZone", "Owner", "", {}))[:3] == [1, False, 3]
    assert await client.closed() == 1008


async def test_what_cannot_be_registered(at: Visitors) -> None:
    client = await at.mario()
    for name, password in (("", "pw"), ("x" * 33, "pw"), ("a\tb", "pw"), ("fine", "")):
        answer = await client.call(1, "SicboZone", name, password, {})
        assert answer[:5] == [1, False, 3, name, "SicboZone"]
    await client.log_in("fine", "x")


async def test_the_name_is_the_accounts(at: Visitors) -> None:
    await at.mario("Anna")
    client = await at.mario()
    answer = await client.call(1, "SicboZone", " anna", PASSWORD, {})
    assert answer == [1, True, 0, "Anna", "SicboZone", ""]


async def test_a_failed_login_changes_nothing(at: Visitors) -> None:
    await at.mario("Someone else")
    client = await at.mario("Myself")
    assert (await client.call(1, "SicboZone", "Someone else", "wrong", {}))[2] == 3
    await client.new_round()
    assert (await client.bet("BIG", 10))["betInfo"]["amountBig"] == 10


async def test_who_logs_in_as_another_is_that_one_from_then_on(at: Visitors) -> None:
    await at.mario("Second self")
    client = await at.mario("First self")
    await client.new_round()
    await client.bet("BIG", 10)
    await client.log_in("Second self")
    assert await client.balance() == 1_000_000
    await client.new_round()
    await client.told("reveal_result")


async def test_two_connections_of_one_user(at: Visitors) -> None:
    one, two = await at.mario("Twice"), await at.mario("Twice")
    for _ in range(ROUNDS_MAX):
        round = await one.new_round()
        bets = await asyncio.gather(one.bet("BIG", 10), two.bet("SMALL", 5))
        if {bet["roundId"] for bet in bets} == {round}:
            break
    both = {"amountBig": 10, "amountSmall": 5, "sides": {"BIG": 10, "SMALL": 5}}
    assert both in [bet["betInfo"] for bet in bets]
    paid = [await client.told("payout", roundId=round) for client in (one, two)]
    assert paid[0] == paid[1]
    assert await one.call(2, "SicboZone") == [2, True, 0]
    assert await one.refused("get_user_info") == "NOT_LOGGED_IN"
    await two.new_round()
    await two.bet("BIG", 1)


async def test_after_a_logout_nothing_is_told(at: Visitors) -> None:
    client, clock = await at.mario("Leaver"), await at.mario("Stayer")
    room = await room_of(client)
    assert await client.call(2, "SicboZone") == [2, True, 0]
    await hears_nothing(client, clock)
    assert await client.call(2, "SicboZone") == [2, False, 2]
    assert await client.call(4, "SicboZone", room) == [4, False, 2, room, 2]
    await client.log_in("Leaver")
    await client.new_round()


# Rooms


async def test_leaving_and_joining_the_default_room(at: Visitors) -> None:
    client, clock = await at.mario("Walker"), await at.mario("Sitter")
    room = await room_of(client)
    assert await client.call(4, "SicboZone", room) == [4, True, 0, room, 0]
    await hears_nothing(client, clock)
    assert await client.call(4, "SicboZone", room) == [4, False, 7, room, 7]
    await client.send([5, "SicboZone", room, {"action": "ping", "requestId": 1}])
    assert client.code_of(await client.answer(1)) == "BAD_REQUEST"
    # The zone's plugin plays at the default table all the same.
    await clock.new_round()
    await client.bet("BIG", 10)
    assert await client.call(3, "SicboZone", room, "") == [3, True, 0, room, ""]
    await client.told("round_state")
    await client.new_round()
    assert await client.call(3, "SicboZone", room, "any") == [3, True, 0, room, ""]


async def test_a_private_room_of_sic_bo(at: Visitors) -> None:
    owner = await at.native("Banker", "a long passphrase")
    opened = await owner.ask("open_table", game="sicbo", private=True)
    room, key = opened["table"], opened["key"]
    # Where nobody watches, it would close with its first round.
    await owner.ask("watch", table=room, key=key)
    client = await at.mario("Invited")
    default = await room_of(client)
    for wrong in ("", "wrong", key[:-1]):
        assert (await client.call(3, "SicboZone", room, wrong))[:4] == [3, False, 6, room]
    params = {"action": "place_bet", "requestId": 2, "payload": {"side": "BIG", "amount": 7}}
    await client.send([5, "SicboZone", room, params])
    assert client.code_of(await client.answer(2)) == "BAD_REQUEST"
    assert await client.call(4, "SicboZone", default) == [4, True, 0, default, 0]
    client.waiting.clear()
    assert await client.call(3, "SicboZone", room, key) == [3, True, 0, room, ""]
    await client.told("round_state")
    round = await client.new_round()
    await client.send([5, "SicboZone", room, params])
    bet = await client.answer(2)
    assert bet["payload"]["roundId"] == round
    assert bet["payload"]["totalBetBig"] == 7
    assert (await client.told("payout"))["roundId"] == round
    await client.send([5, "SicboZone", room, {"action": "get_user_info", "requestId": 3}])
    assert (await client.answer(3))["payload"]["tableId"] == room
    assert await client.call(4, "SicboZone", room) == [4, True, 0, room, 0]


async def test_a_room_of_sic_bo_that_is_closed_is_none_any_more(at: Visitors) -> None:
    owner = await at.native("Bankrupt", "a long passphrase")
    # Where nobody watches, it closes with its first round.
    room = (await owner.ask("open_table", game="sicbo"))["table"]

    async def closed() -> set[int]:
        listed = await owner.ask("list_tables", game="sicbo", status="closed")
        return {table["id"] for table in listed["tables"]}

    async with asyncio.timeout(WAIT_SECONDS):
        while room not in await closed():
            await asyncio.sleep(0.1)
    client = await at.mario("Too late")
    unknown = (await client.call(3, "SicboZone", 999_999, ""))[4]
    for zone in ("SicboZone", None):
        assert await client.call(3, zone, room, "") == [3, False, 5, room, unknown]
    assert await client.call(4, "SicboZone", room) == [4, False, 7, room, 7]


async def test_nobody_has_to_hurry_but_to_log_in(tmp_path: Path) -> None:
    with open_hall(tmp_path, *PATIENT, "limits.hello_seconds=6") as hall:
        at = Visitors(hall)
        known, rfc, stranger = await at.mario("Known"), await at.rfc(), await at.mario()
        await stranger.send('{"action":"subscribe_rounds"}')
        assert await stranger.error() == "NOT_LOGGED_IN"
        assert await stranger.closed() == 1008
        await known.still_answers()
        await rfc.still_answers()
        await at.leave()


async def test_bets_elsewhere_are_not_told_here(at: Visitors) -> None:
    """A payout names no room: that of another table would be taken for this one's."""
    anna = await at.mario("anna-elsewhere")
    native = await Client.connect(at.hall, "ws")
    await native.ask("login", name="anna-elsewhere", password="pw_123")
    options = {"betting_seconds": 0.3, "reveal_seconds": 0, "pause_seconds": 60}
    table = (await native.ask("open_table", game="sicbo", options=options))["table"]
    await native.ask("watch", table=table)
    command = {"type": "bet", "side": "BIG", "amount": 1}
    await native.ask("act", table=table, command=command)
    await native.notice("table_over", table=table)
    await anna.still_answers()
    assert not [message for message in anna.log if "payout" in str(message)]
    await native.close()


async def test_too_fast_is_answered_in_the_shape_of_what_was_asked(at: Visitors) -> None:
    client = await at.mario()
    await client.log_in("hasty")
    for number in range(130):
        await client.send([3, "SicboZone", 999_999, ""])
        await client.send([6, "SicboZone", "sicboPlugin", {"action": "ping", "requestId": number}])
    joined = [await client.array(3) for _ in range(130)]
    refused = [answer for answer in joined if answer[2] == 8]
    assert refused
    assert all(answer[:4] == [3, False, 8, 999_999] for answer in refused)
    error = await client.told("error")
    assert error["code"] == "RATE_LIMITED"
    assert isinstance(error["requestId"], int)
