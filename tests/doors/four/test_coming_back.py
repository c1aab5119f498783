"""Whose connection drops in a game may come back by its name; nobody else may."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.natives import Native
from tests.doors.four.playing import (
    WON_BY_FIRST,
    WON_BY_SECOND,
    all_of,
    back_in_game,
    over,
    over_for,
    play,
    start,
    stones,
    update,
    whole_game,
)


@pytest.mark.parametrize("moves", [0, 1, 4])
@pytest.mark.parametrize("end", ["reset", "close", "shut"])
async def test_to_the_game_as_it_stands(at: Visitors, moves: int, end: str) -> None:
    anna, bob = await at.pair()
    columns = WON_BY_FIRST
    game = await start(anna, bob)
    await play(anna, bob, columns[:moves])
    if end == "shut":
        bob.shut()
    else:
        await getattr(bob, end)()
    again = await back_in_game(at.port, bob, 2, anna.name, game, columns[:moves])
    # To the other nothing has happened.
    await anna.quiet()
    await play(anna, again, columns, moves)
    await over(anna, again, anna)
    await whole_game(again, anna)
    await again.leave()


async def test_what_was_played_meanwhile_is_on_the_board(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await bob.reset()
    anna.play(3)
    assert await anna.take("GAME_UPDATE") == update((3,), anna.id, bob.id)
    again = await back_in_game(at.port, bob, 2, anna.name, game, (3,))
    again.play(4)
    for player in (anna, again):
        assert await player.take("GAME_UPDATE") == update((3, 4), anna.id, bob.id)
    await again.leave()


async def test_a_move_that_was_sent_before_the_end_counts_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    anna.play(2)
    await anna.close()
    assert await bob.take("GAME_UPDATE") == update((2,), anna.id, bob.id)
    again = await back_in_game(at.port, anna, 1, bob.name, game, (2,))
    again.play(2)
    assert await again.error()
    await again.leave()


async def test_a_move_that_may_be_lost_never_counts_twice(at: Visitors) -> None:
    """What a client sends just before its end arrives or does not; the board says which."""
    rng = Random(5)

    async def one() -> None:
        anna, bob = await at.pair()
        await start(anna, bob)
        anna.play(2)
        if rng.random() < 0.5:
            await asyncio.sleep(rng.random() / 1000)
        await anna.reset()
        again = await (await at.stranger()).register(anna.name)
        assert again.id == anna.id
        await again.take("GAME_START")
        if not stones((await again.take("GAME_UPDATE"))["board"]):
            again.play(2)
            # The first may come through all the same, and the second one is an error then.
            told = await said_before_the_list(again)
            assert told.count("GAME_UPDATE") == 1
            assert len(told) - told.count("ERROR") == 1
        assert await bob.take("GAME_UPDATE") == update((2,), anna.id, bob.id)
        for player in (again, bob):
            await player.quiet()

    await all_of(*(one() for _ in range(20)))


async def said_before_the_list(player: Four) -> list[str]:
    player.send("LIST_PLAYERS")
    told = []
    while (message := await player.next())["type"] != "LIST_PLAYERS":
        told.append(message["type"])
    return told


async def test_again_and_again(at: Visitors) -> None:
    rng = Random(3)
    players = list(await at.pair())
    ids = [player.id for player in players]
    game = await start(players[0], players[1])
    columns = [0, 1, 2, 3, 4, 5, 6] * 2
    for turn in range(len(columns)):
        await play(players[0], players[1], columns[: turn + 1], turn)
        side = rng.randrange(2)
        gone, stays = players[side], players[1 - side]
        await getattr(gone, rng.choice(("reset", "close")))()
        players[side] = await back_in_game(
            at.port, gone, side + 1, stays.name, game, columns[: turn + 1]
        )
        assert [player.id for player in players] == ids
        await stays.quiet()
    for player in players:
        await player.leave()


async def test_a_name_without_a_game_is_somebody_new(at: Visitors) -> None:
    anna, bob = await at.pair()
    await bob.reset()
    again = await (await at.stranger()).register(bob.name)
    assert again.id != bob.id
    await again.quiet()
    assert bob.id not in await anna.ids()
    await whole_game(again, anna)


async def test_dropped_right_after_the_end(at: Visitors) -> None:
    """Who has not got up from the table yet hears of the end again; everyone else is new."""
    anna, bob = await at.pair()
    await whole_game(anna, bob)
    await bob.reset()
    again = await (await at.stranger()).register(bob.name)
    end = ["GAME_START", "GAME_UPDATE", "GAME_OVER"] if again.id == bob.id else []
    assert await said_before_the_list(again) == end
    await whole_game(again, anna)


async def test_whose_game_has_ended_meanwhile_is_told_how(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await play(anna, bob, WON_BY_FIRST[:6])
    await bob.reset()
    anna.play(WON_BY_FIRST[6])
    await anna.take("GAME_UPDATE", winner=1)
    await over_for(anna, anna)
    again = await (await at.stranger()).register(bob.name)
    assert again.id == bob.id
    await again.take("GAME_START", game_id=game, your_number=2)
    assert await again.take("GAME_UPDATE") == update(WON_BY_FIRST, anna.id, bob.id)
    await over_for(again, anna)
    await whole_game(again, anna)


async def test_whose_opponent_has_left_meanwhile_is_told_too(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await play(anna, bob, (3, 4))
    await bob.reset()
    await anna.leave()
    again = await (await at.stranger()).register(bob.name)
    assert again.id == bob.id
    await again.take("GAME_START", game_id=game, your_number=2)
    last = await again.take("GAME_UPDATE")
    board = update((3, 4), anna.id, bob.id)["board"]
    ended = {"current_player": 2, "winner": 2, "winner_id": bob.id, "game_over": True}
    assert last == {"board": board, **ended}
    await over_for(again, again)
    await whole_game(again, await at.four("carl"))


async def test_while_one_is_connected_another_is_somebody_else(at: Visitors) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    other = await (await at.stranger()).register(bob.name)
    assert other.id not in (anna.id, bob.id)
    await other.quiet()
    other.play(3)
    assert await other.error()
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)


async def test_from_another_address_one_is_somebody_else(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await start(anna, bob)
    await bob.reset()
    thief = await (await at.stranger(address="127.0.0.2")).register(bob.name)
    assert thief.id not in (anna.id, bob.id)
    await thief.quiet()
    again = await back_in_game(at.port, bob, 2, anna.name, game, ())
    await play(anna, again, WON_BY_SECOND)
    await over(anna, again, again)
    await again.leave()


async def test_who_left_does_not_come_back(at: Visitors) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    await bob.leave()
    await over_for(anna, anna)
    again = await (await at.stranger()).register(bob.name)
    assert again.id != bob.id
    await whole_game(again, anna)


async def test_the_native_opponent_comes_back_too(at: Visitors) -> None:
    anna, nora = await at.four("anna"), Native(await at.native("nora"))
    await nora.meets(anna, first=True)
    await anna.reset()
    await nora.client.notice("player_dropped", table=nora.table)
    again = await back_in_game(at.port, anna, 2, nora.name, nora.table, ())
    await nora.client.notice("player_back", table=nora.table)
    await nora.plays(again, WON_BY_SECOND, first=True)
    await over_for(again, again)
    await again.leave()


# Two with one name


async def namesakes(at: Visitors) -> tuple[Four, Four]:
    """Two who call themselves the same; the hall shows the second one with a number behind."""
    name = new_name("bob")
    players = [await (await at.stranger()).register(name) for _ in range(2)]
    assert players[0].id != players[1].id
    shown = {player["id"]: player["name"] for player in await (await at.four()).players()}
    assert shown[players[0].id] == name
    assert shown[players[1].id].startswith(name)
    return players[0], players[1]


async def test_two_with_one_name_play_each_other_and_come_back(at: Visitors) -> None:
    one, other = await namesakes(at)
    one.challenge(other)
    told = await other.take("CHALLENGE_RECEIVED")
    assert told == {"challenger_id": one.id, "challenger_name": one.name}
    other.accept(one)
    starts = {player.id: await player.take("GAME_START") for player in (one, other)}
    for player in (one, other):
        await player.take("GAME_UPDATE")
        await player.reset()
    again = [await (await at.stranger()).register(one.name) for _ in range(2)]
    assert {player.id for player in again} == {one.id, other.id}
    for player in again:
        assert await player.take("GAME_START") == starts[player.id]
        await player.take("GAME_UPDATE")
    first, second = again if again[0].id == one.id else again[::-1]
    await play(first, second, WON_BY_FIRST)
    for player in again:
        await player.take("GAME_OVER", winner_id=one.id, you_won=player is first)


async def test_two_with_one_name_in_two_games(at: Visitors) -> None:
    one, other = await namesakes(at)
    opponents = await at.pair()
    starts = {}
    for player, opponent in zip((one, other), opponents, strict=True):
        player.challenge(opponent)
        await opponent.take("CHALLENGE_RECEIVED", challenger_id=player.id)
        opponent.accept(player)
        for side in (player, opponent):
            starts[side.id] = await side.take("GAME_START")
            await side.take("GAME_UPDATE")
    await all_of(one.reset(), other.reset())
    found = {}
    for _ in range(2):
        again = await (await at.stranger()).register(one.name)
        assert await again.take("GAME_START") == starts[again.id]
        await again.take("GAME_UPDATE")
        found[again.id] = again
    assert set(found) == {one.id, other.id}
    third = await (await at.stranger()).register(one.name)
    assert third.id not in found
    await third.quiet()
    for player, opponent in zip((one, other), opponents, strict=True):
        await play(found[player.id], opponent, WON_BY_SECOND)
        await opponent.take("GAME_OVER", winner_id=opponent.id, you_won=True)
