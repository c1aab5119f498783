"""Durable steps per second of the SQLite store, with an idle and with a saturated event loop.

Beside it, in the same run, the obvious design: a writer thread that executes row by row, with the
store's switch interval and with the interpreter's own. It has to win back the interpreter for each
row; what it gets while the loop is busy depends on how the system schedules the two threads, and is
anything from a twentieth of the store's rate, with two free cores, to the same.

    python bench/store_loop.py --seconds 3
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter

import uvloop

from gamehall.store.appends import Answer, Append, Durable, NewRow, Opening, Request
from gamehall.store.sqlite.append import write_append
from gamehall.store.sqlite.file import open_writer
from gamehall.store.sqlite.store import SqliteStore

TABLES = 100
BUSY_SECONDS = 0.001
LINE = (
    b'{"table":1234,"seq":17,"round":1,"at_ms":1762000000000,"seat":1,'
    b'"command":{"type":"drop","column":3},"events":[{"type":"dropped","seat":1,"column":3}]}'
)
Done = Callable[[Answer], None]


class RowByRowStore:
    """The same statements and the same groups, but all of them executed in the writer's thread."""

    def __init__(self, path: Path) -> None:
        self._connection = open_writer(path, create=True)
        self._queue: SimpleQueue[tuple[Append, Done] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def append(self, append: Append, done: Done) -> None:
        self._queue.put((append, done))

    async def stop(self) -> None:
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()

    def _write(self) -> None:
        cursor = self._connection.cursor()
        while (first := self._queue.get()) is not None:
            group = [first]
            while len(group) < 256 and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                group.append(following)
            cursor.execute("BEGIN IMMEDIATE")
            answers = [(done, write_append(cursor, append)) for append, done in group]
            self._connection.commit()
            self._loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: list[tuple[Done, Answer]]) -> None:
    for done, answer in answers:
        done(answer)


class Table:
    """Appends its next step when the one before is durable."""

    durable = 0

    def __init__(self, id: int, append: Callable[[Append, Done], None]) -> None:
        self.id = id
        self.head = 0
        self.running = True
        self.stopped = asyncio.Event()
        self._append = append

    def beat(self) -> None:
        opening = None if self.head else Opening("connect-four", False, False, None)
        step = NewRow(LINE, Request(7, f"request-{self.head}", b"d" * 16))
        at_ms = 1_762_000_000_000 + self.head
        self._append(
            Append(
                table=self.id,
                epoch=1,
                after=self.head,
                beat_id=self.id << 32 | self.head,
                rows=(step,),
                hash="0" * 64,
                at_ms=at_ms,
                due_ms=at_ms + 60_000,
                opening=opening,
            ),
            self._appended,
        )

    def _appended(self, answer: Answer) -> None:
        assert isinstance(answer, Durable), answer
        self.head += 1
        if self.running:
            self.beat()
        else:
            self.stopped.set()


async def steps_per_second(
    append: Callable[[Append, Done], None], seconds: float, *, busy: bool, first_table: int = 1
) -> float:
    loop = asyncio.get_running_loop()
    tables = [Table(first_table + n, append) for n in range(TABLES)]
    burning = busy

    def burn() -> None:
        until = perf_counter() + BUSY_SECONDS
        while perf_counter() < until:
            pass
        if burning:
            loop.call_soon(burn)

    burn()
    began = perf_counter()
    for table in tables:
        table.beat()
    await asyncio.sleep(seconds)
    rate = sum(table.head for table in tables) / (perf_counter() - began)
    burning = False
    for table in tables:
        table.running = False
    for table in tables:
        await table.stopped.wait()
    return rate


async def main(seconds: float) -> None:
    interval = sys.getswitchinterval()
    print(f"{TABLES} tables, {seconds} s each, SQLite {sqlite3.sqlite_version}")
    with tempfile.TemporaryDirectory() as folder:
        for busy in (False, True):
            name = "saturated" if busy else "idle"
            store = SqliteStore(Path(folder) / f"{name}.db")
            await store.start()
            ours = await steps_per_second(store.append, seconds, busy=busy)
            await store.stop()
            print(f"{name:9}  the store            {ours:9.0f} steps/s")
            for switch_seconds in (sys.getswitchinterval(), interval):
                sys.setswitchinterval(switch_seconds)
                plain = RowByRowStore(Path(folder) / f"{name}-{switch_seconds}.db")
                theirs = await steps_per_second(plain.append, seconds, busy=busy)
                await plain.stop()
                ratio = f"the store does {ours / theirs:.1f} times that" if theirs else "nothing"
                print(
                    f"{name:9}  row by row, {switch_seconds * 1000:3} ms  "
                    f"{theirs:9.0f} steps/s  ({ratio})"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each of six measurements")
    uvloop.run(main(parser.parse_args().seconds))
