"""Whole games, move by move: each message to each player, with all its fields."""

from __future__ import annotations

import pytest

from tests.doors.four.clients import Four, Json
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import (
    WON_BY_FIRST,
    WON_BY_SECOND,
    all_of,
    over,
    play,
    start,
    update,
    whole_game,
)

RISING = (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3)
FALLING = tuple(6 - column for column in RISING)
LEVEL = (0, 0, 1, 1, 2, 2, 3)
LAST_STONE = tuple(map(int, "460265125234114035562430131501302624304665"))
DRAW = tuple(map(int, "545062455041104565311226266362030334314210"))
# Who comes second wins in the same way, after a stone of the first that is of no use.
WINS = {
    "level, 1": (LEVEL, 1),
    "level, 2": ((6, *LEVEL), 2),
    "upright, 1": (WON_BY_FIRST, 1),
    "upright, 2": (WON_BY_SECOND, 2),
    "rising, 1": (RISING, 1),
    "rising, 2": ((5, *RISING), 2),
    "falling, 1": (FALLING, 1),
    "falling, 2": ((1, *FALLING), 2),
    "on the right, 1": ((6, 6, 5, 5, 4, 4, 3), 1),
    "up to the top, 1": ((0, 0, 0, 1, 0, 1, 0, 1, 0), 1),
    "with the last stone, 2": (LAST_STONE, 2),
}


@pytest.mark.parametrize("way", WINS)
async def test_a_win(at: Visitors, way: str) -> None:
    columns, number = WINS[way]
    anna, bob = await at.pair()
    await start(anna, bob)
    last = await play(anna, bob, columns)
    assert (last["winner"], last["current_player"], last["game_over"]) == (number, number, True)
    assert await over(anna, bob, (anna, bob)[number - 1])
    for player in (anna, bob):
        await player.quiet()


async def test_a_draw(at: Visitors) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    last = await play(anna, bob, DRAW)
    assert last["current_player"] == 2
    assert (last["winner"], last["winner_id"], last["game_over"]) == (None, None, True)
    reason = await over(anna, bob, None)
    assert reason
    for player in (anna, bob):
        await player.quiet()


async def test_each_message_as_it_is(at: Visitors) -> None:
    """Written out, so that nothing is taken from the helpers of these tests."""
    anna, bob = await at.pair()
    said: list[list[Json]] = []
    anna.send("CHALLENGE", {"opponent_id": bob.id})
    said.append([await bob.next()])
    bob.send("CHALLENGE_ACCEPTED", {"challenger_id": anna.id})
    said += [[await anna.next(), await bob.next()] for _ in range(2)]
    for turn, column in enumerate((3, 3, 2, 2, 4, 4, 5)):
        (anna, bob)[turn % 2].send("PLAY_MOVE", {"column": column})
        said.append([await anna.next(), await bob.next()])
    said.append([await anna.next(), await bob.next()])
    challenged = {"challenger_id": anna.id, "challenger_name": anna.name}
    assert said[0] == [{"type": "CHALLENGE_RECEIVED", "data": challenged}]
    game = {"player1": anna.name, "player2": bob.name}
    for (number, player), message in zip(enumerate((anna, bob), 1), said[1], strict=True):
        assert message["type"] == "GAME_START"
        assert message["data"].pop("game_id") > 0
        assert message["data"] == {**game, "your_number": number, "your_name": player.name}
    no_winner = {"winner": None, "winner_id": None, "game_over": False}
    nothing = [0, 0, 0, 0, 0, 0, 0]
    boards = {
        0: [nothing] * 6,
        1: [nothing] * 5 + [[0, 0, 0, 1, 0, 0, 0]],
        2: [nothing] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]],
        6: [nothing] * 4 + [[0, 0, 2, 2, 2, 0, 0], [0, 0, 1, 1, 1, 0, 0]],
    }
    for moves, board in boards.items():
        data = {"board": board, "current_player": moves % 2 + 1, **no_winner}
        assert said[2 + moves] == [{"type": "GAME_UPDATE", "data": data}] * 2
    won = {
        "board": [nothing] * 4 + [[0, 0, 2, 2, 2, 0, 0], [0, 0, 1, 1, 1, 1, 0]],
        "current_player": 1,
        "winner": 1,
        "winner_id": anna.id,
        "game_over": True,
    }
    assert said[9] == [{"type": "GAME_UPDATE", "data": won}] * 2
    for message, you_won in zip(said[10], (True, False), strict=True):
        assert message["type"] == "GAME_OVER"
        assert message["data"].pop("reason")
        over = {"winner": anna.name, "winner_id": anna.id, "you_won": you_won}
        assert message["data"] == over


