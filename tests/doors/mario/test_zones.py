"""Other games at the `mario` door: their zones, rooms and plugins, shown with Connect Four."""

from __future__ import annotations

from typing import Any

import pytest

from gamehall.wire.sicbo.zones import Zone, zone_of
from tests.doors.mario.clients import MarioClient
from tests.doors.native.clients import Client
from tests.doors.native.playing import WON_BY_FIRST
from tests.doors.rfc.clients import Json
from tests.doors.rfc.halls import PATIENT, Visitors

SETTINGS = PATIENT
ZONE, PLUGIN, GAME = "ConnectFourZone", "connectFourPlugin", "connect-four"


def test_one_rule_names_all_zones() -> None:
    assert zone_of("connect-four") == Zone("ConnectFourZone", "connectFourPlugin", "connect-four")
    assert zone_of("sicbo") == Zone("SicboZone", "sicboPlugin", "sicbo")
    assert zone_of("bingo-duel") == Zone("BingoDuelZone", "bingoDuelPlugin", "bingo-duel")
    assert zone_of("four-stone") == Zone("FourStoneZone", "fourStonePlugin", "four-stone")


async def ask(client: MarioClient, action: str, **payload: Any) -> Json:
    """The payload of the plugin's answer."""
    answer = await client.request(action, payload)
    assert answer["action"] == action, answer
    found: Json = answer["payload"]
    return found


async def ask_room(client: MarioClient, room: int, action: str, id: Any, **payload: Any) -> Json:
    """The whole answer to a message to the room, which names no table."""
    params = {"action": action, "requestId": id, "payload": payload}
    await client.send([5, ZONE, room, params])
    return await client.answer(id)


async def drop(client: MarioClient, room: int, column: int, id: Any) -> None:
    command = {"type": "drop", "column": column}
    answer = await ask_room(client, room, "act", id, command=command)
    assert answer["action"] == "act", answer
    assert answer["payload"]["table"] == room


async def moved(client: MarioClient) -> int:
    """The column of the next move that it is told."""
    while True:
        event = (await client.told("table_events"))["events"][0]
        if event["type"] == "dropped":
            column: int = event["column"]
            return column


async def open_room(client: MarioClient, **options: Any) -> Json:
    return await ask(client, "open_table", game=GAME, **options)


async def seated(client: MarioClient, room: int) -> int:
    """The seat, once the game has begun."""
    seat: int = (await client.told("seated", table=room))["seat"]
    view = await client.told("table_view", table=room, status="playing")
    assert (view["game"], view["seat"]) == (GAME, seat)
    return seat


async def test_a_game_between_two_clients_of_this_door(at: Visitors) -> None:
    anna, bob = await at.mario("anna", ZONE), await at.mario("bob", ZONE)
    watcher = await at.mario("watcher", ZONE)
    room = (await open_room(anna))["table"]
    assert (await ask_room(anna, room, "sit", 1))["action"] == "error", "not in the room yet"
    assert await anna.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    assert (await anna.told("table_view", table=room))["status"] == "waiting"
    assert (await ask_room(anna, room, "sit", 2))["payload"] == {"table": room, "seat": None}
    # Without joining: to sit is to be there.
    await ask(bob, "sit", table=room)
    assert await watcher.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    view = await watcher.told("table_view", table=room)
    assert (view["status"], view["seat"], view["count"]) == ("playing", None, 2)
    players = {await seated(client, room): client for client in (anna, bob)}
    for turn, column in enumerate(WON_BY_FIRST):
        await drop(players[turn % 2], room, column, f"turn {turn}")
        for client in (anna, bob, watcher):
            assert await moved(client) == column
    for client in (anna, bob, watcher):
        over = await client.told("table_over", table=room)
        assert over["outcome"]["winners"] == [0]
    answer = await ask_room(anna, room, "act", "late", command={"type": "drop", "column": 0})
    assert anna.code_of(answer) == "round_over"
    for message in (*anna.log, *bob.log, *watcher.log):
        assert isinstance(message, list)


