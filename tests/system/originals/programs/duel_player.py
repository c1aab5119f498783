"""A game of two-player Bingo as the original client plays it: one `recv` is one packet.

What comes behind a packet in the same read is lost on such a client, and its game freezes. This one
ends then, and says so.

Usage: duel_player.py PORT HELLO [SIGN]
"""

from __future__ import annotations

import random
import socket
import struct
import sys

from tests.system.originals.programs.onlookers import wait_for_onlookers

LOST = 3
"""The exit code if the connection ends before the game does."""


def send(hall: socket.socket, *numbers: int, text: bytes = b"") -> None:
    hall.sendall(struct.pack(f"<{len(numbers)}i", *numbers) + text)


def length_of(kind: int, packet: bytes) -> int:
    """Of the packet that these bytes begin with."""

    def number(at: int) -> int:
        return int(struct.unpack_from("<i", packet, at)[0])

    match kind:
        case 100 | 200:
            return 8 + number(4)
        case 201:
            return 17 + number(13)
        case 205:
            return 8
        case 222:
            marks = 8 + number(4)
            return marks + 4 + number(marks)
    return 4


def play(hall: socket.socket, hello: bytes, sign: str) -> int:
    send(hall, 0, len(hello), text=hello)
    left: list[int] = []
    result = ""
    while packet := hall.recv(65536):
        (kind,) = struct.unpack_from("<i", packet)
        if len(packet) != length_of(kind, packet):
            print(f"{kind} came with something else in one read: {packet!r}", file=sys.stderr)
            return 1
        match kind:
            case 201:
                (size,) = struct.unpack_from("<i", packet, 9)
                left = list(range(1, size * size + 1))
                random.shuffle(left)
                send(hall, 204)
            case 202:
                wait_for_onlookers(sign)
                sign = ""
                send(hall, 203, left.pop())
            case 205:
                (number,) = struct.unpack_from("<i", packet, 4)
                if number in left:
                    left.remove(number)
            case 402:
                send(hall, 204)
            case 777 | 888 | 999:
                result = {777: "lost", 888: "drawn", 999: "won"}[kind]
            case 222:
                print("over", result, flush=True)
                return 0
            case 1000:
                print("over", "left", flush=True)
                return 0
            case 400:
                print("refused", hello, file=sys.stderr)
                return 1
    return LOST


def main(port: str, hello: str, sign: str = "") -> int:
    try:
        with socket.create_connection(("127.0.0.1", int(port))) as hall:
            return play(hall, hello.encode(), sign)
    except OSError:
        return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
