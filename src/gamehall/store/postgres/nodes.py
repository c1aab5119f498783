"""Who owns which table in PostgreSQL, and the leases of nodes.

A table belongs to the node that its row names, while that node's lease runs; every statement judges
that by the database's clock at that moment. No node ever sends a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import asyncpg

import gamehall.errors as errors
from gamehall.store.database import Part, Transaction
from gamehall.store.nodes import Claim, Head, Owned, Renewed
from gamehall.store.postgres.link import ATTEMPTS_MAX, close, connect, is_the_database, pause

ATTEMPT_SECONDS_MIN = 0.5
"""No attempt to renew a lease is given up earlier, however short the lease is."""
LIVE = "ARRAY(SELECT name FROM nodes WHERE expires_at > clock_timestamp())"
"""The names of the nodes whose leases run."""

_SEEN = f"""SELECT CASE WHEN owner <> $2 AND owner = ANY({LIVE}) THEN owner ELSE '' END,
        epoch, head, round_seq, hash, game
    FROM tables WHERE id = $1 AND head > 0"""
_LOCK = """SELECT owner, epoch, head, round_seq, hash, game FROM tables
    WHERE id = $1 AND head > 0 FOR UPDATE"""
_TAKE = f"""UPDATE tables SET epoch = epoch + 1, owner = nullif($2, '')
    WHERE id = $1 AND ($2 = '' OR owner IS NULL OR owner = $2 OR owner <> ALL({LIVE}))
    RETURNING epoch, head, round_seq, hash, game"""
# Its end is reckoned when the row is locked, so that an attempt that had to wait and was given up
# never shortens a later one's.
_END = "clock_timestamp() + $2 * interval '1 millisecond'"
_RENEW = f"""WITH gone AS (
        DELETE FROM nodes WHERE expires_at < clock_timestamp() - interval '1 hour' AND name <> $1)
    INSERT INTO nodes VALUES ($1, {_END}) ON CONFLICT (name) DO UPDATE SET expires_at = {_END}"""
# Asked after the renewal is committed: in one statement, two nodes that come at the same moment
# would not see each other, and both would lead.
_RENEWED = f"SELECT {LIVE}, (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_HEADS = f"""SELECT id, head, epoch, CASE WHEN owner = ANY({LIVE}) THEN owner END
    FROM tables WHERE id = ANY($1::bigint[]) AND head > 0 ORDER BY id"""
_DUE = f"""SELECT due_ms, id FROM tables WHERE status <> 'closed' AND (due_ms, id) > ($1, $2)
        AND ($4 = '' OR owner IS NULL OR owner = $4 OR owner <> ALL({LIVE}))
    ORDER BY due_ms, id LIMIT $3"""
_MINE = "SELECT id, due_ms FROM tables WHERE status <> 'closed' AND id % $2 = $1"
_SOONEST = "ORDER BY due_ms, id LIMIT $3"
# From each owner to the next by the index: as long as all of them are live, no table is looked at.
_ORPHANS = f"""WITH RECURSIVE owners (name) AS (
        (SELECT owner FROM tables WHERE status <> 'closed' AND owner IS NOT NULL
            ORDER BY owner LIMIT 1)
        UNION ALL
        SELECT (SELECT owner FROM tables WHERE status <> 'closed' AND owner > name
            ORDER BY owner LIMIT 1) FROM owners WHERE name IS NOT NULL)
    SELECT id FROM (
        ({_MINE} AND owner IS NULL {_SOONEST})
        UNION ALL
        SELECT id, due_ms FROM owners, LATERAL ({_MINE} AND owner = name {_SOONEST}) AS theirs
            WHERE name <> ALL({LIVE})) AS orphans
    {_SOONEST}"""

_OPEN = """SELECT owner, count(*) FROM tables WHERE status <> 'closed' AND owner IS NOT NULL
    GROUP BY owner"""
_QUIETEST = """SELECT id FROM tables WHERE status <> 'closed' AND owner = $1
    ORDER BY changed_at_ms, id LIMIT $2"""
_HAND_OVER = f"""UPDATE tables SET epoch = epoch + 1, owner = $3
    WHERE id = $1 AND epoch = $2 AND status <> 'closed' AND $3 = ANY({LIVE})"""


class Owners(Part):
    async def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        if node:
            # Most tables that a node asks for are another's: that takes no lock from its owner.
            seen = await self._one(Owned, _SEEN, table, node)
            if seen is None or seen.node:
                return seen

        async def taken(change: Transaction) -> Claim | Owned | None:
            # Locked before it is judged: a claim that had to wait for the lock would else judge by
            # leases from before the wait.
            locked = await change.row(_LOCK, table)
            if locked is None:
                return None
            taken = await change.row(_TAKE, table, node)
            return Owned(*locked) if taken is None else Claim(*taken)

        return await self._database.change(taken)

    async def release(self, table: int, epoch: int) -> None:
        release = "UPDATE tables SET owner = NULL WHERE id = $1 AND epoch = $2"
        await self._database.change(lambda change: change.execute(release, table, epoch))

    async def retire(self, node: str) -> None:
        retire = "DELETE FROM nodes WHERE name = $1"
        await self._database.change(lambda change: change.execute(retire, node))

    async def hand_over(self, table: int, epoch: int, node: str) -> bool:
        async def handed(change: Transaction) -> bool:
            # Locked before the lease is judged, as for a claim.
            await change.row("SELECT FROM tables WHERE id = $1 FOR UPDATE", table)
            return await change.execute(_HAND_OVER, table, epoch, node) > 0

        return await self._database.change(handed)

    async def heads(self, tables: Sequence[int]) -> list[Head]:
        return await self._database.page(Head, _HEADS, tables)

    async def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        return await self._database.page(tuple[int, int], _DUE, *after, limit, node)

    async def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        return await self._database.page(int, _ORPHANS, share, shares, limit)

    async def open_tables(self) -> dict[str, int]:
        return dict(await self._database.page(tuple[str, int], _OPEN))

    async def quietest(self, node: str, limit: int) -> list[int]:
        return await self._database.page(int, _QUIETEST, node, limit)


class LeaseLine:
    """The connection on which a node renews its lease: it waits for nobody else's questions."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._turn = asyncio.Lock()
        self._accepts = False

    def start(self) -> None:
        self._accepts = True

    async def stop(self) -> None:
        self._accepts = False
        async with self._turn:
            connection, self._connection = self._connection, None
            if connection is not None:
                await close(connection)

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        """Raises errors.Unavailable. An attempt is given up when a quarter of the lease's time has
        passed: there is still time for another one then, on another connection."""
        seconds = max(lease_ms / 4000, ATTEMPT_SECONDS_MIN)
        async with self._turn:
            for attempt in range(ATTEMPTS_MAX):
                await pause(attempt)
                if not self._accepts:
                    raise errors.Unavailable
                try:
                    async with asyncio.timeout(seconds):
                        return await self._once(node, lease_ms)
                except Exception as error:
                    if not is_the_database(error):
                        raise
                    failed = error
            raise errors.Unavailable from failed

    async def _once(self, node: str, lease_ms: int) -> Renewed:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url)
        try:
            await self._connection.execute(_RENEW, node, lease_ms)
            found = await self._connection.fetchrow(_RENEWED)
        except BaseException:
            self._connection.terminate()
            raise
        assert found is not None
        live, now_ms = found
        return Renewed(tuple(sorted({node, *live})), now_ms)
