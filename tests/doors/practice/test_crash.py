"""kill -9 in the middle of games: the same players, the same rooms, and every move again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.doors.practice import stones
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import QUICK, Visitors, new_id, open_hall
from tests.doors.practice.playing import (
    CONNECT_FOUR,
    Match,
    drop,
    match,
    move,
    moved,
    over,
    play,
    resumed,
    whole_game,
)
from tests.doors.practice.shapes import LOGGED_IN, ROOM, START, TOLD
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS


async def crash(hall: HallProcess, *players: Practice) -> None:
    await asyncio.to_thread(hall.restart)
    for player in players:
        await player.end()


async def both_back(at: Visitors, game: Match, moves: str) -> Match:
    for seat in (1, 0):
        again = await at.back(game.players[seat])
        await resumed(again, game, seat, moves)
        game = game.with_(seat, again)
    return game


async def test_a_game_goes_on_after_a_crash(tmp_path: Path) -> None:
    moves = stones.FIRE_IS_STUCK.split()
    so_far = " ".join(moves[:7])
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        game = await match(await at.player("anna", new_id()), await at.player("bob"))
        await play(game, so_far)
        await crash(hall, *game.players)
        game = await both_back(at, game, so_far)
        await play(game, " ".join(moves), 7)
        await over(game, 1, "no_move")
        await whole_game(*game.players)
        await at.leave()


async def test_a_move_in_the_moment_of_the_crash_is_there_or_not(tmp_path: Path) -> None:
    """If anyone was told of it, it is."""
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        game = await match(*await at.pair())
        moves = stones.FIRE_IS_STUCK.split()
        for turn in range(2):
            seat = turn % 2
            move(game.players[seat], seat, game.room, moves[turn])
            if turn % 2:
                assert await game.players[seat].take(ROOM) == moved(seat, game.room, moves[turn])
            await crash(hall, *game.players)
            known = any(player.left_over for player in game.players) or turn % 2 == 1
            before = moves[: turn + 1]
            again = await at.back(game.players[0])
            await again.take(START, room=game.room, move_turn=0)
            again.send(0)
            told = []
            while (message := await again.next())["code"] == ROOM:
                told.append(message["info"])
            assert message["code"] == TOLD
            expected = [moved(n % 2, game.room, digits) for n, digits in enumerate(before)]
            assert told in ([expected] if known else [expected, expected[:-1]])
            other = await at.back(game.players[1])
            await resumed(other, game, 1, " ".join(before[: len(told)]))
            game = Match(again, other, game.room)
            await play(game, " ".join(before), len(told))
        await at.leave()


async def test_other_games_and_those_who_only_have_an_id(tmp_path: Path) -> None:
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        four = await match(*await at.pair(), CONNECT_FOUR)
        await drop(four, (3, 3, 2))
        last = four.first.messages[-1]["info"]
        idle = await at.player("idle", 4711)
        ended = await at.pair()
        await at.is_closed(await whole_game(*ended))
        await crash(hall, *four.players, idle, *ended)
        for player in ended:
            await (await at.back(player)).quiet()
        clients = [await at.stranger() for _ in range(3)]
        for client in clients:
            client.log_in("whoever", idle.id)
        codes = [(await client.next())["code"] for client in clients]
        assert codes.count(LOGGED_IN) == 1
        assert {client.name for client in clients} == {"", idle.name}
        for seat in (0, 1):
            again = await at.back(four.players[seat])
            await again.take(START, room=four.room, move_turn=seat, game_id=CONNECT_FOUR)
            for turn, column in enumerate((3, 3, 2)):
                await again.room("dropped", seat=turn % 2, column=column)
            assert await again.take(ROOM) == last
            four = four.with_(seat, again)
        await drop(four, (3, 3, 2, 2, 4, 6, 5), 3)
        await over(four, 0, "line")
        await at.leave()


async def test_a_planned_stop(tmp_path: Path) -> None:
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        game = await match(*await at.pair())
        await play(game, "0302")
        stranger = await at.stranger()
        stopping = asyncio.create_task(asyncio.to_thread(hall.stop))
        for client in (*game.players, stranger):
            assert await client.error() == "going_away"
        # Who is quick can still move.
        await play(game, "0302 0001", 1)
        for client in (*game.players, stranger):
            await client.end()
            assert client.close_code == 1001
        async with asyncio.timeout(WAIT_SECONDS):
            assert await stopping == 0
        await asyncio.to_thread(hall.start)
        game = await both_back(at, game, "0302 0001")
        await play(game, stones.WATER_WINS, 2)
        await over(game, 1, "one_stone")
        await at.leave()
