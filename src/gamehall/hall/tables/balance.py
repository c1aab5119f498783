"""Nodes share the open tables evenly: a node with too many hands some over, in peace.

The other node follows a table first, which shows that it knows the game and every event there. Then
the store names it as the owner: a request that comes too late is a Conflict here, and goes there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from gamehall.errors import HallError, Refused, Unavailable
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.exchange import Body, Exchange, Spawn, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.replica import Replica
from gamehall.hall.tables.tables import Tables
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0
"""How often a node looks whether it has more than its share."""
PAUSE_SECONDS = 0.5
"""Between tables that are handed over and the next ones."""
AT_ONCE_MAX = 20
"""Tables that are handed over at once."""
SLACK_MIN, SLACK_PART = 5, 5
"""So many beyond its share a node may have, and this part of it, before it hands any over. Then it
does until it has its share: so tables do not wander to and fro."""
OFFER_SECONDS = 10.0


class _Offer(Body, frozen=True):
    """Could you own these tables of mine?"""

    tables: tuple[int, ...]


class _Fit(Body, frozen=True):
    fit: tuple[int, ...]
    unfit: tuple[int, ...]
    """Of a game or a release that is not there."""


class _Handed(Body, frozen=True):
    """From now on this node owns the table."""

    table: int
    node: str
    patience_ms: int
    """Until when its timers wait for players who have to come back."""


@dataclass(eq=False, repr=False)
class Balance:
    _tables: Tables
    _store: Store
    _nodes: Nodes
    _exchange: Exchange
    _spawn: Spawn

    def __post_init__(self) -> None:
        self._gives = False
        self._unfit: dict[str, set[int]] = {}
        """By node: tables that it cannot own."""
        self.takes = True
        """Whether this node wants tables of others: not if it is about to stop."""
        self.handed_over = 0
        """Tables so far."""
        serve(self._exchange, self._spawn, "table-offer", _Offer, self._offered)
        self._exchange.on("table-handed", _Handed, self._heard)

    async def run(self) -> None:
        """Hands over what is too much, for as long as the hall runs."""
        while True:
            handed = 0
            try:
                handed = await self.even_out()
            except Unavailable:
                log.warning("cannot_balance")
            await asyncio.sleep(PAUSE_SECONDS if handed else LOOK_SECONDS)

    async def even_out(self) -> int:
        """Hands a few tables over, if this node has too many; how many. Raises Unavailable."""
        if not self._nodes.holds or len(self._nodes.live) == 1:
            return 0
        owned = await self._store.open_tables()
        counts = {node: owned.get(node, 0) for node in self._nodes.live}
        share = -(-sum(counts.values()) // len(counts))
        mine = counts.pop(self._nodes.name, 0)
        slack = 0 if self._gives else max(SLACK_MIN, share // SLACK_PART)
        self._gives = mine > share + slack
        return await self._give(mine, share, counts) if self._gives else 0

    async def _give(self, mine: int, share: int, counts: Mapping[str, int]) -> int:
        """Hands some of `mine` to the node that has fewest; returns how many."""
        self._unfit = {node: self._unfit.get(node, set()) for node in counts}
        for node in sorted(counts, key=counts.__getitem__):
            room = min(mine - share, share - counts[node], AT_ONCE_MAX)
            try:
                handed = await self._give_to(node, room) if room > 0 else 0
            except HallError as error:
                log.info("no_tables_taken", node=node, code=error.code)
                continue
            if handed:
                self.handed_over += handed
                log.info("tables_handed_over", node=node, tables=handed, had=mine, share=share)
                return handed
        return 0

    async def _give_to(self, node: str, number: int) -> int:
        """Those first at which nothing has happened for longest. Raises HallError."""
        unfit = self._unfit[node]
        quietest = await self._store.quietest(self._nodes.name, number + len(unfit))
        unfit &= set(quietest)
        offered = [table for table in quietest if table not in unfit][:number]
        if not offered:
            return 0
        answer = await self._offer(node, offered)
        unfit |= set(answer.unfit)
        return sum([await self._hand_over(table, node) for table in answer.fit])

    async def _offer(self, node: str, tables: Sequence[int]) -> _Fit:
        offer = _Offer(tuple(tables))
        return await self._exchange.question(node, "table-offer", offer, _Fit, OFFER_SECONDS)

    async def _hand_over(self, id: int, node: str) -> bool:
        table = self._tables.loaded(id)
        if not isinstance(table, Table) or table.gone or not table.idle:
            return False
        nodes = {node, *self._tables.followers.of(id)}
        try:
            if not await self._store.hand_over(id, table.epoch, node):
                return False
        except Unavailable:
            log.warning("handed_over_in_doubt", table=id)  # It is found again either way.
        # They are told first, so that the new owner is ready when this node asks to follow. Also if
        # a request was faster, and came back with a Conflict.
        handed = _Handed(id, node, table.alarm.patience_ms)
        nodes |= set(self._tables.followers.of(id))
        self._exchange.tell_each(sorted(nodes), "table-handed", handed)
        if not table.gone:
            table.lapse()
        return True

    # What other nodes hand over

    async def _offered(self, sender: str, offer: _Offer) -> _Fit:
        if not self.takes:
            raise Refused("This node is about to stop.")
        fits = await asyncio.gather(*(self._fits(table, sender) for table in offer.tables))
        judged = list(zip(offer.tables, fits, strict=True))
        return _Fit(
            tuple(table for table, fit in judged if fit),
            tuple(table for table, fit in judged if fit is False),
        )

    async def _fits(self, id: int, owner: str) -> bool | None:
        """Whether this node could own it; None: that is not known."""
        try:
            table = await self._tables.load(id)
        except Refused:
            return False
        except HallError:
            return None
        return True if isinstance(table, Replica) and table.node == owner else None

    def _heard(self, sender: str, handed: _Handed) -> None:
        if handed.node == self._nodes.name:
            self._tables.receive(handed.table, handed.patience_ms)
            return
        replica = self._tables.loaded(handed.table)
        if isinstance(replica, Replica) and replica.node == sender:
            self._tables.lose(replica)
