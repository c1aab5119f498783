"""Connect Four as the container player plays it: one registers and waits, the other challenges it
as soon as it is on the list.

Usage: four_player.py PORT SIGN NAME [RIVAL]
"""

from __future__ import annotations

import json
import random
import socket
import sys
import time
from typing import Any

from tests.system.originals.programs.onlookers import wait_for_onlookers

LOST = 3
THINK_SECONDS = 0.05
ASK_SECONDS = 0.2


def play(hall: socket.socket, sign: str, name: str, rival: str) -> None:
    number = 0
    playing = False
    first = True

    def send(kind: str, data: Any = None) -> None:
        hall.sendall(json.dumps({"type": kind, "data": data}).encode() + b"\n")

    def look_for_rival() -> None:
        if rival and not playing:
            time.sleep(ASK_SECONDS)
            send("LIST_PLAYERS")

    send("REGISTER", {"name": name})
    with hall.makefile(encoding="utf-8") as lines:
        for line in lines:
            message = json.loads(line)
            data = message["data"]
            match message["type"]:
                case "REGISTER_OK" | "CHALLENGE_REFUSED" | "ERROR":
                    look_for_rival()
                case "LIST_PLAYERS":
                    found = [each["id"] for each in data["players"] if each["name"] == rival]
                    if found and not playing:
                        send("CHALLENGE", {"opponent_id": found[0]})
                    else:
                        look_for_rival()
                case "CHALLENGE_RECEIVED":
                    send("CHALLENGE_ACCEPTED", {"challenger_id": data["challenger_id"]})
                case "GAME_START":
                    playing, first, number = True, True, data["your_number"]
                case "GAME_UPDATE" if not data["game_over"] and data["current_player"] == number:
                    time.sleep(THINK_SECONDS)
                    wait_for_onlookers(sign if first else "")
                    first = False
                    top = data["board"][0]
                    send(
                        "PLAY_MOVE", {"column": random.choice([c for c in range(7) if not top[c]])}
                    )
                case "GAME_OVER":
                    print("over", data["reason"], flush=True)
                    playing = False
                    look_for_rival()


def main(port: str, sign: str, name: str, rival: str = "") -> int:
    try:
        with socket.create_connection(("127.0.0.1", int(port))) as hall:
            play(hall, sign, name, rival)
    except OSError:
        pass
    return LOST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
