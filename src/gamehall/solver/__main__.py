"""The solver as a process: a line `[mine, both]` in, a line with the seven scores out.

It says `ready` first, and ends with whoever has started it: when its input is closed, even in the
middle of a search.
"""

from __future__ import annotations

import os
import sys
from queue import Queue
from threading import Thread

import msgspec

from gamehall.solver.solver import Position
from gamehall.solver.solving import Solving, read_book

NICENESS = 10
"""Moves at tables go before answers of the solver."""


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Whoever asks waits for the answer before the next question.
    asked: Queue[bytes] = Queue(1)
    Thread(target=_listen, args=(asked,), daemon=True).start()
    solving = Solving(read_book())
    solving.scores(Position(0, 0))
    _say(b"ready")
    while True:
        _say(msgspec.json.encode(solving.scores(msgspec.json.decode(asked.get(), type=Position))))


def _listen(asked: Queue[bytes]) -> None:
    for line in sys.stdin.buffer:
        asked.put(line)
    os._exit(0)


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
