"""The packets of the `duel` door: little-endian integers of 4 bytes, each packet by its type.

Pure: it owns no socket. docs/protocols/duel.md shows every packet byte by byte.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum

import msgspec

from gamehall.errors import BadRequest
from gamehall.hall.visitors.duel_hello import AnyHello, Hello, OwnHello
from gamehall.wire.net.codec import Garbled

NUMBER_MAX = 2**31 - 1
"""Players and matches are numbered with integers of 4 bytes in the world outside."""
FAST = "fast"

_INT = struct.Struct("<i")
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


class DuelCodec:
    """Cuts a byte stream into whole packets; `read_packet` tells what one says.

    What cannot be one is `Garbled`, and the last that comes: the framing is lost. It is not marked
    as fatal, since the door closes by itself, once its refusal has gone out as a packet alone.
    """

    __slots__ = ("_lost", "_max_bytes", "_unread")

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` is how long the text of a hello may be; 0: as long as it likes."""
        self._max_bytes = max_bytes
        self._unread = bytearray()
        self._lost = False

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        if self._lost:
            return []
        self._unread += data
        found: list[bytes | Garbled] = []
        start = 0
        while not self._lost and (packet := self._packet(start)) is not None:
            found.append(packet)
            if isinstance(packet, bytes):
                start += len(packet)
        del self._unread[:start]
        return found

    def _packet(self, start: int) -> bytes | Garbled | None:
        """The packet that begins there; None: it is not all there yet."""
        kind = self._int(start)
        if kind is None:
            return None
        if kind == Heard.ASK_TURN:
            return self._cut(start, 4)
        if kind == Heard.PICK:
            return self._cut(start, 8)
        if kind != Heard.HELLO:
            return self._lose("There is no packet of this type.")
        text_bytes = self._int(start + 4)
        if text_bytes is None:
            return None
        if text_bytes < 0 or 0 < self._max_bytes < text_bytes:
            return self._lose("A text cannot have this length.")
        packet = self._cut(start, 8 + text_bytes)
        if packet is not None and not _is_text(packet[8:]):
            return self._lose("This text is not valid UTF-8.")
        return packet

    def _int(self, at: int) -> int | None:
        if len(self._unread) < at + 4:
            return None
        number: int = _INT.unpack_from(self._unread, at)[0]
        return number

    def _cut(self, start: int, length: int) -> bytes | None:
        if len(self._unread) < start + length:
            return None
        return bytes(self._unread[start : start + length])

    def _lose(self, reason: str) -> Garbled:
        self._lost = True
        self._unread = bytearray()
        return Garbled(reason, BadRequest.code, fatal=False)


def read_packet(packet: bytes) -> HelloSaid | NumberPicked | TurnAsked:
    """What a packet says that `DuelCodec` has cut."""
    (kind,) = _INT.unpack_from(packet)
    if kind == Heard.HELLO:
        return HelloSaid(packet[8:].decode())
    if kind == Heard.PICK:
        return NumberPicked(_INT.unpack_from(packet, 4)[0])
    return TurnAsked()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


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


def packet(said: Said, *numbers: int) -> bytes:
    """A packet of nothing but integers."""
    return b"".join(_INT.pack(number) for number in (said, *numbers))


def text_packet(said: Said, text: str) -> bytes:
    return _INT.pack(said) + _counted(text.encode())


def board_packet(board: Sequence[Sequence[int]]) -> bytes:
    """The client's own board, by its rows."""
    return _INT.pack(Said.BOARD) + _matrix(board)


def other_board_packet(
    board: Sequence[Sequence[int]], marks: Mapping[str, tuple[int, int]]
) -> bytes:
    """The opponent's board after the end, with its marks as `marks_on` gives them."""
    shown = _counted(_matrix(board)) + _counted(msgspec.json.encode(marks))
    return _INT.pack(Said.OTHER_BOARD) + shown


def marks_on(board: Sequence[Sequence[int]], picked: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Column and row of each number that was picked, in the order of the picks."""
    places = {n: (column, row) for row, line in enumerate(board) for column, n in enumerate(line)}
    return {str(number): places[number] for number in picked}


def _matrix(board: Sequence[Sequence[int]]) -> bytes:
    numbers = b"".join(_INT.pack(number) for row in board for number in row)
    return _MATRIX_KIND + _INT.pack(len(board)) + _counted(numbers)


def _counted(data: bytes) -> bytes:
    return _INT.pack(len(data)) + data
