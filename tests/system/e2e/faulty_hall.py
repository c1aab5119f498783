"""`gamehall` with a fault, so that tests can show that they would find it, or hit a moment exactly.

python -m tests.system.e2e.faulty_hall FAULT serve …

* unsynced         commits return before the disk has them
* early            moves are told of a while before they are written
* before=FOLDER    commits are held before they write anything …
* after=FOLDER     … or when all is on the disk but nobody knows
* traceable        no fault yet: strace may be attached to it, and inject some
* pageless         what answers HTTP cannot be loaded
* stopped          the doctor stops itself, as by SIGSTOP, once it has begun to read

Holding begins when the file `hold` lies in FOLDER: it has the number of commits that may pass. The
hall writes the number of the commit that it holds into the file `held`.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamehall.__main__ import main
from gamehall.hall.audit import doctor
from gamehall.hall.audit.doctor import examine
from gamehall.store.appends import Answer, Append, Durable
from gamehall.store.sqlite import writer as sqlite_writer
from gamehall.store.sqlite.file import open_writer
from gamehall.store.sqlite.store import SqliteStore
from gamehall.wire.http import web
from tests.system.e2e.programs import write_number

EARLY_SECONDS = 0.5
SEATED_SEQ = 3
"""Where the first move follows: the table is open and two sit at it."""
PR_SET_PTRACER, PR_SET_PTRACER_ANY = 0x59616D61, 2**64 - 1

replace = setattr


def unsynced() -> None:
    def open_carelessly(path: Path, *, create: bool) -> sqlite3.Connection:
        connection = open_writer(path, create=create)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    replace(sqlite_writer, "open_writer", open_carelessly)


def early() -> None:
    append = SqliteStore.append

    def tell_first(self: SqliteStore, what: Append, done: Callable[[Answer], None]) -> None:
        if what.after < SEATED_SEQ:
            append(self, what, done)
            return
        loop = self._writer._loop
        loop.call_soon(done, Durable())
        loop.call_later(EARLY_SECONDS, append, self, what, lambda answer: None)

    replace(SqliteStore, "append", tell_first)


def stopped() -> None:
    def examine_later(*what: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return examine(*what)

    replace(doctor, "examine", examine_later)


def pageless() -> None:
    def make_none(*_: Any, **__: Any) -> Any:
        raise OSError("the page cannot be read")

    replace(web, "make_app", make_none)


def hold(folder: Path, *, written: bool) -> None:
    commit = sqlite_writer.commit
    held = 0

    def commit_held(connection: sqlite3.Connection) -> None:
        nonlocal held
        if written:
            commit(connection)
        if (folder / "hold").exists():
            held += 1
            write_number(folder / "held", held)
            while held > int((folder / "hold").read_text()):
                time.sleep(0.002)
        if not written:
            commit(connection)

    replace(sqlite_writer, "commit", commit_held)


def traceable() -> None:
    # Some systems let only a parent trace.
    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(PR_SET_PTRACER_ANY))


def inject(fault: str) -> None:
    name, _, folder = fault.partition("=")
    faults: dict[str, Callable[[], Any]] = {
        "unsynced": unsynced,
        "early": early,
        "before": lambda: hold(Path(folder), written=False),
        "traceable": traceable,
        "pageless": pageless,
        "stopped": stopped,
        "after": lambda: hold(Path(folder), written=True),
    }
    faults[name]()


if __name__ == "__main__":
    inject(sys.argv.pop(1))
    main()
