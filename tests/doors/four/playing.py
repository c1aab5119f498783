"""What two people do from the challenge to the end, with every message that they get."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.doors.four.clients import Four, Json
from tests.doors.four.shapes import COLUMNS, ROWS, Board, board_of, count, has_four

WON_BY_FIRST = (0, 1, 0, 1, 0, 1, 0)
"""Columns, turn by turn."""
WON_BY_SECOND = (6, 0, 1, 0, 1, 0, 1, 0)


async def start(challenger: Four, target: Four) -> int:
    """The game that follows from a challenge; the challenger begins."""
    challenger.challenge(target)
    await target.take("CHALLENGE_RECEIVED", challenger_id=challenger.id)
    target.accept(challenger)
    return await started(challenger, target)


async def started(first: Four, second: Four) -> int:
    """Both are told of the same game, in which `first` is 1."""
    found = [await player.take("GAME_START") for player in (first, second)]
    game: int = found[0]["game_id"]
    names = {"game_id": game, "player1": first.name, "player2": second.name}
    assert found == [
        {**names, "your_number": 1, "your_name": first.name},
        {**names, "your_number": 2, "your_name": second.name},
    ]
    for player in (first, second):
        assert await player.take("GAME_UPDATE") == update((), first.id, second.id)
    return game


def update(columns: Sequence[int], first: str, second: str) -> Json:
    """What a GAME_UPDATE says after these moves of the players with these ids."""
    board = board_of(list(columns))
    mover = (len(columns) - 1) % 2 + 1
    won = has_four(board, mover)
    over = won or len(columns) == ROWS * COLUMNS
    return {
        "board": board,
        "current_player": mover if over else 3 - mover,
        "winner": mover if won else None,
        "winner_id": (first, second)[mover - 1] if won else None,
        "game_over": over,
    }


async def play(first: Four, second: Four, columns: Sequence[int], so_far: int = 0) -> Json:
    """Turn by turn, from where the game stands after `so_far` of them; both hear of each move.
    The last that they hear."""
    told: Json = {}
    for turn in range(so_far, len(columns)):
        (first, second)[turn % 2].play(columns[turn])
        told = update(columns[: turn + 1], first.id, second.id)
        for player in (first, second):
            assert await player.take("GAME_UPDATE") == told
    return told


async def over(first: Four, second: Four, winner: Four | None) -> str:
    """Both are told how it ended; the reason."""
    reasons = {await over_for(player, winner) for player in (first, second)}
    assert len(reasons) == 1, reasons
    return reasons.pop()


async def over_for(player: Four, winner: Any) -> str:
    """`winner` has `name` and `id`, as a player of this door has."""
    told = await player.take("GAME_OVER")
    reason: str = told.pop("reason")
    assert told == {
        "winner": None if winner is None else winner.name,
        "winner_id": None if winner is None else winner.id,
        "you_won": None if winner is None else winner.id == player.id,
    }
    return reason


async def whole_game(first: Four, second: Four) -> None:
    """From the challenge to a win of the one who is challenged."""
    await start(first, second)
    await play(first, second, WON_BY_SECOND)
    await over(first, second, second)


async def back(port: int, player: Four, **how: Any) -> Four:
    """The same player on another connection, told who it is."""
    again = await (await Four.connect(port, **how)).register(player.name)
    assert again.id == player.id
    return again


async def back_in_game(
    port: int, player: Four, number: int, opponent: str, game: int, columns: Sequence[int]
) -> Four:
    """As `back`, told of its game as well; `opponent` is its name."""
    again = await back(port, player)
    names = (player.name, opponent) if number == 1 else (opponent, player.name)
    assert await again.take("GAME_START") == {
        "game_id": game,
        "player1": names[0],
        "player2": names[1],
        "your_number": number,
        "your_name": player.name,
    }
    assert await again.take("GAME_UPDATE") == update(columns, "nobody", "nobody")
    return again


def legal(board: Board) -> list[int]:
    return [column for column in range(COLUMNS) if not board[0][column]]


def stones(board: Board) -> int:
    return count(board, 1) + count(board, 2)


async def all_of(*waits: Any) -> list[Any]:
    """What each gives; a failure of one ends them all."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(wait) for wait in waits]
    return [task.result() for task in tasks]
