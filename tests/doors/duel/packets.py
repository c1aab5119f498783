"""The packets of the `duel` door, read and made by hand from its description: no code of ours."""

from __future__ import annotations

import json
import struct
from typing import Any, NamedTuple

HELLO, PICK, TURN = 0, 203, 204
MESSAGE, ACCEPTED, BOARD, YOURS, PICKED, OTHER_BOARD = 100, 200, 201, 202, 205, 222
REFUSED, NOT_YOURS, ILLEGAL, CLOSING = 400, 401, 402, 500
LOST, DRAWN, WON, OTHER_LEFT = 777, 888, 999, 1000

Board = list[list[int]]
HEAD_BYTES = 13
"""Of a matrix: `int32`, the size, the length."""


class Packet(NamedTuple):
    kind: int
    value: Any = None
    """A text, a number, a board, or a board with its marks."""


def ints(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def hello(text: str) -> bytes:
    data = text.encode()
    return ints(HELLO, len(data)) + data


def pick(number: int) -> bytes:
    return ints(PICK, number)


def read(data: bytes) -> tuple[Packet, int] | None:
    """The first packet of these bytes and its length; None: there is more to come."""
    if len(data) < 4:
        return None
    (kind,) = struct.unpack_from("<i", data)
    if kind in (MESSAGE, ACCEPTED):
        end = 8 + _int(data, 4)
        found = Packet(kind, data[8:end].decode())
    elif kind == BOARD:
        board, end = _matrix(data, 4)
        found = Packet(kind, board)
    elif kind == PICKED:
        found, end = Packet(kind, _int(data, 4)), 8
    elif kind == OTHER_BOARD:
        board, end = _matrix(data, 8)
        marks_bytes = _int(data, end)
        marks = data[end + 4 : end + 4 + marks_bytes]
        if len(data) < end + 4 + marks_bytes:
            return None
        assert _int(data, 4) == end - 8, "the matrix is counted with its head"
        end += 4 + marks_bytes
        found = Packet(kind, (board, json.loads(marks)))
    else:
        assert kind in (YOURS, REFUSED, NOT_YOURS, ILLEGAL, CLOSING, LOST, DRAWN, WON, OTHER_LEFT)
        found, end = Packet(kind), 4
    return None if len(data) < end else (found, end)


def _int(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little", signed=True) if len(data) >= at + 4 else 0


def _matrix(data: bytes, at: int) -> tuple[Board, int]:
    """The board and where it ends, if it is all there."""
    size, length = _int(data, at + 5), _int(data, at + 9)
    start = at + HEAD_BYTES
    if len(data) < start + length or not size:
        return [], start + length + 1
    assert data[at : at + 5] == b"int32"
    assert length == 4 * size * size
    numbers = struct.unpack_from(f"<{size * size}i", data, start)
    return [list(numbers[row * size : (row + 1) * size]) for row in range(size)], start + length
