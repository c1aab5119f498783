"""A hall that does what the test says, line by line, over real sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from tests.support.waiting import WAIT_SECONDS

Board = Sequence[Sequence[int]]
"""Rows from the top."""
EMPTY: Board = [[0] * 7] * 6


def dropped(board: Board, column: int, number: int) -> Board:
    """The board with one more stone; fails if the column is full."""
    rows = [list(row) for row in board]
    row = max(row for row in range(6) if rows[row][column] == 0)
    rows[row][column] = number
    return rows


def played(*columns: int) -> Board:
    """The board after these columns, in turns."""
    board: Board = EMPTY
    for n, column in enumerate(columns):
        board = dropped(board, column, 1 + n % 2)
    return board


def has_won(board: Board, number: int) -> bool:
    return any(
        all(
            0 <= row + step * down < 6
            and 0 <= column + step * right < 7
            and board[row + step * down][column + step * right] == number
            for step in range(4)
        )
        for row in range(6)
        for column in range(7)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


class Visitor:
    """One connection of a player, seen from the hall."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(WAIT_SECONDS)
        self._socket = connection
        self._lines = connection.makefile("rb")

    def hear(self) -> tuple[str, Any]:
        """The type and the data of the next message."""
        line = self._lines.readline()
        assert line.endswith(b"\n"), f"the player has gone, its last words are {line!r}"
        message = json.loads(line)
        assert set(message) == {"type", "data"}
        return message["type"], message["data"]

    def expect(self, kind: str) -> Any:
        """The data of the next message, which is of this type.

        A player asks who is free whenever it has nothing else to do; that may go unanswered.
        """
        heard, data = self.hear()
        while heard == "LIST_PLAYERS" != kind:
            heard, data = self.hear()
        assert heard == kind, (heard, data)
        return data

    def expect_move(self) -> int:
        column = self.expect("PLAY_MOVE")["column"]
        assert isinstance(column, int)
        return column

    def expect_end(self) -> None:
        """The player has closed the connection."""
        assert self._lines.readline() == b""

    def send(self, kind: str, **data: object) -> None:
        self.send_bytes(json.dumps({"type": kind, "data": data}).encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def fall_silent(self) -> None:
        """Closes the hall's side only, as a hall does that stops; it would still hear."""
        self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    # What a hall says most

    def register(self, name: str, number: int = 7) -> None:
        assert self.expect("REGISTER") == {"name": name}
        self.send("REGISTER_OK", player_id=f"player_{number}")

    def list(self, *names: str) -> None:
        """Answers a question for those who are free, once it comes; `player_1` is the first."""
        assert self.expect("LIST_PLAYERS") is None
        players = [{"id": f"player_{n}", "name": name} for n, name in enumerate(names, 1)]
        self.send("LIST_PLAYERS", players=players)

    def challenge(self, number: int, name: str) -> None:
        self.send("CHALLENGE_RECEIVED", challenger_id=f"player_{number}", challenger_name=name)

    def start(self, name: str, opponent: str, *, number: int = 1, game: int = 17) -> None:
        names = [name, opponent] if number == 1 else [opponent, name]
        self.send(
            "GAME_START",
            game_id=game,
            player1=names[0],
            player2=names[1],
            your_number=number,
            your_name=name,
        )

    def update(self, board: Board, current: int, winner: int | None = None) -> None:
        over = winner is not None
        self.send(
            "GAME_UPDATE",
            board=board,
            current_player=current,
            winner=winner,
            winner_id=None if winner is None else f"player_{winner}",
            game_over=over,
        )

    def over(self, won: bool | None, reason: str = "Four in a row.") -> None:
        self.send("GAME_OVER", winner=None, winner_id=None, you_won=won, reason=reason)


class FakeHall:
    """A port on which nobody answers until `open`."""

    def __init__(self) -> None:
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.settimeout(WAIT_SECONDS)
        self._visitors: list[Visitor] = []
        self.port: int = self._listener.getsockname()[1]

    def open(self) -> Self:
        self._listener.listen()
        return self

    def visitor(self) -> Visitor:
        """The next who comes."""
        visitor = Visitor(self._listener.accept()[0])
        self._visitors.append(visitor)
        return visitor

    def registered(self, name: str = "Ada") -> Visitor:
        """The next who comes, under this name."""
        visitor = self.visitor()
        visitor.register(name)
        return visitor

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for visitor in self._visitors:
            visitor.close()
        self._listener.close()
