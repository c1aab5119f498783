"""Called Bingo as the original client plays it: it marks numbers by 0, answers each of them, and
its user types /start whenever a round can be started.

Usage: caller_player.py PORT NAME
"""

from __future__ import annotations

import json
import socket
import sys

LOST = 3


def has_line(card: list[list[int]]) -> bool:
    size = range(5)
    lines = [[card[c][r] for r in size] for c in size]
    lines += [[card[c][r] for c in size] for r in size]
    lines += [[card[i][i] for i in size], [card[i][4 - i] for i in size]]
    return any(not any(line) for line in lines)


def play(hall: socket.socket, name: str) -> None:
    card: list[list[int]] = []

    def send(line: str) -> None:
        hall.sendall(f"{line}\n".encode())

    send(name)
    with hall.makefile(encoding="utf-8") as lines:
        for line in lines:
            kind, body = line.rstrip("\n").split("|")
            if kind == "NEW_CARD":
                card = json.loads(body)
            elif kind == "CHECK_NUMBER" and card:
                card = [[0 if n == int(body) else n for n in column] for column in card]
                send("BINGO" if has_line(card) else "READY")
            elif kind == "MSG" and body.endswith("/start."):
                if card:
                    print("over", flush=True)
                    card = []
                send("/start")


def main(port: str, name: str) -> int:
    try:
        with socket.create_connection(("127.0.0.1", int(port))) as hall:
            play(hall, name)
    except OSError:
        pass
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
