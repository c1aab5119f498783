"""The store in one SQLite file: for one node, and what the hall starts with.

writer.py says how it writes and what it answers when the disk fails, reader.py how it reads beside
that, database.py how the parts of the port come to both, folding.py how its journal is a log.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from gamehall.store.appends import Answer, Append
from gamehall.store.audit import Audit
from gamehall.store.database import Transaction
from gamehall.store.file_lock import FileLock
from gamehall.store.nodes import Claim
from gamehall.store.sqlite.append import SqliteAppend
from gamehall.store.sqlite.audit import audited
from gamehall.store.sqlite.database import SqliteDatabase
from gamehall.store.sqlite.file import has_content, lock_file, read_fact
from gamehall.store.sqlite.folding import Folding, forget_rows
from gamehall.store.sqlite.reader import Reader
from gamehall.store.sqlite.writer import Writer
from gamehall.store.store import Store

_NEXT = "SELECT epoch + 1, head, round_seq, hash, game FROM tables WHERE id = $1 AND head > 0"
_COUNTER = "SELECT value FROM counters WHERE name = $1"


class SqliteStore(Store):
    def __init__(self, path: str | os.PathLike[str], *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered NotWritten."""
        self._path = Path(path)
        self._writer = Writer(self._path, queue_bytes)
        self._reader = Reader(self._path)
        self._folding = Folding(self._writer.put)
        self._lock: FileLock | None = None
        self._doubts: dict[int, int] = {}
        super().__init__(SqliteDatabase(self._reader, self._writer))

    async def exists(self) -> bool:
        return has_content(self._path)

    async def fact_at_rest(self, key: str) -> bytes | None:
        """Before the start: a fact, read without a change to the file or its log; None if there is
        no such fact. Raises CannotOpen."""
        return await asyncio.to_thread(read_fact, self._path, key)

    async def start(self) -> None:
        self._lock = lock_file(self._path)
        try:
            await self._writer.start()
            self._reader.start()
            self._folding.start()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        await self._reader.stop()
        await self._writer.stop()
        if self._lock is not None:
            self._lock.close()

    async def ping(self) -> None:
        # Written, because a full disk still takes an empty transaction.
        await self._count("pings")
        await self._one(int, _COUNTER, "pings")

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.put(SqliteAppend(append, done, self._doubts))
        self._folding.appended(len(append.rows))

    async def new_table(self) -> int:
        return await self._count("tables")

    async def had_table(self, table: int) -> bool:
        return 0 < table <= (await self._one(int, _COUNTER, "tables") or 0)

    async def claim(self, table: int, node: str = "") -> Claim | None:
        async def claimed(change: Transaction) -> Claim | None:
            found = await change.row(_NEXT, table)
            if found is None:
                return None
            await change.execute("UPDATE tables SET epoch = epoch + 1 WHERE id = $1", table)
            return Claim(*found)

        return await self._database.change(claimed)

    async def _count(self, name: str) -> int:
        """The next number of a counter, which never goes back."""

        async def counted(change: Transaction) -> int:
            await change.execute("UPDATE counters SET value = value + 1 WHERE name = $1", name)
            return int(await change.value(_COUNTER, name))

        return await self._database.change(counted)

    async def _forget_rows(self, change: Transaction, table: int, limit: int) -> int:
        return await forget_rows(change, table, limit)

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        return audited(self._path)
