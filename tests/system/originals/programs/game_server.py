"""A game server of the arena: it registers at a portal, and answers for the matches that it is
given. Each of them is played at once. It comes back by itself, and forgets no match.

Usage: game_server.py PORT
"""

from __future__ import annotations

import socket
import struct
import sys
import time

AGAIN_SECONDS = 0.2
SCORES = (5, 3)


def ints(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def text(string: str) -> bytes:
    return ints(len(string)) + string.encode()


def serve(portal: socket.socket, matches: set[int]) -> None:
    received = portal.makefile("rb")

    def number() -> int:
        data = received.read(4)
        if len(data) < 4:
            raise ConnectionError("the portal is gone")
        return int(struct.unpack("<i", data)[0])

    address = text("203.0.113.7") + ints(27004)
    portal.sendall(ints(1) + address + text("Bingo") + text("Five lines win.") + text("Ann"))
    assert number() == 1, "refused"
    while True:
        match (number(), number()):
            case 1, match:
                number(), number()
                received.read(number())
                portal.sendall(ints(1) + ints(3, match, 1) + ints(2, match, *SCORES))
                if match not in matches:
                    matches.add(match)
                    print("over", match, flush=True)
            case 3, match if match in matches:
                portal.sendall(ints(3, 2, *SCORES))
            case 3, _:
                portal.sendall(ints(0) + text("No such match."))
            case other:
                raise AssertionError(other)


def main(port: str) -> int:
    matches: set[int] = set()
    while True:
        try:
            with socket.create_connection(("127.0.0.1", int(port))) as portal:
                serve(portal, matches)
        except OSError:
            time.sleep(AGAIN_SECONDS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
