"""What two people do from the wait list to the end, with every message that they get."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple, TypeVar

from tests.doors.practice import stones
from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.shapes import LOGGED_IN, MOVE, MOVED, OVER, ROOM, START, WAITING

FOUR_STONE, CONNECT_FOUR = "four_stone", "connect-four"
T = TypeVar("T")


class Match(NamedTuple):
    """A game of two: the players by seat, and their room."""

    first: Practice
    second: Practice
    room: int

    @property
    def players(self) -> tuple[Practice, Practice]:
        return self.first, self.second

    def with_(self, seat: int, player: Practice) -> Match:
        """The same with another client on that seat."""
        return self._replace(first=player) if seat == 0 else self._replace(second=player)


async def match(one: Practice, other: Practice, game: str = FOUR_STONE) -> Match:
    """Both find each other by the wait list; nobody else may be waiting for this game."""
    for player in (one, other):
        player.seek(game)
        await player.take(WAITING)
    return await matched(one, other, game)


async def matched(one: Practice, other: Practice, game: str = FOUR_STONE) -> Match:
    """Both are told of the same room, in which they have the two seats."""
    starts = [await player.take(START, game_id=game) for player in (one, other)]
    assert sorted(start["move_turn"] for start in starts) == [0, 1]
    assert starts[0]["room"] == starts[1]["room"]
    if game == FOUR_STONE:
        assert [start["content"] for start in starts] == [first_content()] * 2
    players = (one, other) if starts[0]["move_turn"] == 0 else (other, one)
    return Match(*players, starts[0]["room"])


def first_content() -> Json:
    """With what a game of Four Stone starts."""
    view = {
        "board": stones.board(stones.beginning()),
        "turn": 0,
        "last": None,
        "times": 1,
        "deadline_ms": None,
    }
    return {"options": {"move_seconds": 0}, "view": view}


def move(player: Practice, seat: int, room: int, digits: str) -> None:
    """As clients of Four Stone send it."""
    player.act(room, MOVE, move_turn=seat, **stones.fields(digits))


def moved(seat: int, room: int, digits: str) -> Json:
    """As the room tells of it."""
    return {"room": room, "action": MOVED, "move_turn": seat, **stones.fields(digits)}


async def play(match: Match, moves: str, so_far: int = 0) -> None:
    """Turn by turn, from where the game stands after `so_far` of them; both hear of each move."""
    for turn, digits in enumerate(moves.split()[so_far:], so_far):
        seat = turn % 2
        move(match.players[seat], seat, match.room, digits)
        for player in match.players:
            assert await player.take(ROOM) == moved(seat, match.room, digits)


async def over(match: Match, winner: int | None, reason: str) -> None:
    for player in match.players:
        await over_for(player, match.room, winner, reason)


async def over_for(player: Practice, room: int, winner: int | None, reason: str) -> None:
    result = {"winner": winner, "reason": reason}
    assert await player.take(OVER) == {"room": room, "result": result}


async def resumed(player: Practice, match: Match, seat: int, moves: str) -> None:
    """What is told to one who has come back to a game of Four Stone in which this was played."""
    assert await player.take(START) == {
        "move_turn": seat,
        "room": match.room,
        "game_id": FOUR_STONE,
        "content": first_content(),
    }
    for turn, digits in enumerate(moves.split()):
        assert await player.take(ROOM) == moved(turn % 2, match.room, digits)


async def whole_game(one: Practice, other: Practice) -> int:
    """From the wait list to a win of the second seat; the room."""
    game = await match(one, other)
    await play(game, stones.WATER_WINS)
    await over(game, 1, "one_stone")
    return game.room


async def drop(match: Match, columns: Sequence[int], so_far: int = 0) -> None:
    """Connect Four turn by turn; both hear of each stone and then how the board stands."""
    for turn, column in enumerate(columns[so_far:], so_far):
        match.players[turn % 2].act(match.room, "drop", column=column)
        heard = [await dropped(player, match.room, turn % 2, column) for player in match.players]
        assert heard[0] == heard[1]


async def dropped(player: Practice, room: int, seat: int, column: int) -> Json:
    """The view after a stone, of which the next two messages tell."""
    told = await player.room("dropped", seat=seat, column=column)
    assert set(told) == {"room", "action", "seat", "column", "at_ms"}
    assert told["room"] == room
    view: Json = (await player.room("view", room=room))["view"]
    return view


async def fails_to_log_in(player: Practice) -> None:
    """Whatever it is told, it is nobody."""
    message = await player.next()
    assert message["code"] != LOGGED_IN
    assert player.id is None


async def all_of(*waits: Coroutine[Any, Any, T]) -> list[T]:
    """What each gives; a failure of one ends them all."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(wait) for wait in waits]
    return [task.result() for task in tasks]
