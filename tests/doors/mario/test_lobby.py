"""The framework's lobby: the zone LOBBY, and its token in the zones of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.doors.mario.clients import PASSWORD, MarioClient
from tests.doors.rfc.halls import PATIENT, Visitors, open_hall

SETTINGS = PATIENT
FOUR = "ConnectFourZone"
ZONES = ("SicboZone", FOUR, "BingoZone", "BingoDuelZone", "FourStoneZone")
NO_PASSWORDS: list[Any] = [{}, None, 7, True, ["x"]]
OTHER_PASSWORDS: list[Any] = [*NO_PASSWORDS, "", "not the password", PASSWORD]


async def lobby(at: Visitors, name: str) -> tuple[MarioClient, str]:
    """A client in the lobby, and its token."""
    client = await at.mario()
    return client, await token_of(client, name)


async def token_of(client: MarioClient, name: str, password: str = PASSWORD) -> str:
    answer = await client.call(1, "LOBBY", name, password, {"bnrToken": ""})
    assert len(answer) == 7, answer
    assert answer[:6] == [1, True, 0, name, "LOBBY", ""]
    token = answer[6]["sessionProfile"]["bnrToken"]
    assert isinstance(token, str)
    assert len(token) >= 32
    assert answer[6] == {"sessionProfile": {"bnrToken": token}}
    return token


async def refusal(client: MarioClient, name: str, token: Any, zone: str = "SicboZone") -> int:
    """The code with which the token is refused; the answer does not repeat it."""
    answer = await client.call(1, zone, name, {}, {"bnrToken": token})
    assert answer[:2] == [1, False], answer
    assert len(answer) == 6
    assert not isinstance(token, str) or len(token) < 8 or token not in client.texts[-1]
    code: int = answer[2]
    return code


# The way of the framework's clients


async def test_from_the_lobby_to_a_bet(at: Visitors) -> None:
    _, token = await lobby(at, "framework")
    game = await at.mario()
    await game.send([1, "SicboZone", "framework", {}, {"bnrToken": token}])
    assert (await game.told("round_state"))["status"] == "BETTING_OPEN"
    room = game.log[1][3]
    assert game.log[:2] == [
        [1, True, 0, "framework", "SicboZone", ""],
        [3, True, 0, room, game.log[1][4]],
    ]
    assert (type(room), type(game.log[1][4])) == (int, str)
    types = await game.request("get_room_types", {}, 1)
    assert types["event"] == "room_types"
    (group,) = [kind["groupId"] for kind in types["datas"]["roomTypes"]]
    assert group == "SICBO"
    found = await game.request("search_room", {"groupId": group}, 2)
    assert found["datas"]["roomInfo"]["roomId"] == room
    assert await game.call(3, "SicboZone", room, "") == [3, True, 0, room, ""]
    params = {"action": "place_bet", "requestId": 3, "payload": {"side": "BIG", "amount": 500}}
    await game.send([5, "SicboZone", room, params])
    assert (await game.answer(3))["action"] == "bet_accepted"
    assert await game.balance() == 999_500


@pytest.mark.parametrize("zone", ZONES)
async def test_every_zone_takes_the_token_whatever_the_password_is(at: Visitors, zone: str) -> None:
    _, token = await lobby(at, f"in {zone}")
    client = await at.mario()
    for password in OTHER_PASSWORDS:
        answer = await client.call(1, zone, f"in {zone}", password, {"bnrToken": token})
        assert answer == [1, True, 0, f"in {zone}", zone, ""], password
    again = await at.mario()
    for params in ({"action": "login", "bnrToken": token}, {"bnrToken": token, "more": [1]}):
        assert (await again.call(1, zone, f"  IN {zone} ", {}, params))[1] is True


async def test_lobby_and_game_on_one_connection(at: Visitors) -> None:
    client, token = await lobby(at, "all in one")
    for zone in ("SicboZone", FOUR):
        answer = await client.call(1, zone, "all in one", {}, {"bnrToken": token})
        assert answer == [1, True, 0, "all in one", zone, ""]
    await client.bet("SMALL", 10)
    assert await client.call(2, "SicboZone") == [2, True, 0]
    assert await client.refused("get_user_info") == "NOT_LOGGED_IN"
    await client.call(1, "SicboZone", "all in one", {}, {"bnrToken": token})
    assert await client.balance() == 999_990


async def test_only_who_names_a_token_is_told_its_room(at: Visitors) -> None:
    _, token = await lobby(at, "told")
    for params, password, told in (
        ({"bnrToken": token}, {}, True),
        ({"bnrToken": ""}, PASSWORD, True),
        ({"bnrToken": None}, PASSWORD, False),
        ({}, PASSWORD, False),
        ({"action": "login"}, PASSWORD, False),
    ):
        client = await at.mario()
        assert (await client.call(1, "SicboZone", "told", password, params))[1] is True
        await client.told("round_state")
        await client.still_answers()
        rooms = [message for message in client.log if message[0] == 3]
        assert len(rooms) == told, (params, rooms)


async def test_who_comes_back_to_a_seat_is_told_its_room(at: Visitors) -> None:
    _, token = await lobby(at, "seated")
    first = await at.mario()
    first.zone, first.plugin = FOUR, "connectFourPlugin"
    await first.send([1, FOUR, "seated", {}, {"bnrToken": token}])
    await first.array(1)
    created = (await first.request("create_room", {"groupId": "CONNECT_FOUR"}))["datas"]
    room = created["roomInfo"]["roomId"]
    assert [message for message in first.log if message[0] == 3] == []
    await first.request("sit", {"table": room})
    await first.close()
    back = await at.mario()
    await back.call(1, FOUR, "seated", {}, {"bnrToken": token})
    assert (await back.array(3))[:4] == [3, True, 0, room]
    assert (await back.told("table_view"))["table"] == room


# Tokens that are none


async def test_a_wrong_token(at: Visitors) -> None:
    _, token = await lobby(at, "right")
    await lobby(at, "neighbour")
    wrong = [f"{token}x", token[:-1], token.swapcase(), "x" * 43, " ", f" {token}", "\u0000"]
    for zone, each in zip((*ZONES, *ZONES), wrong, strict=False):
        # On a connection each: the fifth in a minute would close it.
        client = await at.mario()
        assert await refusal(client, "right", each, zone) == 3
        # The right password does not make up for it.
        answer = await client.call(1, zone, "right", PASSWORD, {"bnrToken": each})
        assert answer[:5] == [1, False, 3, "right", zone]
        assert await client.call(2, zone) == [2, False, 2]


async def test_anothers_token(at: Visitors) -> None:
    _, token = await lobby(at, "its owner")
    await lobby(at, "a thief")
    client = await at.mario()
    for name in ("a thief", "nobody yet", "", "x" * 33):
        assert await refusal(client, name, token) == 3
    await client.send({"action": "get_user_info", "requestId": 1})
    assert client.code_of(await client.answer(1)) == "NOT_LOGGED_IN"
    assert (await client.call(1, "SicboZone", "its owner", {}, {"bnrToken": token}))[1] is True


async def test_a_refused_token_changes_nothing(at: Visitors) -> None:
    client = await at.mario("steady")
    assert await refusal(client, "steady", "x" * 43) == 3
    await client.bet("BIG", 10)


async def test_guessing_ends_the_connection(at: Visitors) -> None:
    client = await at.mario()
    for _ in range(5):
        assert await refusal(client, "guessed", "y" * 43) == 3
    assert await client.closed() == 1008


@pytest.mark.parametrize("token", [0, 1.5, True, [], ["x"], {}, {"bnrToken": "x"}])
async def test_a_token_of_another_type(at: Visitors, token: Any) -> None:
    client = await at.mario()
    for zone in ("SicboZone", "LOBBY"):
        for password in (PASSWORD, *NO_PASSWORDS):
            answer = await client.call(1, zone, "mistyped", password, {"bnrToken": token})
            assert answer[:5] == [1, False, 1, "", ""]
            assert answer[5]


async def test_without_a_token_a_password_is_needed(at: Visitors) -> None:
    client = await at.mario()
    for params in ({}, {"bnrToken": None}):
        for password in NO_PASSWORDS:
            answer = await client.call(1, "SicboZone", "empty", password, params)
            assert answer[:5] == [1, False, 1, "", ""]
    for password in NO_PASSWORDS:
        answer = await client.call(1, "LOBBY", "empty", password, {"bnrToken": ""})
        assert answer[:5] == [1, False, 1, "", ""]
    await token_of(client, "empty")
    answer = await client.call(1, "SicboZone", "empty", "wrong", {"bnrToken": ""})
    assert answer[:5] == [1, False, 3, "empty", "SicboZone"]


@pytest.mark.parametrize("zone", ZONES)
async def test_who_has_no_token_yet_is_sent_to_the_lobby(at: Visitors, zone: str) -> None:
    client = await at.mario()
    for password in (*NO_PASSWORDS, {}):  # It guesses nothing, so that no fifth time is too much.
        answer = await client.call(1, zone, "too early", password, {"bnrToken": ""})
        assert answer[:5] == [1, False, 3, "too early", zone]
        assert "LOBBY" in answer[5]
    assert (await client.call(1, "NoZone", "too early", {}, {"bnrToken": ""}))[2] == 4
    token = await token_of(client, "too early")
    assert (await client.call(1, zone, "too early", {}, {"bnrToken": token}))[1] is True


# How long a token is good for


async def test_a_logout_of_the_lobby_ends_the_token(at: Visitors) -> None:
    client, token = await lobby(at, "leaving")
    inside = await at.mario()
    await inside.call(1, "SicboZone", "leaving", {}, {"bnrToken": token})
    _, second = await lobby(at, "leaving")
    assert await client.call(2, "LOBBY") == [2, True, 0]
    late = await at.mario()
    assert await refusal(late, "leaving", token) == 3
    # Who is in a game stays there, and the token of another login is good.
    await inside.bet("BIG", 10)
    assert (await late.call(1, "SicboZone", "leaving", {}, {"bnrToken": second}))[1] is True
    assert await client.call(2, "LOBBY") == [2, False, 2]


async def test_leaving_a_game_does_not_end_it(at: Visitors) -> None:
    first, token = await lobby(at, "from game to game")
    await first.close()
    for zone in (*ZONES, "SicboZone"):
        client = await at.mario()
        assert (await client.call(1, zone, "from game to game", {}, {"bnrToken": token}))[1] is True
        assert await client.call(2, zone) == [2, True, 0]


async def test_a_token_outlives_the_hall_and_is_nowhere_to_be_read(tmp_path: Path) -> None:
    with open_hall(tmp_path, *PATIENT) as hall:
        at = Visitors(hall)
        lobbyist, token = await lobby(at, "patient")
        game, bystander = await at.mario(), await at.mario("bystander")
        await game.call(1, "SicboZone", "patient", {}, {"bnrToken": token})
        await game.call(1, "SicboZone", "bystander", {}, {"bnrToken": token})
        await game.send(f'[1,"SicboZone","patient",{{}},{{"bnrToken":"{token}"}}')  # Cut short.
        assert await game.error() == "BAD_REQUEST"
        for action in ("get_user_info", "get_table_info", "get_rooms"):
            await game.request(action)
        hall.restart()
        back = await at.mario()
        answer = await back.call(1, "SicboZone", "patient", {}, {"bnrToken": token})
        assert answer == [1, True, 0, "patient", "SicboZone", ""]
        heard = [*lobbyist.texts[1:], *game.texts, *bystander.texts, *back.texts]
        assert [text for text in heard if token in text] == []
        await at.leave()
    assert [line for line in (*hall.stderr, *hall.stdout) if token in line] == []
    assert files_with(tmp_path, token) == []


def files_with(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]


# The zone itself


async def test_the_lobby_takes_a_password_and_nothing_else(at: Visitors) -> None:
    client, token = await lobby(at, "Lobbyist")
    answer = await client.call(1, "LOBBY", "lobbyist", "wrong", {"bnrToken": token})
    assert answer[:5] == [1, False, 3, "lobbyist", "LOBBY"]
    for password in NO_PASSWORDS:
        answer = await client.call(1, "LOBBY", "Lobbyist", password, {"bnrToken": token})
        assert answer[:5] == [1, False, 1, "", ""]
    answer = await client.call(1, "LOBBY", " lobbyist", PASSWORD, {})
    assert answer[:6] == [1, True, 0, "Lobbyist", "LOBBY", ""]


async def test_what_can_be_asked_in_the_lobby(at: Visitors) -> None:
    client, _ = await lobby(at, "curious")
    client.zone = client.plugin = "LOBBY"
    await client.still_answers()
    for action in ("place_bet", "get_user_info", "create_room", "open_table", "what"):
        assert await client.refused(action, {}) == "UNKNOWN_ACTION"
    await client.send([6, "LOBBY", "sicboPlugin", {"action": "ping", "requestId": 1}])
    assert client.code_of(await client.answer(1)) == "BAD_REQUEST"
    await client.send([5, "LOBBY", 1, {"action": "ping", "requestId": 2}])
    assert client.code_of(await client.answer(2)) == "BAD_REQUEST"
    assert (await client.call(3, "LOBBY", 1, ""))[:4] == [3, False, 5, 1]
    assert (await client.call(3, None, 1, ""))[:4] == [3, False, 5, 1]
    assert await client.call(4, "LOBBY", 1) == [4, False, 5, 1, 5]
    await client.send([6, "SicboZone", "sicboPlugin", {"action": "ping", "requestId": 3}])
    assert client.code_of(await client.answer(3)) == "NOT_LOGGED_IN"


async def test_the_lobby_hears_of_no_game(at: Visitors) -> None:
    client, _ = await lobby(at, "undisturbed")
    player, other = await at.mario("undisturbed", FOUR), await at.mario("the other", FOUR)
    players = (await player.request("list_players", {"limit": 200}))["payload"]["players"]
    (id,) = [each["id"] for each in players if each["name"] == "the other"]
    await player.request("challenge", {"player": id, "game": "connect-four"})
    challenge = (await other.told("challenged"))["challenge"]
    await other.request("refuse", {"challenge": challenge})
    await player.told("challenge_refused")
    room = (await player.request("create_room"))["datas"]["roomInfo"]["roomId"]
    for each in (player, other):
        await each.request("sit", {"table": room})
    await player.told("seated")
    client.zone = client.plugin = "LOBBY"
    await client.still_answers()
    assert client.waiting == []


# Junk


@pytest.mark.parametrize("size", [1_000, 60_000])
async def test_junk_in_every_place(at: Visitors, size: int) -> None:
    client, token = await lobby(at, f"junk of {size}")
    junk = "x" * size
    for array, code in (
        ([1, "SicboZone", f"junk of {size}", {}, {"bnrToken": junk}], 3),
        ([1, "SicboZone", junk, {}, {"bnrToken": token}], 3),
        ([1, junk, f"junk of {size}", {}, {"bnrToken": token}], 4),
        ([1, "SicboZone", f"junk of {size}", {}, {"bnrToken": [junk]}], 1),
        ([1, "LOBBY", f"junk of {size}", junk, {}], 3),
    ):
        answer = await client.call(*array)
        assert answer[:3] == [1, False, code]
    answer = await client.call(1, "SicboZone", f"junk of {size}", [junk], {"bnrToken": token})
    assert answer[1] is True
    for payload in ({"groupId": junk}, {"groupId": [junk]}, {junk: "SICBO", "groupId": 7}):
        assert await client.refused("search_room", payload) == "BAD_REQUEST"
    await client.still_answers()


async def test_more_than_a_message_may_have(at: Visitors) -> None:
    client, token = await lobby(at, "too much")
    params = {"bnrToken": token, "junk": "x" * 65_536}
    await client.send([1, "SicboZone", "too much", {}, params])
    assert await client.closed() == 1009
    assert token not in "".join(client.texts[1:])
