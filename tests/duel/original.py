"""A client in the manner of those that exist, as a program: `python original.py PORT HELLO`.

What one `recv` gives is one packet, of which it looks at the type and the fields that this has.
What came behind it in the same read is lost on such a client, and its game would freeze; so it
ends, and says so.
"""

from __future__ import annotations

import random
import socket
import struct
import sys

WAIT_SECONDS = 60.0
ENDS = {999: "won", 777: "lost", 888: "drawn"}


def main(port: int, hello: str) -> str:
    """How the match has ended."""
    with socket.create_connection(("127.0.0.1", port), WAIT_SECONDS) as server:
        text = hello.encode()
        server.sendall(struct.pack("<2i", 0, len(text)) + text)
        left: list[int] = []
        while True:
            packet = server.recv(65536)
            (kind,) = struct.unpack_from("<i", packet)
            length = 4
            if kind == 200:
                length = 8 + struct.unpack_from("<i", packet, 4)[0]
            elif kind == 201:
                (size,) = struct.unpack_from("<i", packet, 9)
                left = list(range(1, size * size + 1))
                length = 17 + 4 * size * size
                server.sendall(struct.pack("<i", 204))
            elif kind == 202:
                number = random.choice(left)
                left.remove(number)
                server.sendall(struct.pack("<2i", 203, number))
            elif kind == 205:
                left.remove(struct.unpack_from("<i", packet, 4)[0])
                length = 8
            if len(packet) != length:
                raise SystemExit(f"{kind} came with more in one read: {packet!r}")
            if kind in ENDS:
                return ENDS[kind]


if __name__ == "__main__":
    sys.stdout.write(main(int(sys.argv[1]), sys.argv[2]))
