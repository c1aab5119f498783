"""One lobby and one table for players of this door and of the native one."""

from __future__ import annotations

import pytest

from tests.doors.four.clients import Json
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.natives import Native, two
from tests.doors.four.playing import (
    WON_BY_FIRST,
    WON_BY_SECOND,
    over_for,
    play,
    start,
    update,
    whole_game,
)
from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import GAME, check_story, drop

doors = pytest.mark.parametrize("door", ["tcp", "ws"])
first = pytest.mark.parametrize("first", [True, False], ids=["native begins", "four begins"])


async def statuses(client: Client) -> dict[int, str]:
    listed = (await client.ask("list_players", limit=200))["players"]
    return {player["id"]: player["status"] for player in listed}


@doors
@first
@pytest.mark.parametrize("columns", [WON_BY_FIRST, WON_BY_SECOND])
async def test_a_whole_game(
    at: Visitors, door: Door, first: bool, columns: tuple[int, ...]
) -> None:
    anna, nora = await two(at, door)
    await nora.meets(anna, first=first)
    await nora.plays(anna, columns, first=first)
    seat = (len(columns) - 1) % 2
    await over_for(anna, nora if (seat == 0) is first else anna)
    assert await nora.outcome() == {"winners": [seat], "reason": "line"}
    check_story(nora.client, nora.table)
    # A challenge that became a game did not end in any other way.
    assert not any(notice["action"].startswith("challenge_") for notice in nora.client.log)
    await anna.quiet()


async def test_each_sees_the_other_as_free(at: Visitors) -> None:
    anna, nora = await two(at)
    watcher = await at.native("watcher")
    await watcher.ask("watch_lobby")
    bob = await at.four("bob")
    assert {"id": nora.id, "name": nora.name} in await anna.players()
    assert {"id": bob.id, "name": bob.name} in await anna.players()
    listed = (await nora.client.ask("list_players", free=True, limit=200))["players"]
    assert {"id": anna.number, "name": anna.name, "status": "free"} in listed
    await nora.meets(anna, first=False)
    assert not {anna.id, nora.id} & set(await bob.ids())
    assert (await statuses(watcher))[anna.number] == "busy"
    await nora.act("resign")
    await over_for(anna, anna)
    assert {anna.id, nora.id} <= set(await bob.ids())
    assert (await statuses(watcher))[anna.number] == "free"
    await anna.leave()
    assert anna.number not in await statuses(watcher)
    # All of that comes to whoever watches, too.
    for player, status in ((bob, "free"), (anna, "gone")):
        entry = {"id": player.number, "name": player.name, "status": status}
        await watcher.until(lambda: entry in told(watcher) or None, str(entry))  # noqa: B023


def told(watcher: Client) -> list[Json]:
    return [player for lobby in watcher.heard("lobby") for player in lobby["players"]]


async def test_against_a_member(at: Visitors) -> None:
    anna = await at.four("anna")
    client = await at.native()
    name = new_name("member")
    await client.ask("register", name=name, password="a long passphrase")
    # Who made an account is somebody of its own.
    client.welcome = await client.ask("login", name=name, password="a long passphrase")
    member = Native(client)
    assert {"id": member.id, "name": name} in await anna.players()
    await member.meets(anna, first=False)
    await member.plays(anna, WON_BY_SECOND, first=False)
    await over_for(anna, member)


@first
async def test_the_native_one_resigns(at: Visitors, first: bool) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=first)
    await nora.act("resign")
    await over_for(anna, anna)
    await anna.quiet()


@first
async def test_the_native_one_leaves(at: Visitors, first: bool) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=first)
    await nora.client.ask("leave", table=nora.table)
    await over_for(anna, anna)
    await anna.quiet()


@first
async def test_the_four_one_leaves(at: Visitors, first: bool) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=first)
    await anna.leave()
    assert await nora.outcome() == {"winners": [0 if first else 1], "reason": "left"}


async def test_a_drawn_game_is_offered_in_vain(at: Visitors) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=True)
    await nora.client.ask("offer_draw", table=nora.table)
    await anna.quiet()
    await drop(nora.client, nora.table, 3)
    assert await anna.take("GAME_UPDATE") == update((3,), nora.id, anna.id)
    anna.play(3)
    assert await anna.take("GAME_UPDATE") == update((3, 3), nora.id, anna.id)
    # The move was an answer: another offer may be made.
    await nora.client.ask("offer_draw", table=nora.table)
    await anna.quiet()


async def test_a_wish_for_another_round_disturbs_nobody(at: Visitors) -> None:
    anna, nora = await two(at)
    bob = await at.four("bob")
    await nora.meets(anna, first=True)
    await nora.act("resign")
    await over_for(anna, anna)
    # This dialect has no rematch, so whoever speaks it gets up after the end.
    assert await nora.client.refused("rematch", table=nora.table) == "not_free"
    await anna.quiet()
    await whole_game(anna, bob)
    await nora.meets(anna, first=False)
    await nora.plays(anna, WON_BY_FIRST, first=False)
    await over_for(anna, anna)


async def test_chat_and_drops_are_not_told(at: Visitors) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=True)
    await nora.client.ask("say", table=nora.table, text="hello")
    await anna.quiet()
    nora.client.reset()
    again = await at.native_again(nora.client.token)
    await drop(again, nora.table, 3)
    assert await anna.take("GAME_UPDATE") == update((3,), nora.id, anna.id)


async def test_a_spectator_sees_the_same_game(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    watcher = await at.native("watcher", "ws")
    await watcher.ask("watch", table=game)
    view = await watcher.notice("table_view", table=game)
    assert (view["game"], view["seat"], view["status"]) == (GAME, None, "playing")
    assert [player["name"] for player in view["players"]] == [anna.name, bob.name]
    for moves in range(len(WON_BY_FIRST)):
        await play(anna, bob, WON_BY_FIRST[: moves + 1], moves)
        told = await watcher.notice("table_events", table=game)
        assert told["events"][0]["column"] == WON_BY_FIRST[moves]
        if moves < len(WON_BY_FIRST) - 1:
            await watcher.ask("resume", table=game)
            shown = (await watcher.notice("table_view", table=game))["view"]
            assert shown["board"] == anna.messages[-1]["data"]["board"]
    outcome = (await watcher.notice("table_over", table=game))["outcome"]
    assert outcome == {"winners": [0], "reason": "line"}
