"""A program that reads a file in one long transaction; prints `reading` when it has begun.

    python -m tests.store.reader FILE

It shares no code with the store. It reads until its standard input ends, and then prints how many
rows of journals it sees: as many as when it began.
"""

from __future__ import annotations

import sqlite3
import sys


def main(path: str) -> None:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    connection.execute("BEGIN")
    count = "SELECT count(*) FROM journal"
    began = connection.execute(count).fetchone()
    sys.stdout.write("reading\n")
    sys.stdout.flush()
    sys.stdin.read()
    assert connection.execute(count).fetchone() == began
    sys.stdout.write(f"{began[0]}\n")


if __name__ == "__main__":
    main(sys.argv[1])
