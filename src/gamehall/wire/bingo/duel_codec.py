"""The packets of the `duel` door. docs/protocols/duel.md shows every one byte by byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

import msgspec

from gamehall.errors import BadRequest
from gamehall.hall.visitors.duel_hello import AnyHello, Hello, OwnHello
from gamehall.wire.net.packets import INT, Kinds, PacketReader, join

NUMBER_MAX = 2**31 - 1
"""Players and matches are numbered with integers of 4 bytes in the world outside."""
FAST = "fast"

_MATRIX_KIND = b"int32"


class Heard(IntEnum):
    """What clients send."""

    HELLO = 0
    PICK = 203
    ASK_TURN = 204


class Said(IntEnum):
    """What the hall sends."""

    MESSAGE = 100
    ACCEPTED = 200
    BOARD = 201
    YOUR_TURN = 202
    PICKED = 205
    OTHER_BOARD = 222
    REFUSED = 400
    NOT_YOUR_TURN = 401
    ILLEGAL_PICK = 402
    CLOSING = 500
    LOST = 777
    DRAWN = 888
    WON = 999
    OTHER_LEFT = 1000


# From the client


class HelloSaid(msgspec.Struct, frozen=True):
    text: str


class NumberPicked(msgspec.Struct, frozen=True):
    number: int


class TurnAsked(msgspec.Struct, frozen=True):
    pass


AnyHeard = HelloSaid | NumberPicked | TurnAsked

_HEARD: Kinds[AnyHeard] = {
    Heard.HELLO: ("s", HelloSaid),
    Heard.PICK: ("i", NumberPicked),
    Heard.ASK_TURN: ("", TurnAsked),
}
_HEAD_BYTES = 8


class DuelCodec(PacketReader[AnyHeard]):
    """Cuts a byte stream into whole packets; `read_packet` tells what one says.

    A `Garbled` is not fatal, since the door closes by itself, once its refusal has gone out as a
    packet alone.
    """

    __slots__ = ()

    first = _HEARD
    fatal = False

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` is how long the text of a hello may be; 0: as long as it likes."""
        super().__init__(max_bytes and _HEAD_BYTES + max_bytes)


def read_packet(packet: bytes) -> AnyHeard:
    """What a packet says that `DuelCodec` has cut."""
    (kind,) = INT.unpack_from(packet)
    if kind == Heard.HELLO:
        return HelloSaid(packet[_HEAD_BYTES:].decode())
    return NumberPicked(INT.unpack_from(packet, 4)[0]) if kind == Heard.PICK else TurnAsked()


def read_hello(text: str) -> AnyHello:
    """The credential `UID1:UID2:MATCH:KEY` or `UID:KEY`, each perhaps with `:fast` behind it.

    Raises:
        BadRequest: it is neither.
    """
    fields = text.split(":")
    fast = len(fields) in (3, 5) and fields[-1] == FAST
    *numbers, key = fields[:-1] if fast else fields
    if not key:
        raise BadRequest
    match [_number(field) for field in numbers]:
        case [uid]:
            return OwnHello(uid, key, fast)
        case [first, second, match]:
            return Hello((first, second), match, key, fast)
    raise BadRequest


def _number(field: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) <= 10) or int(field) > NUMBER_MAX:
        raise BadRequest
    return int(field)


# To the client


def packet(said: Said, *fields: int | str) -> bytes:
    return join(said, *fields)


def board_packet(board: Sequence[Sequence[int]]) -> bytes:
    """The client's own board, by its rows."""
    return join(Said.BOARD) + _matrix(board)


def other_board_packet(
    board: Sequence[Sequence[int]], marks: Mapping[str, tuple[int, int]]
) -> bytes:
    """The opponent's board after the end, with its marks as `marks_on` gives them."""
    return join(Said.OTHER_BOARD, _matrix(board), msgspec.json.encode(marks))


def marks_on(board: Sequence[Sequence[int]], picked: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Column and row of each number that was picked, in the order of the picks."""
    places = {n: (column, row) for row, line in enumerate(board) for column, n in enumerate(line)}
    return {str(number): places[number] for number in picked}


def _matrix(board: Sequence[Sequence[int]]) -> bytes:
    numbers = join(*[number for row in board for number in row])
    return _MATRIX_KIND + join(len(board), numbers)
