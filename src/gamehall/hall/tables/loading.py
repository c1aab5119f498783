"""How a node gets a table into memory: as its owner, or following the node that is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from gamehall.errors import Conflict, HallError, NoSuchTable, Unavailable
from gamehall.hall.beat.draws import DrawKey, TableDraws
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.steps import Kind
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.replica import Replica
from gamehall.store.journals import Line
from gamehall.store.nodes import Claim, Owned
from gamehall.store.store import Store
from gamehall.table_log.journal import since_opened
from gamehall.table_log.table_state import TableState

if TYPE_CHECKING:
    from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

PAGE = 1000
"""Journal rows read at once while loading."""
AGAIN_SECONDS = 0.2
"""How long a node waits before it looks again for the owner of a table, who did not answer."""
WAITING_MAX = 1000
"""How many may wait for one table."""

Arrived = Callable[[KnownTable | HallError], None]


class Waiting:
    """Those who wait for tables that are on their way into memory."""

    def __init__(self) -> None:
        self._callbacks: dict[int, list[Arrived]] = {}

    def __contains__(self, table: int) -> bool:
        """Whether it is on its way."""
        return table in self._callbacks

    def begin(self, table: int) -> None:
        """From now on it is on its way: being loaded, being opened, or, where someone has guessed
        its number, both. Then it ends with the first."""
        self._callbacks.setdefault(table, [])

    def add(self, table: int, callback: Arrived) -> None:
        """Calls back when it is here, or cannot be; at once with Unavailable if too many wait."""
        waiting = self._callbacks[table]
        if len(waiting) < WAITING_MAX:
            waiting.append(callback)
        else:
            callback(Unavailable())

    def end(self, table: int, answer: KnownTable | HallError) -> None:
        """It is here, or cannot be."""
        for callback in self._callbacks.pop(table, ()):
            try:
                callback(answer)
            except Exception:
                # A door's fault: it must not keep the others from their answers.
                log.exception("reply_failed", table=table)


@dataclass(eq=False, repr=False)
class Finder:
    _tables: Tables
    _store: Store
    _nodes: Nodes
    _clock: Clock
    _draw_key: DrawKey
    _patience_seconds: float
    """How long an owner who does not answer is waited for."""

    async def find(self, id: int, before: KnownTable | None, told_to: int | None) -> KnownTable:
        """The table, in memory. `before`: as this node knew it last; else people here were told of
        it up to the row `told_to`, None for all.

        Raises:
            NoSuchTable, NoSuchGame, Unavailable
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_seconds
        while self._nodes.holds:
            lapses = self._nodes.lapses
            claim = await self._store.claim(id, self._nodes.name)
            if claim is None:
                raise NoSuchTable
            try:
                if isinstance(claim, Claim):
                    return await self._own(id, claim, before, told_to, lapses)
                return await self._follow(id, claim, before, told_to)
            except (Conflict, Unavailable):
                # Its owner does not answer, or is another one by now.
                if self._nodes.alone or not self._tables.relay.can_ask or loop.time() > until:
                    break
            await asyncio.sleep(AGAIN_SECONDS)
        raise Unavailable

    async def _own(
        self, id: int, claim: Claim, before: KnownTable | None, told_to: int | None, lapses: int
    ) -> KnownTable:
        """`lapses`: how many there were before it was claimed. Raises Conflict if there were more
        since: then another node may own it."""
        try:
            kind = self._tables.kind(claim.game)
            draws, state, lines = await self._beginning(id, kind, claim, before)
            table = self.table(id, kind, claim.epoch, draws, state)
            missed = _fill(table, lines, before, told_to)
            if table.closed:
                # Nobody has to own it: the next who wants to see it may be at another node.
                await self._store.release(id, claim.epoch)
            else:
                await self._tables.surroundings.claimed(kind, id)
            if not self._nodes.holds or self._nodes.lapses != lapses:
                raise Conflict
        except BaseException:
            # Another release may know what to make of it.
            await self._store.release(id, claim.epoch)
            raise
        self._tables.arrived(table, missed)
        return table

    async def _follow(
        self, id: int, owned: Owned, before: KnownTable | None, told_to: int | None
    ) -> KnownTable:
        kind, relay = self._tables.kind(owned.game), self._tables.relay
        self._check_stays(owned.node)
        try:
            # First of all, so that nothing falls between what is read and what is sent.
            await relay.follow(id, owned.node)
            draws, state, lines = await self._beginning(id, kind, owned, before)
            replica = Replica(id, kind, owned.epoch, draws, state, owned.node, relay)
            missed = _fill(replica, lines, before, told_to)
            self._check_stays(owned.node)
        except BaseException:
            relay.unfollow(id, owned.node)
            raise
        self._tables.arrived(replica, missed)
        relay.catch_up(replica)
        return replica

    def _check_stays(self, node: str) -> None:
        """That it leaves is told once, to those who follow it then. Raises Conflict."""
        if self._nodes.has_left(node):
            raise Conflict

    def table(self, id: int, kind: Kind, epoch: int, draws: TableDraws, state: TableState) -> Table:
        return Table(id, kind, epoch, draws, state, self._store, self._clock, self._tables)

    async def _beginning(
        self, id: int, kind: Kind, claim: Claim | Owned, before: KnownTable | None
    ) -> tuple[TableDraws, TableState, list[Line]]:
        """What the table draws from, its state as `before` or as the running round opened, and the
        rows since."""
        if before is not None:
            lines = await self.lines(id, before.head + 1, claim.head)
            return before.draws, before.state, lines
        lines = await self.lines(id, claim.round_seq, claim.head)
        state = kind.rules.apply(None, since_opened(kind.codec.read(lines[0].line))[0])
        return TableDraws(self._draw_key, id, state.opened.nonce), state, lines

    async def lines(self, id: int, first_seq: int, last_seq: int) -> list[Line]:
        """Rows of a table's journal, the last one included."""
        lines: list[Line] = []
        after = first_seq - 1
        while after < last_seq:
            page = await self._store.read(id, after, min(PAGE, last_seq - after))
            if not page:
                raise Unavailable
            lines += page
            after = page[-1].seq
        return lines


def _fill(
    table: KnownTable,
    lines: list[Line],
    before: KnownTable | None,
    told_to: int | None,
) -> list[Line]:
    """Brings the table to where people here were told of it; the rows that come after."""
    if before is not None:
        _check_known(table.kind, lines)
        table.succeed(before)
        return lines
    first = lines[0].seq
    told = len(lines) if told_to is None else max(1, told_to - first + 1)
    table.hash = table.state.opened.previous
    table.replay(lines[:told])
    _check_known(table.kind, lines[told:])
    return lines[told:]


def _check_known(kind: Kind, lines: list[Line]) -> None:
    """Raises an exception if they tell of events that only a newer release knows."""
    for line in lines:
        kind.codec.read(line.line)
