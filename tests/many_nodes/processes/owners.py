"""Who owns which table, moment by moment, as the database says."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import asyncpg

from gamehall.hall.tables.balance import SLACK_MIN, SLACK_PART
from gamehall.simulation.checker.owners import Moment
from tests.many_nodes.processes.hall_nodes import HallNodes
from tests.store.postgres_server import peek

LIMIT_SECONDS = 90
PAUSE_SECONDS = 0.05
# The column came later than the table, and one node has no need of it.
QUERY = "SELECT id, epoch, head, hash, to_jsonb(tables) ->> 'owner' FROM tables"
COUNTS = """SELECT count(tables.id) FROM nodes
    LEFT JOIN tables ON owner = name AND status <> 'closed'
    WHERE expires_at > clock_timestamp() GROUP BY name"""


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


async def shared_evenly(halls: HallNodes) -> None:
    """Returns when no node has far more open tables than its share. Raises TimeoutError."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            found = [row[0] for row in await peek(halls.url, COUNTS)]
            share = -(-sum(found) // len(halls))
            slack = max(SLACK_MIN, share // SLACK_PART)
            if len(found) == len(halls) and max(found) <= share + slack:
                return
            await asyncio.sleep(0.2)
