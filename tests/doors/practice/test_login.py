"""Who one is: an id that nobody else hears of, and a name that everyone may see."""

from __future__ import annotations

from typing import Any

import pytest

from tests.doors.practice.clients import NOTHING
from tests.doors.practice.halls import Visitors, new_id, new_name
from tests.doors.practice.playing import all_of, match, over_for, play, whole_game
from tests.doors.practice.shapes import (
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
