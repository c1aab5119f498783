"""The packets of the `duel` door as lists: a type and its fields. Written down, they are JSON."""

from __future__ import annotations

import json
import struct
from typing import Any

Packet = list[Any]

HELLO, PICK, ASK_TURN = 0, 203, 204
MESSAGE, ACCEPTED, BOARD, YOUR_TURN, PICKED, OTHER_BOARD = 100, 200, 201, 202, 205, 222
REFUSED, NOT_YOUR_TURN, ILLEGAL_PICK, CLOSING = 400, 401, 402, 500
WON, LOST, DRAWN, OTHER_LEFT = RESULTS = (999, 777, 888, 1000)

INT = struct.Struct("<i")


def as_bytes(packet: Packet) -> bytes:
    """As a client sends it."""
    return b"".join(
        INT.pack(field) if isinstance(field, int) else _counted(field.encode()) for field in packet
    )


def _counted(text: bytes) -> bytes:
    return INT.pack(len(text)) + text


def as_packet(data: bytes) -> Packet:
    """What the hall has sent. Clients take one read for one packet, so it has to be one alone."""
    reader = _Reader(data)
    kind = reader.number()
    packet: Packet = [kind]
    if kind in (MESSAGE, ACCEPTED):
        packet.append(reader.take(reader.number()).decode())
    elif kind == PICKED:
        packet.append(reader.number())
    elif kind == BOARD:
        packet.append(reader.matrix())
    elif kind == OTHER_BOARD:
        end = reader.number() + reader.at
        packet.append(reader.matrix())
        assert reader.at == end, f"a matrix that ends elsewhere: {data!r}"
        packet.append(json.loads(reader.take(reader.number())))
    assert reader.at == len(data), f"not one packet: {data!r}"
    return packet


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def take(self, length: int) -> bytes:
        self.at += length
        return self._data[self.at - length : self.at]

    def number(self) -> int:
        found: int = INT.unpack(self.take(4))[0]
        return found

    def matrix(self) -> list[list[int]]:
        kind, size, length = self.take(5), self.number(), self.number()
        assert (kind, length) == (b"int32", 4 * size**2), f"no matrix: {self._data!r}"
        return [[self.number() for _ in range(size)] for _ in range(size)]
