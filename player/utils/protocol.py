"""What a player and the hall say to each other: one JSON object a line, `{"type", "data"}`.

The upper half is what a player says, one function a message, each of which gives the bytes to send.
The lower half is what the hall says: `Lines` are cut out of the bytes that arrive, and `decode`
makes a message of each.
"""

import json
from dataclasses import dataclass
from typing import TypeGuard

COLUMNS = 7
ROWS = 6
Rows = list[list[int]]
"""A board: its rows from the top, 0 where it is empty, else the number of the player."""

LINE_BYTES_MAX = 1 << 20
"""The longest line that we wait for the end of; a list of some thousand players is that long."""


class ProtocolError(Exception):
    """What was received is nothing that a hall says."""


# What a player says


def register(name: str) -> bytes:
    return _line("REGISTER", name=name)


def list_players() -> bytes:
    return _line("LIST_PLAYERS")


def challenge(opponent_id: str) -> bytes:
    return _line("CHALLENGE", opponent_id=opponent_id)


def accept(challenger_id: str) -> bytes:
    return _line("CHALLENGE_ACCEPTED", challenger_id=challenger_id)


def refuse(challenger_id: str) -> bytes:
    return _line("CHALLENGE_REFUSED", challenger_id=challenger_id)


def play_move(column: int) -> bytes:
    """The columns are 0 to 6, from the left."""
    return _line("PLAY_MOVE", column=column)


def disconnect() -> bytes:
    return _line("DISCONNECT")


def _line(kind: str, **data: object) -> bytes:
    return json.dumps({"type": kind, "data": data or None}).encode() + b"\n"


# What the hall says


@dataclass(frozen=True)
class Registered:
    player_id: str


@dataclass(frozen=True)
class Player:
    id: str
    name: str


@dataclass(frozen=True)
class FreePlayers:
    """Those who can be challenged now."""

    players: list[Player]


@dataclass(frozen=True)
class Challenged:
    challenger: Player


@dataclass(frozen=True)
class Refused:
    """A challenge of ours has come to nothing."""

    message: str


@dataclass(frozen=True)
class GameStarted:
    game_id: int | str
    opponent: str
    number: int
    """Ours, 1 or 2; player 1 begins."""
    name: str
    """Ours, as the hall shows it to others."""


@dataclass(frozen=True)
class GameUpdate:
    """The board after the start and after every move."""

    board: Rows
    current_player: int
    game_over: bool


@dataclass(frozen=True)
class GameOver:
    won: bool | None
    """None if nobody has."""
    reason: str


@dataclass(frozen=True)
class Error:
    """What we asked for was not done."""

    message: str


@dataclass(frozen=True)
class Unknown:
    """A kind of message that is newer than this program, and can be ignored."""

    kind: str


Message = (
    Registered
    | FreePlayers
    | Challenged
    | Refused
    | GameStarted
    | GameUpdate
    | GameOver
    | Error
    | Unknown
)


class Lines:
    """Puts the lines of one connection together, however the network has cut them."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete with these bytes. Raises ProtocolError."""
        if len(self._rest) > LINE_BYTES_MAX:
            raise ProtocolError("a line that does not end")
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line for line in lines if line.strip()]


def decode(line: bytes) -> Message:
    """The message in this line. Raises ProtocolError."""
    try:
        message = json.loads(line, object_hook=_printable)
    except (ValueError, RecursionError):
        raise ProtocolError(f"not a message: {line[:80]!r}") from None
    match message:
        case {"type": "REGISTER_OK", "data": {"player_id": str(player_id)}}:
            return Registered(player_id)
        case {"type": "LIST_PLAYERS", "data": {"players": [*players]}}:
            return FreePlayers([_player(player) for player in players])
        case {
            "type": "CHALLENGE_RECEIVED",
            "data": {"challenger_id": str(id), "challenger_name": str(name)},
        }:
            return Challenged(Player(id, name))
        case {"type": "CHALLENGE_REFUSED", "data": {"message": str(text)}}:
            return Refused(text)
        case {
            "type": "GAME_START",
            "data": {
                "game_id": int(id) | str(id),
                "player1": str(first),
                "player2": str(second),
                "your_number": 1 | 2 as number,
                "your_name": str(name),
            },
        }:
            return GameStarted(id, second if number == 1 else first, number, name)
        case {
            "type": "GAME_UPDATE",
            "data": {"board": board, "current_player": 1 | 2 as player, "game_over": bool(over)},
        }:
            return GameUpdate(_rows(board), player, over)
        case {
            "type": "GAME_OVER",
            "data": {"you_won": True | False | None as won, "reason": str(reason)},
        }:
            return GameOver(won, reason)
        case {"type": "ERROR", "data": {"message": str(text)}}:
            return Error(text)
        case {"type": str(kind)} if kind not in KINDS:
            return Unknown(kind)
    raise ProtocolError(f"not as it should be: {line[:80]!r}")


KINDS = {
    "REGISTER_OK",
    "LIST_PLAYERS",
    "CHALLENGE_RECEIVED",
    "CHALLENGE_REFUSED",
    "GAME_START",
    "GAME_UPDATE",
    "GAME_OVER",
    "ERROR",
}


def _printable(fields: dict[str, object]) -> dict[str, object]:
    """Texts are by people we don't know: nothing in them may steer the terminal that shows them."""
    return {
        name: "".join(sign if sign.isprintable() else "?" for sign in value)
        if isinstance(value, str)
        else value
        for name, value in fields.items()
    }


def _player(player: object) -> Player:
    match player:
        case {"id": str(id), "name": str(name)}:
            return Player(id, name)
    raise ProtocolError(f"not a player: {str(player)[:80]}")


def _rows(board: object) -> Rows:
    if isinstance(board, list) and len(board) == ROWS:
        rows = [row for row in board if _is_row(row)]
        if len(rows) == ROWS:
            return rows
    raise ProtocolError(f"not a board: {str(board)[:80]}")


def _is_row(row: object) -> TypeGuard[list[int]]:
    return (
        isinstance(row, list)
        and len(row) == COLUMNS
        and all(isinstance(number, int) and 0 <= number <= 2 for number in row)
    )
