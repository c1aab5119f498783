"""Four Stone, whole games, move by move: each message to each player, with all its fields."""

from __future__ import annotations

import pytest

from tests.doors.practice import stones
from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    FOUR_STONE,
    all_of,
    first_content,
    match,
    move,
    moved,
    over,
    over_for,
    play,
    whole_game,
)
from tests.doors.practice.shapes import LOGOUT, ROOM, SEEK, TOLD

GAMES = {
    "fire takes three": (stones.FIRE_WINS, 0, "one_stone"),
    "water takes three": (stones.WATER_WINS, 1, "one_stone"),
    "water cannot move": (stones.WATER_IS_STUCK, 0, "no_move"),
    "fire cannot move": (stones.FIRE_IS_STUCK, 1, "no_move"),
    "three times the same": (stones.REPEATED, None, "repetition"),
}


@pytest.mark.parametrize("name", GAMES)
async def test_a_whole_game(at: Visitors, name: str) -> None:
    moves, winner, reason = GAMES[name]
    game = await match(*await at.pair())
    await play(game, moves)
    await over(game, winner, reason)
    for player in game.players:
        await player.quiet()


async def test_each_message_as_it_is(at: Visitors) -> None:
    """Written out, so that nothing is taken from the helpers of these tests."""
    players = await at.pair()
    said: list[list[Json]] = []
    for player in players:
        player.say({"code": 200004, "id": player.id, "info": {"game_id": "four_stone"}})
        said.append([await player.next()])
    starts = [await player.next() for player in players]
    if starts[0]["info"]["move_turn"] == 1:
        starts.reverse()
        players = (players[1], players[0])
    room = starts[0]["info"]["room"]
    for seat, start, target in ((0, [1, 3], [1, 2]), (1, [2, 0], [2, 1])):
        move = {"move_turn": seat, "position_init": start, "position_move": target, "room": room}
        action = {"code": 200006, "info": {"action": 500001, **move}, "timestamp": 1.5}
        players[seat].say({**action, "id": players[seat].id})
        said.append([await player.next() for player in players])
    players[0].say({"code": 200003, "id": players[0].id, "info": {"name": players[0].name}})
    said.append([await player.next() for player in players])
    for message in [*starts, *(message for each in said for message in each)]:
        assert isinstance(message.pop("timestamp"), int | float)
    first, second = (player.name for player in players)
    assert first != second
    ids = [message.pop("id") for message in starts]
    for waiting in said[:2]:
        assert waiting[0].pop("id") in ids
        assert waiting == [{"code": 100002, "info": None}]
    view = {
        "board": [[2, 2, 2, 2], [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]],
        "turn": 0,
        "last": None,
        "times": 1,
        "deadline_ms": None,
    }
    content = {"options": {"move_seconds": 0}, "view": view}
    room_info = {"room": room, "game_id": "four_stone", "content": content}
    assert starts == [{"code": 100004, "info": {"move_turn": seat, **room_info}} for seat in (0, 1)]
    for seat, start, target in ((0, [1, 3], [1, 2]), (1, [2, 0], [2, 1])):
        move = {"move_turn": seat, "position_init": start, "position_move": target, "room": room}
        info = {"action": 500002, **move}
        assert said[2 + seat] == [{"code": 100006, "id": id, "info": info} for id in ids]
    left, stays = said[4]
    assert left["info"].pop("message")
    assert left == {"code": 100007, "id": ids[0], "info": {"code": "logged_out"}}
    result = {"winner": 1, "reason": "left"}
    assert stays["info"].pop("room") == room
    assert stays == {"code": 100005, "id": ids[1], "info": {"result": result}}


# The stones that fall, as clients find out: who has lost one cannot move it.


CAPTURES = [
    # Fire's second stone comes below: column 1 read from below is own, own, enemy, free.
    ("0302 1011 0212", "1101"),
    # Water moves down on fire's stone: column 1 from above is own, own, enemy, free.
    ("0302 0001 1312 0111", "1222"),
    # Row 1 from the right: free, own, own, enemy.
    ("0302 0001 1312 0111 0201 2021", "0102"),
    # Row 2 with an own stone behind: own, own, enemy, own from the right.
    ("0302 1011 2322 1112 3332", "1211"),
    # Row 2 from the left: free, own, own, enemy.
    ("0302 1011 0201 1112 1303 2021 3332 2122", "3233"),
]


@pytest.mark.parametrize(("moves", "next_move"), CAPTURES)
async def test_a_stone_that_was_taken_cannot_move(at: Visitors, moves: str, next_move: str) -> None:
    *before, last = moves.split()
    places = stones.after(" ".join(before))
    taken = stones.moved(places, last)[1]
    assert taken == {(int(next_move[0]), int(next_move[1]))}
    game = await match(*await at.pair())
    await play(game, moves)
    seat = len(moves.split()) % 2
    loser = game.players[seat]
    move(loser, seat, game.room, next_move)
    assert await loser.error() == "not_your_stone"
    await loser.quiet()


NOTHING_FALLS = [
    # Between two stones that are apart: row 2 is own, enemy, own, free. It goes on to [1, 1].
    "0302 1011 2322 1112 1303 1211",
    # Two before two: column 0 is enemy, enemy, own, own, and the second enemy goes to [1, 1].
    "0302 2021 1303 0001 2322 1000 0313 3031 1303 0111",
]


