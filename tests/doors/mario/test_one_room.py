"""Clients that name a `bnrToken` keep the room of the last `[3, …]`: they are in one at a time."""

from __future__ import annotations

from typing import Any

from tests.doors.mario.clients import PASSWORD, MarioClient
from tests.doors.rfc.halls import FAST, Visitors

SETTINGS = FAST
BETTING_STAYS_OPEN = {"betting_seconds": 3600}


async def framework_client(at: Visitors, name: str) -> tuple[MarioClient, int]:
    """A client that names a token, and the room that it is told."""
    client = await at.mario()
    await log_in(client, name)
    return client, (await client.array(3))[3]


async def log_in(client: MarioClient, name: str) -> None:
    answer = await client.call(1, "SicboZone", name, PASSWORD, {"bnrToken": ""})
    assert answer == [1, True, 0, name, "SicboZone", ""]


async def slow_room(at: Visitors, owner: str, **how: Any) -> tuple[int, str]:
    """A room whose first round goes on and on, and its key."""
    banker = await at.native(owner, "a long passphrase")
    opened = await banker.ask("open_table", game="sicbo", options=BETTING_STAYS_OPEN, **how)
    return opened["table"], opened.get("key") or ""


async def zones_room(client: MarioClient) -> int:
    """The room that messages to the zone are for."""
    room: int = (await client.request("get_user_info"))["payload"]["tableId"]
    return room


async def bets_in(client: MarioClient, room: int) -> int:
    """What this player has on BIG in the room, which it is in."""
    await client.send([5, "SicboZone", room, {"action": "get_table_info", "requestId": "bets"}])
    stake: int = (await client.answer("bets"))["datas"]["betInfo"]["amountBig"]
    return stake


async def test_a_bet_in_the_zone_is_one_in_the_room_joined_last(at: Visitors) -> None:
    client, default = await framework_client(at, "framed")
    room, _ = await slow_room(at, "framed's banker")
    assert await zones_room(client) == default
    assert await client.call(3, None, room, "") == [3, True, 0, room, ""]
    assert await zones_room(client) == room
    payload = {"roundId": "", "side": "BIG", "amount": 7}
    bet = await client.request("place_bet", payload)
    assert (bet["action"], bet["payload"]["totalBetBig"]) == ("bet_accepted", 7)
    assert await bets_in(client, room) == 7
    # So is one that comes without an array.
    await client.send({"action": "place_bet", "requestId": "bare", "payload": payload})
    assert (await client.answer("bare"))["payload"]["totalBetBig"] == 14
    assert await client.call(4, "SicboZone", default) == [4, False, 7, default, 7]
    assert await client.call(3, "SicboZone", default, "") == [3, True, 0, default, ""]
    assert await zones_room(client) == default
    assert await client.call(4, "SicboZone", room) == [4, False, 7, room, 7]


async def test_of_the_room_before_nothing_more_is_heard(at: Visitors) -> None:
    client, _ = await framework_client(at, "mover")
    clock = await at.mario("mover's clock")
    room, _ = await slow_room(at, "mover's banker")
    round = await client.new_round()
    await client.bet("BIG", 10)
    assert await client.call(3, None, room, "") == [3, True, 0, room, ""]
    client.waiting.clear()
    await clock.told("game_over", roundId=round)
    await clock.new_round()
    await client.still_answers()
    heard = [message[1] for message in client.waiting]
    assert [(said["action"], said["payload"]["roundId"]) for said in heard] in (
        [("round_state", "R1")],
        [],  # It came with the answer.
    )


async def test_a_room_that_is_refused_is_not_moved_to(at: Visitors) -> None:
    client, default = await framework_client(at, "uninvited")
    room, key = await slow_room(at, "uninvited's banker", private=True)
    assert (await client.call(3, None, room, "wrong"))[:4] == [3, False, 6, room]
    assert await zones_room(client) == default
    await client.new_round()
    assert (await client.call(3, None, room, key))[:3] == [3, True, 0]
    assert await zones_room(client) == room


async def test_who_has_left_its_room_plays_in_the_default_one(at: Visitors) -> None:
    client, default = await framework_client(at, "leaver of rooms")
    room, _ = await slow_room(at, "leaver's banker")
    await client.call(3, None, room, "")
    assert await client.call(4, "SicboZone", room) == [4, True, 0, room, 0]
    assert await zones_room(client) == default
    await client.request("subscribe_rounds")
    await client.new_round()
    await client.call(3, None, room, "")
    assert await client.call(4, "SicboZone", default) == [4, False, 7, default, 7]


async def test_a_new_login_leads_back_to_the_default_room(at: Visitors) -> None:
    client, default = await framework_client(at, "comes again")
    room, _ = await slow_room(at, "comes again's banker")
    for name in ("comes again", "someone else again"):
        await client.call(3, None, room, "")
        await log_in(client, name)
        assert (await client.array(3))[3] == default
        assert await zones_room(client) == default
        assert await client.call(4, "SicboZone", room) == [4, False, 7, room, 7]
    await client.call(3, None, room, "")
    assert await client.call(2, "SicboZone") == [2, True, 0]
    await client.log_in("comes again")
    assert await zones_room(client) == default


async def test_others_stay_in_all_their_rooms(at: Visitors) -> None:
    client = await at.mario("in two rooms")
    default = await zones_room(client)
    room, _ = await slow_room(at, "two rooms' banker")
    assert await client.call(3, None, room, "") == [3, True, 0, room, ""]
    assert await zones_room(client) == default
    for each in (default, room):
        assert await client.call(4, "SicboZone", each) == [4, True, 0, each, 0]
