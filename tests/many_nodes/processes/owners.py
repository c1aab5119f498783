"""Who owns which table, moment by moment, as the database says."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import asyncpg

from gamehall.simulation.checker.owners import Moment

PAUSE_SECONDS = 0.05
# The column came later than the table, and one node has no need of it.
QUERY = "SELECT id, epoch, head, hash, to_jsonb(tables) ->> 'owner' FROM tables"


class OwnerWatch:
    """Looks at all tables again and again, also while the database goes away and comes back."""

    def __init__(self, url: str) -> None:
        self.seen: list[Moment] = []
        """Tables, whenever they had changed."""
        self._last: dict[int, Moment] = {}
        self._url = url
        self._task = asyncio.create_task(self._look())

    def owner(self, table: int) -> str | None:
        last = self._last.get(table)
        return None if last is None else last.owner

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
                            self._note(Moment(*row))
                        await asyncio.sleep(PAUSE_SECONDS)
                finally:
                    connection.terminate()
            await asyncio.sleep(PAUSE_SECONDS)

    def _note(self, moment: Moment) -> None:
        if self._last.get(moment.table) != moment:
            self._last[moment.table] = moment
            self.seen.append(moment)