async def test_a_game_against_a_native_client(at: Visitors) -> None:
    anna = await at.mario("anna of mario", ZONE)
    bob: Client = await at.native("bob of native", "a long passphrase")
    room = (await open_room(anna))["table"]
    await ask(anna, "sit", table=room)
    await bob.ask("sit", table=room)
    mine = await seated(anna, room)
    assert (await bob.notice("seated", table=room))["seat"] == 1 - mine
    for turn, column in enumerate(WON_BY_FIRST):
        if turn % 2 == mine:
            await drop(anna, room, column, f"turn {turn}")
            assert await moved(anna) == column
        else:
            await bob.ask("act", table=room, command={"type": "drop", "column": column})
            assert await moved(anna) == column
    assert (await anna.told("table_over"))["outcome"] == (await bob.notice("table_over"))["outcome"]


async def test_a_private_room(at: Visitors) -> None:
    anna, bob = await at.mario("anna in private", ZONE), await at.mario("bob invited", ZONE)
    opened = await open_room(anna, private=True)
    room, key = opened["table"], opened["key"]
    for wrong in ("", "wrong"):
        assert (await bob.call(3, ZONE, room, wrong))[:4] == [3, False, 6, room]
    assert (await ask_room(bob, room, "sit", 1, key=key))["action"] == "error"
    assert await bob.call(3, ZONE, room, key) == [3, True, 0, room, ""]
    assert (await ask_room(bob, room, "sit", 2, key=key))["action"] == "sit"
    # Whoever opened it needs no key.
    assert await anna.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    await ask_room(anna, room, "sit", 3)
    await seated(bob, room)


async def test_leaving_a_room_gives_up_the_seat(at: Visitors) -> None:
    anna, bob = await at.mario("anna who goes", ZONE), await at.mario("bob who stays", ZONE)
    room = (await open_room(anna))["table"]
    for client in (anna, bob):
        await ask(client, "sit", table=room)
    mine = await seated(anna, room)
    assert await anna.call(4, ZONE, room) == [4, True, 0, room, 0]
    over = await bob.told("table_over", table=room)
    assert over["outcome"]["winners"] == [1 - mine]
    assert await anna.call(4, ZONE, room) == [4, False, 7, room, 7]
    assert await bob.call(4, ZONE, room) == [4, True, 0, room, 0]
    # It is closed now, and shows how it ended.
    assert await anna.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    assert (await anna.told("table_view", table=room, status="closed"))["count"] == 0


async def test_a_watcher_leaves(at: Visitors) -> None:
    anna, watcher = await at.mario("anna alone", ZONE), await at.mario("tired watcher", ZONE)
    room = (await open_room(anna))["table"]
    assert await watcher.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    await watcher.told("table_view")
    assert await watcher.call(4, ZONE, room) == [4, True, 0, room, 0]
    await ask(anna, "sit", table=room)
    await anna.told("table_events", table=room)
    await watcher.still_answers()
    assert watcher.waiting == []


@pytest.mark.parametrize("action", ["hello", "register", "login", "logout"])
async def test_who_one_is_the_arrays_say(at: Visitors, action: str) -> None:
    client = await at.mario("steadfast", ZONE)
    payload = {"name": "someone", "password": "a long passphrase"}
    answer = await client.request(action, payload)
    assert client.code_of(answer) == "bad_request"
    assert "[1, …]" in answer["payload"]["message"]
    assert (await ask(client, "balance"))["balance"] == 1_000_000


async def test_errors_are_those_of_the_native_door(at: Visitors) -> None:
    client = await at.mario("mistaken", ZONE)
    room = (await open_room(client))["table"]
    assert await client.refused("what") == "unknown_action"
    assert await client.refused("act", {"table": room, "command": {"type": "drop"}}) in (
        "illegal_command",
        "not_seated",
    )
    assert await client.refused("sit", {"table": 999_999}) == "no_such_table"
    assert await client.refused("sit", {"table": "x"}) == "bad_request"
    assert await client.refused("ping", {"unknown": 1}) == "bad_request"
    await client.send([6, ZONE, "sicboPlugin", {"action": "ping", "requestId": 4}])
    assert client.code_of(await client.answer(4)) == "BAD_REQUEST"


async def test_request_ids_may_be_numbers(at: Visitors) -> None:
    client = await at.mario("numbered", ZONE)
    params = {"action": "open_table", "requestId": 17, "payload": {"game": GAME}}
    await client.send([6, ZONE, PLUGIN, params])
    first = await client.answer(17)
    await client.send([6, ZONE, PLUGIN, params])
    assert await client.answer(17) == first
    params["payload"] = {"game": GAME, "private": True}
    await client.send([6, ZONE, PLUGIN, params])
    assert client.code_of(await client.answer(17)) == "bad_request"


