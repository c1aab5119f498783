"""Whose connection ends in a game comes back to it by its id, and hears every move once."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.doors.practice import stones
from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors, new_id
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    FOUR_STONE,
    drop,
    match,
    move,
    moved,
    over,
    over_for,
    play,
    resumed,
    whole_game,
)
from tests.doors.practice.shapes import LOGOUT, ROOM, SEEK, START, TOLD

SETTINGS = ("limits.messages_per_second=0", "table.grace_seconds=60")
MOVES = stones.WATER_WINS
seats = pytest.mark.parametrize("seat", [0, 1])


async def hangs_up(player: Practice, how: str) -> None:
    if how == "shut":
        player.shut()
    else:
        await getattr(player, how)()


@seats
@pytest.mark.parametrize("end", ["close", "reset", "shut"])
@pytest.mark.parametrize("count", [0, 1, 5])
async def test_all_moves_so_far_and_then_the_live_ones(
    at: Visitors, count: int, end: str, seat: int
) -> None:
    game = await match(*await at.pair())
    so_far = " ".join(MOVES.split()[:count])
    await play(game, so_far)
    await hangs_up(game.players[seat], end)
    again = await at.back(game.players[seat], address="127.0.0.3")
    await resumed(again, game, seat, so_far)
    game = game.with_(seat, again)
    for player in game.players:
        await player.quiet()
    await play(game, MOVES, count)
    await over(game, 1, "one_stone")
    await whole_game(*game.players)


async def test_what_was_played_meanwhile(at: Visitors) -> None:
    game = await match(*await at.pair())
    await game.second.reset()
    move(game.first, 0, game.room, "0302")
    assert await game.first.take(ROOM) == moved(0, game.room, "0302")
    again = await at.back(game.second)
    await resumed(again, game, 1, "0302")
    await play(game.with_(1, again), MOVES, 1)


async def test_a_move_that_was_sent_before_the_end_counts_once(at: Visitors) -> None:
    game = await match(*await at.pair())
    move(game.first, 0, game.room, "0302")
    await game.first.close()
    assert await game.second.take(ROOM) == moved(0, game.room, "0302")
    again = await at.back(game.first)
    await resumed(again, game, 0, "0302")
    move(again, 0, game.room, "0203")
    assert await again.error() == "not_your_turn"
    await play(game.with_(0, again), MOVES, 1)


async def test_after_logging_in_on_a_connection_that_was_somebody_else(at: Visitors) -> None:
    game = await match(*await at.pair())
    await play(game, "0302 0001")
    await game.first.reset()
    other = await at.player("other")
    other.send(LOGOUT)
    assert await other.error() == "logged_out"
    other.log_in("whoever", game.first.id)
    assert (await other.next())["info"] == {"name": game.first.name}
    await resumed(other, game, 0, "0302 0001")


async def test_both_at_once(at: Visitors) -> None:
    game = await match(*await at.pair())
    await play(game, "0302 0001")
    for player in game.players:
        await player.reset()
    for seat in (0, 1):
        again = await at.back(game.players[seat])
        await resumed(again, game, seat, "0302 0001")
        game = game.with_(seat, again)
    await play(game, MOVES, 2)
    await over(game, 1, "one_stone")


async def test_in_a_room_to_which_one_came_back_one_is_not_free(at: Visitors) -> None:
    game = await match(*await at.pair())
    await game.first.reset()
    again = await at.back(game.first)
    await resumed(again, game, 0, "")
    again.send(SEEK, {"game_id": FOUR_STONE})
    assert await again.error() == "not_free"
    again.act(game.room, "resign")
    await over(game.with_(0, again), 1, "resigned")


async def test_a_room_that_ended_while_one_was_away(at: Visitors) -> None:
    """The whole of it, and how it ended."""
    game = await match(*await at.pair())
    before = " ".join(MOVES.split()[:-1])
    await play(game, before)
    await game.first.reset()
    last = MOVES.split()[-1]
    move(game.second, 1, game.room, last)
    assert await game.second.take(ROOM) == moved(1, game.room, last)
    await over_for(game.second, game.room, 1, "one_stone")
    again = await at.back(game.first)
    await resumed(again, game, 0, MOVES)
    await over_for(again, game.room, 1, "one_stone")
    await again.quiet()
    await whole_game(again, game.second)


async def test_a_room_that_the_other_left_while_one_was_away(at: Visitors) -> None:
    game = await match(*await at.pair())
    await play(game, "0302")
    await game.first.reset()
    game.second.send(LOGOUT)
    assert await game.second.error() == "logged_out"
    again = await at.back(game.first)
    await resumed(again, game, 0, "0302")
    await over_for(again, game.room, 0, "left")
    # Told once, it is past.
    await at.is_closed(game.room)
    await again.close()
    again = await at.back(again)
    await again.quiet()


async def test_a_room_that_had_ended_before_is_past(at: Visitors) -> None:
    anna, bob = await at.pair()
    await at.is_closed(await whole_game(anna, bob))
    for player in (anna, bob):
        await player.reset()
        again = await at.back(player)
        await again.quiet()


@pytest.mark.parametrize("id", [new_id(), 31_337], ids=["text", "number"])
async def test_by_an_id_of_ones_own(at: Visitors, id: str | int) -> None:
    anna, bob = await at.player("anna", id), await at.player("bob")
    game = await match(anna, bob)
    await play(game, "0302")
    await anna.reset()
    again = await at.back(anna)
    seat = game.players.index(anna)
    await resumed(again, game, seat, "0302")
    await play(game.with_(seat, again), MOVES, 1)


# Other games


async def test_connect_four_event_by_event_and_one_view(at: Visitors) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    columns = (3, 3, 2, 2)
    await drop(game, columns)
    live = rooms(game.first)
    start = next(m["info"] for m in game.first.messages if m["code"] == START)
    await game.first.reset()
    again = await at.back(game.first)
    assert await again.take(START) == start
    for event in live:
        if event["action"] != "view":
            assert await again.take(ROOM) == event
    assert await again.take(ROOM) == live[-1]
    game = game.with_(0, again)
    for player in game.players:
        await player.quiet()
    await drop(game, (*columns, 4, 4, 5), len(columns))
    await over(game, 0, "line")


async def test_connect_four_without_a_move(at: Visitors) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    await game.second.reset()
    again = await at.back(game.second)
    start = await again.take(START, room=game.room, move_turn=1)
    assert start["content"]["view"]["turn"] == 0
    # There may be a view, and no move.
    await drop_or_view(again)
    await drop(game.with_(1, again), (3,))


async def drop_or_view(player: Practice) -> None:
    """Past a view that may come before it is quiet."""
    player.send(0)
    message = await player.next()
    if message["code"] == ROOM:
        assert message["info"]["action"] == "view"
        message = await player.next()
    assert message["code"] == TOLD


def rooms(player: Practice) -> list[Json]:
    return [message["info"] for message in player.messages if message["code"] == ROOM]


async def test_two_player_bingo_hides_on_the_way_back(at: Visitors) -> None:
    anna, bob = await at.pair()
    game = await match(anna, bob, "bingo-duel")
    start = next(m["info"] for m in game.first.messages if m["code"] == START)
    board = next(m["info"] for m in game.second.messages if m["code"] == START)
    hidden = board["content"]["view"]["sides"][1]["board"]
    game.second.act(game.room, "pick", number=1)
    for player in game.players:
        await player.room("picked")
        await player.room("view")
    await game.first.reset()
    again = await at.back(game.first)
    assert await again.take(START) == start
    await again.room("picked", number=1, seat=1)
    view = (await again.room("view"))["view"]
    assert view["picked"] == [1]
    await again.quiet()
    for row in hidden:
        assert not any(str(row)[1:-1].replace(" ", "") in text for text in again.texts)


async def test_a_round_of_very_many_events_begins_later(at: Visitors) -> None:
    """Not all of more than a thousand are told, but those that are told lead to now."""
    game = await match(*await at.pair(), CONNECT_FOUR)
    await drop(game, (3,))
    for _ in range(550):
        game.first.act(game.room, "offer_draw")
        for player in game.players:
            await player.room("draw_offered")
            await player.room("view")
        game.second.act(game.room, "answer_draw", accept=False)
        for player in game.players:
            await player.room("draw_answered")
            await player.room("view")
    live = [info for info in rooms(game.first) if info["action"] != "view"]
    last = rooms(game.first)[-1]
    await game.first.reset()
    again = await at.back(game.first)
    start = await again.take(START, room=game.room, move_turn=0)
    again.send(0)
    told = []
    while (message := await again.next())["code"] == ROOM:
        told.append(message["info"])
    events = [info for info in told if info["action"] != "view"]
    assert len(events) <= 1000 < len(live)
    assert events == live[len(live) - len(events) :]
    assert start["content"]["view"]["board"] == last["view"]["board"]
    assert not events or told[-1] == last
    await drop(game.with_(0, again), (3, 3), 1)


# At the same time as moves


@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", range(4))
async def test_no_move_is_missed_or_told_twice(at: Visitors, seed: int) -> None:
    """The opponent moves while one comes back, a little earlier or later each time."""
    rng = Random(seed)
    for _ in range(15):
        game = await match(*await at.pair())
        moves = stones.FIRE_IS_STUCK.split()
        for turn, digits in enumerate(moves):
            seat = turn % 2
            mover, away = game.players[seat], game.players[1 - seat]
            again = await at.stranger()
            await hangs_up(away, rng.choice(("reset", "close", "shut")))
            both = [
                lambda: again.log_in("whoever", away.id),  # noqa: B023 (called at once)
                lambda: move(mover, seat, game.room, digits),  # noqa: B023
            ]
            rng.shuffle(both)
            both[0]()
            await asyncio.sleep(rng.choice((0, 0, 0.0005, 0.001, 0.002)))
            both[1]()
            assert await mover.take(ROOM) == moved(seat, game.room, digits)
            assert (await again.next())["info"] == {"name": away.name}
            await resumed(again, game, 1 - seat, " ".join(moves[: turn + 1]))
            game = game.with_(1 - seat, again)
        await over(game, 1, "no_move")
        for player in game.players:
            await player.quiet()
