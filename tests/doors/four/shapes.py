"""What every message of the hall looks like at the `four` door: just these fields, of these kinds.

A board is judged here by rules of its own."""

from __future__ import annotations

import re
from typing import Any

ROWS, COLUMNS, LENGTH = 6, 7, 4
Board = list[list[int]]
"""Rows from the top; 0 is empty."""
ID = re.compile(r"player_[1-9][0-9]*")
FIELDS = {
    "REGISTER_OK": {"player_id"},
    "LIST_PLAYERS": {"players"},
    "CHALLENGE_RECEIVED": {"challenger_id", "challenger_name"},
    "CHALLENGE_REFUSED": {"message"},
    "GAME_START": {"game_id", "player1", "player2", "your_number", "your_name"},
    "GAME_UPDATE": {"board", "current_player", "winner", "winner_id", "game_over"},
    "GAME_OVER": {"winner", "winner_id", "you_won", "reason"},
    "ERROR": {"message"},
}


def check_message(message: Any) -> None:
    assert set(message) == {"type", "data"}
    kind, data = message["type"], message["data"]
    assert set(data) == FIELDS[kind]
    match kind:
        case "REGISTER_OK":
            check_id(data["player_id"])
        case "LIST_PLAYERS":
            for player in data["players"]:
                assert set(player) == {"id", "name"}
                check_id(player["id"])
                check_text(player["name"])
        case "CHALLENGE_RECEIVED":
            check_id(data["challenger_id"])
            check_text(data["challenger_name"])
        case "CHALLENGE_REFUSED" | "ERROR":
            check_text(data["message"])
        case "GAME_START":
            check_start(data)
        case "GAME_UPDATE":
            check_update(data)
        case "GAME_OVER":
            check_over(data)


def check_id(id: Any) -> None:
    assert isinstance(id, str)
    assert ID.fullmatch(id)


def check_text(text: Any) -> None:
    assert isinstance(text, str)
    assert text
    assert text == text.strip()
    assert text.isprintable()


def check_start(data: dict[str, Any]) -> None:
    assert type(data["game_id"]) is int
    assert 0 < data["game_id"] < 2**31
    check_text(data["player1"])
    check_text(data["player2"])
    assert type(data["your_number"]) is int
    assert data["your_number"] in (1, 2)
    assert data["your_name"] == data[f"player{data['your_number']}"]


def check_update(data: dict[str, Any]) -> None:
    board = data["board"]
    assert [len(row) for row in board] == [COLUMNS] * ROWS
    assert all(type(stone) is int and stone in (0, 1, 2) for row in board for stone in row)
    for column in zip(*board, strict=True):
        stones = [stone for stone in column if stone]
        assert list(column) == [0] * (ROWS - len(stones)) + stones, "a stone in the air"
    first, second = count(board, 1), count(board, 2)
    assert first - second in (0, 1)
    last_mover, next_mover = (2, 1) if first == second else (1, 2)
    won = has_four(board, last_mover)
    assert not has_four(board, next_mover), "it was over before"
    assert type(data["game_over"]) is bool
    assert type(data["current_player"]) is int
    if not first:
        last_mover = 1
    assert data["current_player"] == (last_mover if data["game_over"] else next_mover)
    assert type(data["winner"]) in (int, type(None))
    if won or first + second == ROWS * COLUMNS:
        assert data["game_over"]
        assert data["winner"] == (last_mover if won else None)
    elif data["game_over"]:
        # Someone gave it up, or it was called off: told to who comes back after that.
        assert data["winner"] in (None, 1, 2)
    else:
        assert data["winner"] is None
    if data["winner"] is None:
        assert data["winner_id"] is None
    else:
        check_id(data["winner_id"])


def check_over(data: dict[str, Any]) -> None:
    check_text(data["reason"])
    if data["winner"] is None:
        assert data["winner_id"] is None
        assert data["you_won"] is None
    else:
        check_text(data["winner"])
        check_id(data["winner_id"])
        assert type(data["you_won"]) is bool


def count(board: Board, player: int) -> int:
    return sum(row.count(player) for row in board)


def empty_board() -> Board:
    return [[0] * COLUMNS for _ in range(ROWS)]


def with_stone(board: Board, column: int, player: int) -> Board:
    """The board after this move, which must be possible."""
    after = [list(row) for row in board]
    (*_, lowest) = (row for row in after if not row[column])
    lowest[column] = player
    return after


def board_of(columns: list[int] | tuple[int, ...]) -> Board:
    """How it stands after these moves."""
    board = empty_board()
    for turn, column in enumerate(columns):
        board = with_stone(board, column, turn % 2 + 1)
    return board


def has_four(board: Board, player: int) -> bool:
    stones = {(r, c) for r in range(ROWS) for c in range(COLUMNS) if board[r][c] == player}
    return any(
        all((r + n * down, c + n * right) in stones for n in range(LENGTH))
        for r, c in stones
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )
