"""An id is the same player whenever it is shown, and nobody else ever hears of it."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.request import urlopen

import pytest

from tests.doors.practice.halls import Visitors, new_id, new_name
from tests.doors.practice.playing import match, over_for, play, whole_game
from tests.doors.practice.shapes import ELSEWHERE, LOGGED_IN, LOGIN
from tests.support.processes import HallProcess


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
