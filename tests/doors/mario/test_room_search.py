"""Kinds of rooms, rooms that are searched and made, and joining without naming the zone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.doors.mario.clients import MarioClient
from tests.doors.rfc.clients import Json
from tests.doors.rfc.halls import PATIENT, Visitors, open_hall

# Rooms that nobody sits down in stay open while the test counts them.
SETTINGS = (*PATIENT, "lobby.seat_seconds=3600")
GROUPS = {
    "SicboZone": "SICBO",
    "ConnectFourZone": "CONNECT_FOUR",
    "BingoZone": "BINGO",
    "BingoDuelZone": "BINGO_DUEL",
    "FourStoneZone": "FOUR_STONE",
}
ACTIONS = {
    "get_room_types": "room_types",
    "get_rooms": "rooms",
    "search_room": "search_room",
    "create_room": "create_room",
}
PAYLOADS: list[Any] = [None, {}, {"groupId": None}, {"groupId": "SICBO", "more": [1]}]
NO_PAYLOADS: list[Any] = [[], "SICBO", 7, True]
NO_GROUPS: list[Any] = [
    "",
    "sicbo",
    "CONNECT_FOUR",
    "x" * 1000,
    0,
    1.5,
    True,
    False,
    [],
    ["SICBO"],
    {},
]
TABLES_MAX = 32


async def datas(client: MarioClient, action: str, payload: Any = None) -> Json:
    """Of the answer, whose other fields are as they have to be."""
    answer = await client.request(action, payload, f"{action}!")
    expected = {"action", "event", "requestId", "payload", "datas"}
    assert set(answer) == expected, answer
    assert (answer["action"], answer["event"]) == (action, ACTIONS[action])
    assert answer["payload"] == {}
    found: Json = answer["datas"]
    return found


async def room_of(client: MarioClient, action: str, payload: Any = None) -> int:
    info = (await datas(client, action, payload))["roomInfo"]
    assert set(info) == {"roomId", "roomName"}
    assert isinstance(info["roomName"], str)
    assert type(info["roomId"]) is int
    room: int = info["roomId"]
    return room


@pytest.mark.parametrize(("zone", "group"), GROUPS.items())
async def test_rooms_of_every_zone(at: Visitors, zone: str, group: str) -> None:
    client = await at.mario(f"rooms of {zone}", zone)
    (kind,) = (await datas(client, "get_room_types", {}))["roomTypes"]
    assert kind["groupId"] == group
    own = await room_of(client, "create_room", {"groupId": group})
    rooms = (await datas(client, "get_rooms", {}))["rooms"]
    assert set(rooms) == {group}
    assert own in rooms[group]
    assert rooms[group] == sorted(set(rooms[group]))
    found = await room_of(client, "search_room", {"groupId": group})
    assert found in (await datas(client, "get_rooms", {}))["rooms"][group]
    for room in (own, found):
        assert await client.call(3, zone, room, "") == [3, True, 0, room, ""]


async def test_without_a_request_id_none_comes_back(at: Visitors) -> None:
    client = await at.mario("anonymous")
    await client.send('[6,"SicboZone","sicboPlugin",{"action":"get_room_types"}]')
    said = await client.take(lambda m: m[0] == 5 and m[1]["action"] == "get_room_types", "types")
    assert set(said[1]) == {"action", "event", "payload", "datas"}


async def test_the_default_room_is_found_and_a_room_of_ones_own_is_another(at: Visitors) -> None:
    client = await at.mario("banker")
    default = (await client.request("get_user_info"))["payload"]["tableId"]
    assert await room_of(client, "search_room", {"groupId": "SICBO"}) == default
    own = await room_of(client, "create_room")
    assert own != default
    assert await client.call(4, "SicboZone", default) == [4, True, 0, default, 0]
    client.waiting.clear()
    assert await client.call(3, "SicboZone", own, "") == [3, True, 0, own, ""]
    await client.told("round_state")
    params = {"action": "place_bet", "requestId": 1, "payload": {"side": "BIG", "amount": 7}}
    await client.send([5, "SicboZone", own, params])
    assert (await client.answer(1))["payload"]["totalBetBig"] == 7
    # A room can be asked too.
    await client.send([5, "SicboZone", own, {"action": "get_rooms", "requestId": 2}])
    assert {default, own} <= set((await client.answer(2))["datas"]["rooms"]["SICBO"])


async def test_two_find_each_other(tmp_path: Path) -> None:
    zone = "FourStoneZone"
    with open_hall(tmp_path, *PATIENT) as hall:
        at = Visitors(hall)
        anna, bob, carl = [await at.mario(name, zone) for name in ("anna", "bob", "carl")]
        private = await anna.request("open_table", {"game": "four-stone", "private": True})
        assert await bob.refused("search_room") == "NO_SUCH_TABLE"
        rooms = [await room_of(anna, "create_room"), await room_of(bob, "create_room")]
        assert private["payload"]["table"] not in rooms
        assert (await datas(carl, "get_rooms"))["rooms"] == {"FOUR_STONE": rooms}
        # One of two seats is kept for whoever made it, so that one other finds it.
        assert await room_of(carl, "search_room", {"groupId": "FOUR_STONE"}) == rooms[0]
        assert await carl.call(3, None, rooms[0], "") == [3, True, 0, rooms[0], ""]
        await carl.send([5, zone, rooms[0], {"action": "sit", "requestId": 1}])
        assert (await carl.answer(1))["action"] == "sit"
        assert await room_of(bob, "search_room") == rooms[1], "the other seat is anna's"
        await anna.request("sit", {"table": rooms[0]})
        for client in (anna, carl):
            await client.told("seated", table=rooms[0])
        assert await room_of(anna, "search_room") == rooms[1], "the first has begun"
        await at.leave()


@pytest.mark.parametrize("zone", ["SicboZone", "BingoZone"])
async def test_an_unknown_kind_of_room(at: Visitors, zone: str) -> None:
    client = await at.mario("confused", zone)
    before = (await datas(client, "get_rooms"))["rooms"]
    for group in NO_GROUPS:
        for action in ("search_room", "create_room"):
            assert await client.refused(action, {"groupId": group}) == "BAD_REQUEST", group
    assert (await datas(client, "get_rooms"))["rooms"] == before


@pytest.mark.parametrize("action", ACTIONS)
async def test_payloads_of_other_types(at: Visitors, action: str) -> None:
    client = await at.mario("untyped")
    for payload in NO_PAYLOADS:
        assert await client.refused(action, payload) == "BAD_REQUEST"
    for payload in PAYLOADS:
        answer = await client.request(action, payload)
        assert answer["action"] == action, answer


async def test_rooms_are_for_who_is_logged_in(at: Visitors) -> None:
    stranger = await at.mario()
    for action in ACTIONS:
        assert await stranger.refused(action, {}) == "NOT_LOGGED_IN"


async def test_a_room_is_made_once(at: Visitors) -> None:
    client = await at.mario("repeater", "BingoZone")
    first = await client.request("create_room", {"groupId": "BINGO"}, 17)
    assert await client.request("create_room", {"groupId": "BINGO"}, 17) == first
    assert await client.refused("create_room", {}, 17) == "BAD_REQUEST"
    other = await client.request("create_room", {"groupId": "BINGO"}, 18)
    assert other["datas"] != first["datas"]


@pytest.mark.parametrize("zone", ["SicboZone", "ConnectFourZone"])
async def test_too_many_rooms(at: Visitors, zone: str) -> None:
    client = await at.mario(f"greedy in {zone}", zone)
    for number in range(TABLES_MAX):
        answer = await client.request("create_room", {}, number)
        assert answer["action"] == "create_room", answer
    assert await client.refused("create_room", {}) == "TOO_MANY"
    # The limit is the player's, wherever it asks from.
    assert await (await at.mario(f"greedy in {zone}", zone)).refused("create_room") == "TOO_MANY"
    assert "rooms" in await datas(client, "get_rooms")


# Joining without a zone


async def test_a_room_is_joined_without_its_zone(at: Visitors) -> None:
    client = await at.mario("zoneless")
    room = (await client.request("get_user_info"))["payload"]["tableId"]
    assert await client.call(4, "SicboZone", room) == [4, True, 0, room, 0]
    client.waiting.clear()
    assert await client.call(3, None, room, "") == [3, True, 0, room, ""]
    await client.told("round_state")
    await client.log_in("zoneless", zone="ConnectFourZone")
    other = await room_of(client, "create_room")
    assert await client.call(3, None, other, "") == [3, True, 0, other, ""]
    assert (await client.told("table_view"))["table"] == other


async def test_rooms_that_cannot_be_joined_without_a_zone(at: Visitors) -> None:
    stranger = await at.mario()
    assert (await stranger.call(3, None, 1, ""))[:4] == [3, False, 2, 1]
    client, other = await at.mario("lost"), await at.mario("elsewhere", "ConnectFourZone")
    foreign = await room_of(other, "create_room")
    private = (await other.request("open_table", {"game": "connect-four", "private": True}))[
        "payload"
    ]["table"]
    for room in (foreign, 0, -1, 999_999, 2**31, 10**30):
        assert (await client.call(3, None, room, ""))[:4] == [3, False, 5, room]
    await client.log_in("lost", zone="ConnectFourZone")
    assert (await client.call(3, None, private, "wrong"))[:4] == [3, False, 6, private]
    # Nothing else stands for a missing zone, and no other request may leave it out.
    assert (await client.call(3, "", foreign, ""))[:4] == [3, False, 4, foreign]
    for array in (
        [3, 0, foreign, ""],
        [3, False, foreign, ""],
        [3, None, "1", ""],
        [3, foreign, ""],
    ):
        assert (await client.call(*array))[:4] == [3, False, 1, 0]
    assert await client.call(4, None, foreign) == [4, False, 1, 0, 1]
    assert await client.call(2, None) == [2, False, 1]
