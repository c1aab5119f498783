"""Who one is: an id that nobody else hears of, and a name that everyone may see."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.request import urlopen

import pytest

from tests.practice.clients import NOTHING
from tests.practice.halls import Visitors, new_id, new_name
from tests.practice.playing import all_of, match, over_for, play, whole_game
from tests.practice.shapes import (
    ACT,
    ELSEWHERE,
    LOGGED_IN,
    LOGIN,
    LOGOUT,
    SEEK,
    TOLD,
    WAITING,
    WITHDRAW,
)
from tests.processes import HallProcess

no_id = pytest.mark.parametrize("id", ["", None, NOTHING], ids=["empty", "null", "missing"])


# Coming for the first time


@no_id
async def test_without_an_id_one_gets_one(at: Visitors, id: Any) -> None:
    client = await at.stranger()
    name = new_name("anna")
    message = {"code": LOGIN, "id": id, "info": {"name": name}, "timestamp": 0}
    client.say({key: value for key, value in message.items() if value is not NOTHING})
    told = await client.next()
    assert (told["code"], told["info"]) == (LOGGED_IN, {"name": name})
    assert isinstance(told["id"], str)
    assert len(told["id"]) >= 16, "too easily guessed"
    await client.quiet()


async def test_ids_that_the_hall_makes_differ(at: Visitors) -> None:
    players = await all_of(*(at.player() for _ in range(20)))
    ids = {player.id for player in players}
    assert len(ids) == 20
    # Not one is found by counting on from another.
    assert len({id[:8] for id in ids}) == 20


@pytest.mark.parametrize(
    "info", [{}, {"name": None}, {"name": ""}, None, NOTHING], ids=lambda i: str(i)[:9]
)
async def test_without_a_name_one_gets_one(at: Visitors, info: Any) -> None:
    names = set()
    for _ in range(2):
        client = await at.stranger()
        client.send(LOGIN, info)
        name: str = (await client.take(LOGGED_IN))["name"]
        assert name.startswith("Guest")
        names.add(name)
    assert len(names) == 2


@pytest.mark.parametrize(
    "id",
    ["x", "7", "Ωμέγα ✓", "x" * 64, "with spaces", "{}", 'quo"te\\', 0, 1, -5, 2**53, 2**63 - 1],
    ids=lambda id: repr(id)[:12],
)
async def test_an_id_of_ones_own_is_kept_as_it_is(at: Visitors, id: Any) -> None:
    client = await at.stranger()
    client.log_in(new_name("anna"), id)
    told = await client.next()
    assert told["code"] == LOGGED_IN
    assert told["id"] == id
    assert type(told["id"]) is type(id)
    name = client.name
    await client.quiet()
    # And is the same player's the next time.
    client.send(LOGOUT)
    assert await client.error() == "logged_out"
    client.log_in("somebody", id)
    await client.take(LOGGED_IN, name=name)


async def test_names_in_use_get_a_number(at: Visitors) -> None:
    name = new_name("anna")
    names = []
    for _ in range(3):
        client = await at.stranger()
        client.log_in(name)
        names.append((await client.take(LOGGED_IN))["name"])
    assert names == [name, f"{name}2", f"{name}3"]
    nora = await at.native()
    client = await at.stranger()
    client.log_in(nora.name)
    assert (await client.take(LOGGED_IN))["name"] == f"{nora.name}2"


async def test_names_are_trimmed_and_may_be_of_any_script(at: Visitors) -> None:
    for wanted, name in (("  王 小明 \n", "王 小明"), ("Zoë 👾", "Zoë 👾"), ("n" * 32, "n" * 32)):
        client = await at.stranger()
        client.log_in(wanted)
        await client.take(LOGGED_IN, name=name)
        await client.leave()


@pytest.mark.parametrize(
    "name", ["n" * 33, " ", "a\nb", "\0", "\x1b[31m", 5, 5.0, True, [], {}, ["anna"], "\u200b"],
    ids=repr,
)  # fmt: skip
async def test_a_bad_name_is_refused_and_one_may_try_again(at: Visitors, name: Any) -> None:
    client = await at.stranger()
    client.log_in(name)
    assert await client.error() in ("bad_name", "bad_request")
    await client.quiet()
    client.log_in(new_name("anna"))
    await client.take(LOGGED_IN)


@pytest.mark.parametrize(
    "id",
    ["x" * 65, "a\nb", "\0", "\x7f", 5.0, 1.5, True, False, [], {}, ["x"], {"id": "x"}, 10**30],
    ids=repr,
)
async def test_a_bad_id_is_refused_and_one_may_try_again(at: Visitors, id: Any) -> None:
    client = await at.stranger()
    client.send(LOGIN, {"name": new_name("anna")}, id=id)
    assert await client.error() == "bad_request"
    await client.quiet()
    client.log_in(new_name("anna"), new_id())
    await client.take(LOGGED_IN)


# Before and after


@pytest.mark.parametrize("code", [LOGOUT, SEEK, WITHDRAW, ACT, 0, 123456, LOGGED_IN, ELSEWHERE])
async def test_nobody_may_do_nothing(at: Visitors, code: int) -> None:
    client = await at.stranger()
    for id, answered in (("", ("", None)), ("somebody", ("somebody",)), (5, (5,))):
        client.send(code, {"game_id": "four_stone"}, id=id)
        told = await client.next()
        assert (told["code"], told["info"]["code"]) == (TOLD, "not_logged_in")
        assert told["id"] in answered


async def test_logging_in_twice_is_refused_and_changes_nothing(at: Visitors) -> None:
    anna = await at.player("anna")
    id, name = anna.id, anna.name
    for other in ("", id, new_id(), None, 7):
        anna.send(LOGIN, {"name": "another"}, id=other)
        assert await anna.error() == "bad_request"
        assert anna.id == id
    await anna.quiet()
    await anna.leave()
    anna = await at.stranger()
    anna.log_in("whoever", id)
    await anna.take(LOGGED_IN, name=name)


@pytest.mark.parametrize("info", [None, {}, {"name": "whoever"}, NOTHING], ids=lambda i: str(i)[:9])
async def test_logging_out_and_in_again_on_one_connection(at: Visitors, info: Any) -> None:
    anna = await at.player("anna")
    id, name = anna.id, anna.name
    for _ in range(3):
        anna.send(LOGOUT, info)
        told = await anna.next()
        assert (told["code"], told["id"], told["info"]["code"]) == (TOLD, id, "logged_out")
        await anna.quiet()
        anna.log_in("whoever", id)
        await anna.take(LOGGED_IN, name=name)
        assert anna.id == id
    anna.send(LOGOUT, info)
    assert await anna.error() == "logged_out"
    anna.log_in(new_name("somebody else"))
    await anna.take(LOGGED_IN)
    assert anna.id != id


async def test_logging_out_ends_waiting(at: Visitors) -> None:
    anna, bob = await at.pair()
    id = anna.id
    anna.seek("four_stone")
    await anna.take(WAITING)
    anna.send(LOGOUT)
    assert await anna.error() == "logged_out"
    bob.seek("four_stone")
    await bob.take(WAITING)
    await bob.quiet()
    anna.log_in("whoever", id)
    await anna.take(LOGGED_IN)
    await anna.quiet()
    # Only now does it wait again.
    anna.seek("four_stone")
    await anna.take(WAITING)
    assert {(await player.take(100004))["move_turn"] for player in (anna, bob)} == {0, 1}


async def test_who_has_logged_out_has_no_room_to_come_back_to(at: Visitors) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    leaver, id = game.first, game.first.id
    leaver.send(LOGOUT)
    assert await leaver.error() == "logged_out"
    await over_for(game.second, game.room, 1, "left")
    leaver.log_in("whoever", id)
    await leaver.take(LOGGED_IN)
    await leaver.quiet()
    await whole_game(leaver, game.second)


# Knowing someone again


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.9"])
@pytest.mark.parametrize("own", [True, False], ids=["own id", "the hall's id"])
async def test_a_known_id_is_the_same_player_from_anywhere(
    at: Visitors, own: bool, address: str
) -> None:
    anna = await at.player("anna", new_id() if own else "")
    await anna.close()
    again = await at.back(anna, address=address)
    await again.quiet()
    await whole_game(again, await at.player("bob"))


@pytest.mark.parametrize("info", [{}, {"name": ""}, {"name": "taken"}, {"name": "n" * 33}, None])
async def test_the_name_is_that_of_the_first_time(at: Visitors, info: Any) -> None:
    anna = await at.player("anna", new_id())
    await anna.close()
    again = await at.stranger()
    again.send(LOGIN, info, id=anna.id)
    await again.take(LOGGED_IN, name=anna.name)


async def test_text_and_number_are_two_ids(at: Visitors) -> None:
    number = await at.player("number", 123_456)
    text = await at.player("text", "123456")
    assert number.name != text.name


async def test_it_is_the_same_player_at_other_doors(at: Visitors) -> None:
    """As others know it: by number and name, never by its id."""
    nora = await at.native()
    anna = await at.player("anna", new_id())
    before = await listed(nora, anna.name)
    await anna.close()
    await at.back(anna)
    assert await listed(nora, anna.name) == before


async def listed(nora: Any, name: str) -> Any:
    players = (await nora.ask("list_players", limit=200))["players"]
    (found,) = (player for player in players if player["name"] == name)
    return found["id"]


async def test_players_of_this_door_are_busy_to_others(at: Visitors) -> None:
    nora, anna = await at.native(), await at.player("anna")
    players = (await nora.ask("list_players", limit=200))["players"]
    (found,) = (player for player in players if player["name"] == anna.name)
    assert found["status"] == "busy"
    for game in ("four-stone", "connect-four"):
        code = await nora.refused("challenge", player=found["id"], game=game)
        assert code == "not_free"
    await anna.quiet()


# An id is a secret


async def test_nobody_hears_the_ids_of_others(at: Visitors, hall: HallProcess) -> None:
    """Conftest's `at` searches everything that anyone was told; this makes much be told."""
    nora, watcher = await at.native("nora"), await at.native("watcher")
    await watcher.ask("watch_lobby")
    anna, bob = await at.player("anna", new_id()), await at.player("bob")
    game = await match(anna, bob)
    await watcher.ask("watch", table=game.room)
    thief = await at.stranger()
    thief.log_in("thief", anna.id)
    await thief.take(ELSEWHERE, name=anna.name)
    await play(game, "0302 0001")
    await game.first.close()
    game = game.with_(0, await at.back(game.first))
    await nora.ask("list_players", limit=200)
    await nora.ask("list_tables")
    game.first.act(game.room, "resign")
    await over_for(game.second, game.room, 1, "resigned")
    await nora.ask("journal", table=game.room)
    await nora.ask("history")
    for path in (f"tables/{game.room}", f"tables/{game.room}/journal", "tables", "standings"):
        text = await asyncio.to_thread(read, f"{hall.web_url}/api/{path}")
        for player in (anna, bob):
            assert json.dumps(player.id)[1:-1] not in text


def read(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
    return text


async def test_no_id_lies_in_the_data_folder(at: Visitors, hall: HallProcess) -> None:
    """Whoever reads a backup can be nobody else by it."""
    anna, bob = await at.player("anna", new_id()), await at.player("bob")
    await whole_game(anna, bob)
    kept = b"".join(path.read_bytes() for path in hall.data.rglob("*") if path.is_file())
    for player in (anna, bob):
        assert player.name.encode() in kept
        assert player.id.encode() not in kept


async def test_an_id_opens_nothing_else(at: Visitors) -> None:
    """It is no token of the native door, and no token is an id of this one."""
    anna, nora = await at.player("anna", new_id()), await at.native()
    for id in (anna.id, (await at.player()).id):
        stranger = await at.native_stranger()
        assert await stranger.refused("hello", token=id) == "bad_token"
    client = await at.stranger()
    client.log_in(new_name("eve"), nora.token[:64])
    told = await client.take(LOGGED_IN)
    assert told["name"] != nora.name
    await client.leave()
    # Nora has heard this one, of course.
    client.ids.clear()
