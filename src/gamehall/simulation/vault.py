"""What is kept in a simulated world: SQLite's statements on a database in memory, with leases.

It answers at once, and to all nodes alike. How a node reaches it is in store.py.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from gamehall.simulation.checker.owners import Moment
from gamehall.simulation.world import World
from gamehall.store.appends import Answer, Append, Durable
from gamehall.store.nodes import Claim, Head, Owned, Renewed
from gamehall.store.sqlite.append import write_append
from gamehall.store.sqlite.folding import fold
from gamehall.store.sqlite.schema import migrate

T = TypeVar("T")

FOLD_ROWS = 50
"""Few, so that stories have rows on both sides of a fold."""


class Vault:
    def __init__(self, world: World) -> None:
        self.world = world
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        migrate(self.connection, Path("simulated"))
        self._fresh = 0
        self._leases: dict[str, float] = {}
        self._owners: dict[int, str] = {}
        self.moments: list[Moment] = []
        """Tables as they were whenever they, or their owners, changed."""
        self.written: dict[int, list[float]] = {}
        """When each row of a table was written, in seconds of the world."""
        self.late: set[int] = set()
        """The beats whose appends are still on their way."""

    # As the reader and the writer of a SQLite file

    def few(self, query: Callable[[sqlite3.Connection], T]) -> T:
        return query(self.connection)

    async def page(self, query: Callable[[sqlite3.Connection], T]) -> T:
        return query(self.connection)

    async def write(self, change: Callable[[sqlite3.Cursor], T], *, apart: bool = False) -> T:
        return self._changed(change)

    def append(self, append: Append) -> Answer:
        is_new = self._epoch(append.table) is None
        try:
            answer = self._changed(lambda cursor: write_append(cursor, append))
        except sqlite3.IntegrityError as error:
            # No append that was judged right is refused by the schema.
            raise AssertionError(f"table {append.table} was written wrongly: {error}") from error
        # One that is written again is answered the same, whoever owns the table by now.
        if isinstance(answer, Durable) and is_new and append.opening and append.opening.owner:
            self._owners[append.table] = append.opening.owner
        if isinstance(answer, Durable):
            self._note(append.table)
            times = self.written.setdefault(append.table, [])
            times += [self.world.seconds] * (append.after + len(append.rows) - len(times))
            self._fold(len(append.rows))
        return answer

    def append_late(self, append: Append, seconds: float) -> None:
        """As when a commit hangs and its node has given up on it: it is judged when it lands."""
        self.late.add(append.beat_id)

        def land() -> None:
            self.late.remove(append.beat_id)
            self.append(append)

        self.world.after(seconds, land)

    def _fold(self, rows: int) -> None:
        self._fresh += rows
        if self._fresh >= FOLD_ROWS:
            self._fresh = 0
            self._changed(fold)

    def _changed(self, change: Callable[[sqlite3.Cursor], T]) -> T:
        cursor = self.connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            result = change(cursor)
        except BaseException:
            cursor.execute("ROLLBACK")
            raise
        cursor.execute("COMMIT")
        return result

    # Leases and owners

    def renew(self, node: str, lease_ms: int) -> None:
        self._leases[node] = self.world.seconds + lease_ms / 1000

    def renewed(self, node: str) -> Renewed:
        return Renewed(tuple(sorted({node, *self._live()})), self.world.now_ms)

    def retire(self, node: str) -> None:
        self._leases.pop(node, None)

    def claim(self, table: int, node: str = "") -> Claim | Owned | None:
        found = self.connection.execute(
            "SELECT epoch, head, round_seq, hash, game FROM tables WHERE id = ? AND head > 0",
            (table,),
        ).fetchone()
        if found is None:
            return None
        owner = self._owner(table)
        if node and owner not in (None, node):
            assert owner is not None
            return Owned(owner, *found)
        self._take(table, node)
        return Claim(found[0] + 1, *found[1:])

    def release(self, table: int, epoch: int) -> None:
        if self._epoch(table) == epoch:
            self._owners.pop(table, None)

    def hand_over(self, table: int, epoch: int, node: str) -> bool:
        can = self._epoch(table) == epoch and node in self._live() and table in self._open()
        if can:
            self._take(table, node)
        return can

    def heads(self, tables: Sequence[int]) -> list[Head]:
        found = self.connection.execute("SELECT id, head, epoch FROM tables WHERE head > 0")
        return [
            Head(table, head, epoch, self._owner(table))
            for table, head, epoch in sorted(found)
            if table in tables
        ]

    def due(
        self, limit: int, after: tuple[int, int] = (0, 0), node: str = ""
    ) -> list[tuple[int, int]]:
        found = self.connection.execute(
            """SELECT due_ms, id FROM tables WHERE status <> 'closed' AND (due_ms, id) > (?, ?)
            ORDER BY due_ms, id""",
            after,
        )
        free = [each for each in found if not node or self._owner(each[1]) in (None, node)]
        return free[:limit]

    def orphans(self, share: int, shares: int, limit: int) -> list[int]:
        mine = [table for table in self._open() if table % shares == share]
        return [table for table in mine if self._owner(table) is None][:limit]

    def open_tables(self) -> dict[str, int]:
        owners = (self._owners.get(table) for table in self._open())
        return dict(Counter(owner for owner in owners if owner))

    def quietest(self, node: str, limit: int) -> list[int]:
        found = self.connection.execute(
            "SELECT id FROM tables WHERE status <> 'closed' AND head > 0 ORDER BY changed_at_ms, id"
        )
        return [table for (table,) in found if self._owners.get(table) == node][:limit]

    def _take(self, table: int, node: str) -> None:
        self.connection.execute("UPDATE tables SET epoch = epoch + 1 WHERE id = ?", (table,))
        self._owners[table] = node
        self._note(table)

    def _note(self, table: int) -> None:
        [(epoch, head, hash)] = self.connection.execute(
            "SELECT epoch, head, hash FROM tables WHERE id = ?", (table,)
        )
        self.moments.append(Moment(table, epoch, head, hash, self._owners.get(table)))

    def _live(self) -> list[str]:
        return sorted(name for name, end in self._leases.items() if end > self.world.seconds)

    def _owner(self, table: int) -> str | None:
        owner = self._owners.get(table)
        return owner if owner in self._live() else None

    def _epoch(self, table: int) -> int | None:
        found = self.connection.execute("SELECT epoch FROM tables WHERE id = ?", (table,))
        return next((epoch for (epoch,) in found), None)

    def _open(self) -> list[int]:
        found = self.connection.execute(
            """SELECT id FROM tables WHERE status <> 'closed' AND head > 0
            ORDER BY due_ms IS NULL, due_ms, id"""
        )
        return [table for (table,) in found]
