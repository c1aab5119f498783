"""A hundred rooms at once, all to the end; and the path at the web port."""

from __future__ import annotations

from random import Random

from tests.doors.practice import stones
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import Match, all_of, over, play
from tests.doors.practice.shapes import START, WAITING

ROOMS = 100
GAMES = [
    (stones.FIRE_WINS, 0, "one_stone"),
    (stones.WATER_WINS, 1, "one_stone"),
    (stones.WATER_IS_STUCK, 0, "no_move"),
    (stones.FIRE_IS_STUCK, 1, "no_move"),
    (stones.REPEATED, None, "repetition"),
]


async def test_a_hundred_rooms_at_once(at: Visitors) -> None:
    players = await all_of(*(at.player(address=f"127.0.0.{2 + n % 10}") for n in range(2 * ROOMS)))
    Random(1).shuffle(players)
    for player in players:
        player.seek("four_stone")
    seats: dict[int, dict[int, Practice]] = {}
    for player in players:
        await player.take(WAITING)
        start = await player.take(START)
        seats.setdefault(start["room"], {})[start["move_turn"]] = player
    assert len(seats) == ROOMS

    async def to_the_end(room: int, game: tuple[str, int | None, str]) -> None:
        match = Match(seats[room][0], seats[room][1], room)
        await play(match, game[0])
        await over(match, *game[1:])
        for player in match.players:
            await player.quiet()

    await all_of(*(to_the_end(room, GAMES[n % len(GAMES)]) for n, room in enumerate(seats)))
