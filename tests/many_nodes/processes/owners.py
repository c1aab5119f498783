"""Who owns which table, moment by moment, as the database says: epochs and journals only grow."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NamedTuple

import asyncpg

from gamehall.simulation.checker.journals import Books

PAUSE_SECONDS = 0.05
# The column came later than the table, and one node has no need of it.
QUERY = "SELECT id, epoch, head, hash, to_jsonb(tables) ->> 'owner' FROM tables"


class Moment(NamedTuple):
    table: int
    epoch: int
    head: int
    hash: str
    owner: str | None


class OwnerWatch:
    """Looks at all tables again and again, also while the database goes away and comes back."""

    def __init__(self, url: str) -> None:
        self.seen: dict[int, list[Moment]] = {}
        """Each table's moments, where it had changed."""
        self._url = url
        self._task = asyncio.create_task(self._look())

    def owner(self, table: int) -> str | None:
        moments = self.seen.get(table)
        return moments[-1].owner if moments else None

    async def stop(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _look(self) -> None:
        while True:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection = await asyncpg.connect(self._url)
                try:
                    while True:
                        for row in await connection.fetch(QUERY):
                            self.note(Moment(*row))
                        await asyncio.sleep(PAUSE_SECONDS)
                finally:
                    connection.terminate()
            await asyncio.sleep(PAUSE_SECONDS)

    def note(self, moment: Moment) -> None:
        moments = self.seen.setdefault(moment.table, [])
        if not moments or moments[-1] != moment:
            moments.append(moment)

    def check(self, books: Books) -> None:
        """Raises AssertionError unless what was seen fits together, and the journals."""
        for table, moments in self.seen.items():
            hashes = books.journals[table].hashes
            owners: dict[int, str] = {}
            epoch = head = 0
            for moment in moments:
                assert moment.epoch >= epoch, f"an epoch has shrunk: {moment} after {epoch}"
                assert moment.head >= head, f"rows are gone: {moment} after {head}"
                epoch, head = moment.epoch, moment.head
                assert moment.hash == hashes[head], f"rows have changed since {moment}"
                if moment.owner is not None:
                    owner = owners.setdefault(epoch, moment.owner)
                    assert owner == moment.owner, f"two owners in one epoch: {moment} and {owner}"