async def test_both_are_free_at_once_and_play_again(at: Visitors) -> None:
    anna, bob = await at.pair()
    for _ in range(3):
        await whole_game(anna, bob)
        assert bob.id in await anna.ids()
        await whole_game(bob, anna)


async def test_who_plays_is_not_free_and_may_still_ask(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.four("carl")
    assert {anna.id, bob.id} <= set(await carl.ids())
    await start(anna, bob)
    assert not {anna.id, bob.id} & set(await carl.ids())
    for player in (anna, bob):
        listed = await player.ids()
        assert carl.id in listed
        assert not {anna.id, bob.id} & set(listed)
    carl.challenge(bob)
    assert await carl.error()
    bob.challenge(carl)
    assert await bob.error()
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)
    assert {anna.id, bob.id} <= set(await carl.ids())


async def test_moves_that_are_refused_change_nothing(at: Visitors) -> None:
    anna, bob = await at.pair()
    for player in (anna, bob):
        player.play(3)
        assert await player.error()
    await start(anna, bob)
    columns = (0, 0, 0, 0, 0, 0)
    bob.play(3)
    not_your_turn = await bob.error()
    await play(anna, bob, columns)
    anna.play(0)
    column_full = await anna.error()
    for column in (7, -1, 100, 2**31, -(2**63), 10**30):
        anna.play(column)
        no_such_column = await anna.error()
    assert len({not_your_turn, column_full, no_such_column}) == 3
    for player in (anna, bob):
        await player.quiet()
    await play(anna, bob, (*columns, 1, 2, 1, 2, 1, 2, 1), len(columns))
    await over(anna, bob, anna)
    for player in (anna, bob):
        player.play(3)
        assert await player.error()
        await player.quiet()


async def test_several_moves_at_once_are_taken_in_turn(at: Visitors) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    # Only the first is in turn.
    for column in (3, 4, 5):
        anna.play(column)
    told = update((3,), anna.id, bob.id)
    assert await anna.take("GAME_UPDATE") == told
    await anna.error()
    await anna.error()
    assert await bob.take("GAME_UPDATE") == told
    for player in (anna, bob):
        await player.quiet()


async def test_many_games_side_by_side_do_not_mix(at: Visitors) -> None:
    async def one(columns: tuple[int, ...], number: int) -> int:
        anna, bob = await at.pair()
        game = await start(anna, bob)
        await play(anna, bob, columns)
        await over(anna, bob, (anna, bob)[number - 1])
        return game

    games = await all_of(*(one(*WINS[way]) for way in WINS))
    assert len(set(games)) == len(WINS)


async def test_a_player_who_leaves_loses_at_once(at: Visitors) -> None:
    for moves in range(3):
        for leaver in (0, 1):
            players: tuple[Four, Four] = await at.pair()
            await start(*players)
            await play(*players, (3, 3)[:moves])
            stays = players[1 - leaver]
            await players[leaver].leave()
            told = await stays.take("GAME_OVER", you_won=True, winner=stays.name)
            assert told["winner_id"] == stays.id
            stays.play(3)
            await stays.error()
            assert players[leaver].id not in await stays.ids()