async def test_the_zones_of_one_client_are_apart(at: Visitors) -> None:
    client = await at.mario("everywhere")
    assert (await client.call(3, ZONE, 1, ""))[:4] == [3, False, 2, 1]
    await client.send([6, ZONE, PLUGIN, {"action": "ping", "requestId": 1}])
    assert client.code_of(await client.answer(1)) == "NOT_LOGGED_IN"
    sicbo_room = (await client.request("get_user_info"))["payload"]["tableId"]
    await client.log_in("everywhere", zone=ZONE)
    room = (await open_room(client))["table"]
    # A room is in the zone of its game.
    assert (await client.call(3, "SicboZone", room, ""))[:4] == [3, False, 5, room]
    assert (await client.call(3, ZONE, sicbo_room, ""))[:4] == [3, False, 5, sicbo_room]
    assert await client.call(3, ZONE, room, "") == [3, True, 0, room, ""]
    await client.send([5, "SicboZone", room, {"action": "ping", "requestId": 4}])
    assert client.code_of(await client.answer(4)) == "BAD_REQUEST"
    params = {"action": "place_bet", "requestId": 2, "payload": {"side": "BIG", "amount": 10}}
    await client.send([6, "SicboZone", "sicboPlugin", params])
    assert (await client.answer(2))["action"] == "bet_accepted"
    assert await client.call(2, "SicboZone") == [2, True, 0]
    await client.send([6, "SicboZone", "sicboPlugin", params])
    assert client.code_of(await client.answer(2)) == "NOT_LOGGED_IN"
    assert (await ask(client, "balance"))["balance"] == 999_990
    assert await client.call(2, ZONE) == [2, True, 0]
    await client.send([6, ZONE, PLUGIN, {"action": "ping", "requestId": 3}])
    assert client.code_of(await client.answer(3)) == "NOT_LOGGED_IN"


async def test_a_login_as_another_leaves_all_zones(at: Visitors) -> None:
    await at.mario("the next")
    client = await at.mario("the last", ZONE)
    await client.send({"action": "place_bet", "requestId": 1, "payload": {"side": "BIG"}})
    assert client.code_of(await client.answer(1)) == "NOT_LOGGED_IN", "of Sic Bo's zone"
    await client.log_in("the next")
    assert await client.refused("balance") == "NOT_LOGGED_IN"
    await client.send({"action": "place_bet", "payload": {"side": "BIG", "amount": 1}})
    await client.told("bet_accepted")


async def test_who_leaves_a_zone_leaves_its_rooms(at: Visitors) -> None:
    owner = await at.native("Second banker", "a long passphrase")
    room = (await owner.ask("open_table", game="sicbo"))["table"]
    client = await at.mario("comes and goes")
    await client.log_in("comes and goes", zone=ZONE)
    assert await client.call(3, "SicboZone", room, "") == [3, True, 0, room, ""]
    assert await client.call(2, "SicboZone") == [2, True, 0]
    await client.log_in("comes and goes")
    assert await client.call(4, "SicboZone", room) == [4, False, 7, room, 7]


async def test_the_zone_of_sic_bo_hears_of_no_other_game(at: Visitors) -> None:
    gambler, player = await at.mario("of two minds"), await at.mario("of two minds", ZONE)
    room = (await open_room(player, bots=1))["table"]
    await ask(player, "sit", table=room)
    await seated(player, room)
    await gambler.still_answers()
    assert gambler.waiting == []


async def test_chat_and_a_challenge(at: Visitors) -> None:
    anna, bob = await at.mario("anna the bold", ZONE), await at.mario("bob the brave", ZONE)
    players = (await ask(anna, "list_players", limit=200))["players"]
    (opponent,) = [player["id"] for player in players if player["name"] == "bob the brave"]
    await ask(anna, "challenge", player=opponent, game=GAME)
    challenge = (await bob.told("challenged", name="anna the bold"))["challenge"]
    room = (await ask(bob, "accept", challenge=challenge))["table"]
    for client in (anna, bob):
        await seated(client, room)
    await ask_room(anna, room, "say", 9, text="Well met.")
    assert (await bob.told("said", table=room))["text"] == "Well met."