@pytest.mark.parametrize("moves", NOTHING_FALLS)
async def test_a_stone_that_was_not_taken_can_move(at: Visitors, moves: str) -> None:
    assert len(stones.after(moves)) == 8
    game = await match(*await at.pair())
    await play(game, moves)
    for player in game.players:
        await player.quiet()


# What is refused


@pytest.mark.parametrize(
    ("digits", "code"),
    [
        ("0300", "not_adjacent"),
        ("0313", "place_taken"),
        ("0001", "not_your_stone"),
        ("0201", "not_your_stone"),
        ("0304", "no_such_place"),
        ("9998", "no_such_place"),
    ],
)
async def test_moves_that_are_refused_change_nothing(at: Visitors, digits: str, code: str) -> None:
    game = await match(*await at.pair())
    move(game.second, 1, game.room, "0001")
    assert await game.second.error() == "not_your_turn"
    move(game.first, 0, game.room, digits)
    assert await game.first.error() == code
    for player in game.players:
        await player.quiet()
    await play(game, stones.FIRE_WINS)
    await over(game, 0, "one_stone")


@pytest.mark.parametrize("turn", [1, 2, -1, 7, None, "0", 0.0, False, [0], {}])
async def test_the_seat_in_a_move_is_the_senders_own(at: Visitors, turn: object) -> None:
    game = await match(*await at.pair())
    game.first.act(game.room, 500001, move_turn=turn, **stones.fields("0302"))
    assert await game.first.error() == "bad_request"
    for player in game.players:
        await player.quiet()
    await play(game, "0302")


async def test_by_the_names_that_other_doors_know(at: Visitors) -> None:
    game = await match(*await at.pair())
    game.first.act(game.room, "move", **{"from": [0, 3], "to": [0, 2]})
    for player in game.players:
        assert await player.take(ROOM) == moved(0, game.room, "0302")
    await play(game, "0302 0001", 1)
    game.first.act(game.room, "drop", column=3)
    assert await game.first.error() == "illegal_command"
    game.first.act(game.room, "move", **{"from": [0, 3]})
    assert await game.first.error() in ("illegal_command", "bad_request")


@pytest.mark.parametrize("seat", [0, 1])
async def test_resigning(at: Visitors, seat: int) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    game.players[seat].act(game.room, "resign")
    await over(game, 1 - seat, "resigned")
    for player in game.players:
        await player.quiet()


@pytest.mark.parametrize("seat", [0, 1])
async def test_logging_out_loses_at_once(at: Visitors, seat: int) -> None:
    game = await match(*await at.pair())
    await play(game, "0302 0001")
    leaver, stays = game.players[seat], game.players[1 - seat]
    leaver.send(LOGOUT, {"name": leaver.name})
    assert (await leaver.take(TOLD))["code"] == "logged_out"
    await over_for(stays, game.room, 1 - seat, "left")
    await leaver.quiet()
    await stays.quiet()


async def test_several_moves_at_once_are_taken_in_turn(at: Visitors) -> None:
    game = await match(*await at.pair())
    for digits in ("0302", "1312", "2322"):
        move(game.first, 0, game.room, digits)
    assert await game.first.take(ROOM) == moved(0, game.room, "0302")
    assert [await game.first.error() for _ in range(2)] == ["not_your_turn"] * 2
    assert await game.second.take(ROOM) == moved(0, game.room, "0302")
    for player in game.players:
        await player.quiet()


# After the end


async def test_after_the_end_one_has_left_and_may_play_again(at: Visitors) -> None:
    anna, bob = await at.pair()
    rooms = []
    for _ in range(3):
        game = await match(anna, bob)
        await play(game, stones.FIRE_WINS)
        await over(game, 0, "one_stone")
        for seat, player in enumerate(game.players):
            move(player, seat, game.room, "0001")
            assert await player.error() == "no_such_table"
        rooms.append(game.room)
    assert len(set(rooms)) == 3
    await whole_game(bob, anna)


async def test_many_games_side_by_side_do_not_mix(at: Visitors) -> None:
    async def one(players: tuple[Practice, Practice], name: str) -> int:
        moves, winner, reason = GAMES[name]
        game = await match(*players)
        await play(game, moves)
        await over(game, winner, reason)
        return game.room

    # They come one pair after the other, so that these are the ones who meet.
    rooms = []
    for name in GAMES:
        rooms.append(await one(await at.pair(), name))
    games = [(await match(*await at.pair()), name) for name in GAMES]
    await all_of(*(play(game, GAMES[name][0]) for game, name in games))
    for game, name in games:
        await over(game, *GAMES[name][1:])
    assert len({*rooms, *(game.room for game, _ in games)}) == 2 * len(GAMES)


@pytest.mark.parametrize("asked", ["four_stone", "four-stone"])
async def test_by_either_name(at: Visitors, asked: str) -> None:
    anna, bob = await at.pair()
    anna.send(SEEK, {"game_id": asked})
    await anna.take(100002)
    bob.seek(FOUR_STONE)
    await bob.take(100002)
    for player, name in ((anna, asked), (bob, FOUR_STONE)):
        start = await player.take(100004)
        assert (start["game_id"], start["content"]) == (name, first_content())
