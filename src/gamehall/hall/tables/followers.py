"""The nodes that follow this one's tables: what is written is sent once to each of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

import msgspec
import structlog

from gamehall.errors import Conflict, HallError
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask
from gamehall.hall.beat.steps import Kind, Step
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.exchange import Answering, Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.relay_messages import (
    AskedOf,
    CameTo,
    Follow,
    FollowedAt,
    Follows,
    NotedAt,
    Rows,
    Unfollow,
)
from gamehall.store.journals import Line

log = structlog.get_logger(__name__)


class Owned(Protocol):
    """The tables of this node."""

    def kind(self, game: str) -> Kind: ...
    def loaded(self, table: int) -> KnownTable | None: ...
    async def load(self, table: int) -> KnownTable: ...
    def is_loading(self, table: int) -> bool: ...
    def put(self, ask: Ask) -> None: ...


class Followers:
    def __init__(
        self,
        exchange: Exchange,
        nodes: Nodes,
        tables: Owned,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        on_unfollowed: Callable[[int, str], None],
    ) -> None:
        """`on_unfollowed` hears of a table of this node, and of the node that ceased to follow."""
        self._exchange = exchange
        self._tables = tables
        self._spawn = spawn
        self._followers: dict[int, set[str]] = {}
        """By table that this node owns: the nodes that follow it."""
        self._on_unfollowed = on_unfollowed
        nodes.on_gone.append(self._node_gone)
        exchange.answer("ask", AskedOf[msgspec.Raw], self._asked)
        exchange.answer("follow", Follow, self._follow_asked)
        exchange.on("follows", Follows, self._followed)
        exchange.on("unfollow", Unfollow, self._unfollowed)
        exchange.on("came", CameTo, self._came)

    def of(self, table: int) -> Iterable[str]:
        return self._followers.get(table, ())

    def is_followed(self, table: int) -> bool:
        return table in self._followers

    def written(self, table: Table, steps: list[Step]) -> None:
        """Sends what is durable now to the nodes that follow."""
        nodes = self._followers.get(table.id)
        if nodes:
            lines = tuple(Line(step.row.seq, step.line, step.ask.request) for step in steps)
            self._exchange.tell_each(nodes, "rows", Rows(table.id, table.epoch, lines))

    def noted(self, table: Table, asks: list[Ask]) -> None:
        for node in self.of(table.id):
            for ask in asks:
                if ask.player is not None:
                    noted = NotedAt(table.id, ask.player, ask.command, ask.at_ms)
                    self._exchange.tell(node, "noted", noted)

    def forget(self, table: int) -> None:
        """This node owns it no more."""
        self._followers.pop(table, None)

    def _asked(self, sender: str, asked: AskedOf[msgspec.Raw], reply: Answering) -> None:
        command = self._tables.kind(asked.game).codec.decode_command(asked.command)
        self._tables.put(
            Ask(
                asked.table,
                asked.player,
                command,
                reply,
                asked.request,
                asked.person,
                remote=True,
                again=asked.again,
                since=asked.since,
            )
        )

    def _follow_asked(self, sender: str, follow: Follow, reply: Answering) -> None:
        async def answer() -> None:
            try:
                table = await self._followed_by(follow.table, sender)
            except HallError as error:
                reply(error)
            else:
                reply(FollowedAt(table.epoch, table.head))

        self._spawn(answer())

    async def _followed_by(self, id: int, node: str) -> KnownTable:
        """The table, whose rows that node gets from now on. Raises Conflict if it is another's."""
        table = await self._tables.load(id)
        if not table.owned:
            raise Conflict
        if not table.closed:
            self._followers.setdefault(id, set()).add(node)
        return table

    def _followed(self, sender: str, follows: Follows) -> None:
        async def find(id: int) -> None:
            try:
                await self._followed_by(id, sender)
            except HallError as error:
                log.info("followed_in_vain", table=id, node=sender, code=error.code)

        for id in follows.tables:
            table = self._tables.loaded(id)
            if table is not None and table.owned:
                self._followers.setdefault(id, set()).add(sender)
            elif table is None and not self._tables.is_loading(id):
                # It was let go while the lease was out, and still is this node's.
                self._spawn(find(id))

    def _unfollowed(self, sender: str, unfollow: Unfollow) -> None:
        self._drop_follower(unfollow.table, sender)

    def _drop_follower(self, table: int, node: str) -> None:
        nodes = self._followers.get(table, set())
        nodes.discard(node)
        if not nodes:
            self._followers.pop(table, None)
        self._on_unfollowed(table, node)

    def _came(self, sender: str, came: CameTo) -> None:
        table = self._tables.loaded(came.table)
        if table is not None and table.owned:
            table.wake()

    def _node_gone(self, node: str) -> None:
        for table in list(self._followers):
            self._drop_follower(table, node)
