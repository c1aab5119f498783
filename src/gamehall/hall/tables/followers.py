"""The nodes that follow this one's tables: what is written is sent once to each of them.

Here too is what owners and followers (relay.py) say to each other. Commands and events are encoded
with the message that has them, and read when the game is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
import structlog

from gamehall.errors import Conflict, HallError
from gamehall.hall.beat.requests import Ask
from gamehall.hall.beat.steps import Step
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.exchange import Answering, Body, Exchange, serve
from gamehall.hall.nodes.nodes import Nodes
from gamehall.store.appends import Request
from gamehall.table_log.house import Person

if TYPE_CHECKING:
    from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

C = TypeVar("C")
"""A command where it is sent, msgspec.Raw where it comes in."""


class AskedOf(Body, Generic[C], frozen=True):
    table: int
    game: str
    player: int | None
    command: C
    request: Request | None = None
    person: Person | None = None
    again: bool = False
    since: int = 0


class DoneThere(msgspec.Struct, frozen=True, array_like=True):
    """A `Done`, where it comes in."""

    table: int
    seq: int
    seat: int | None
    events: msgspec.Raw
    round: int


class At(Body, frozen=True):
    """A table of the receiver, which the sender follows from now on (answered with the same) or no
    longer, or to which someone has come."""

    table: int


class Follows(Body, frozen=True):
    """The tables of the receiver that the sender follows: said from time to time. Or those of the
    sender that the receiver seems to follow, and that would be let go."""

    tables: tuple[int, ...]


class SentLine(Body, frozen=True):
    """A `Line` on its way. It is JSON itself, so it travels as it is, to the byte."""

    seq: int
    line: msgspec.Raw
    request: Request | None = None


class Rows(Body, frozen=True):
    table: int
    epoch: int
    lines: tuple[SentLine, ...]


class NotedAt(Body, Generic[C], frozen=True):
    table: int
    player: int
    command: C
    at_ms: int


class Followers:
    def __init__(self, exchange: Exchange, nodes: Nodes, tables: Tables) -> None:
        self._exchange = exchange
        self._tables = tables
        self._followers: dict[int, dict[str, None]] = {}
        """By table that this node owns: the nodes that follow it."""
        exchange.answer("ask", AskedOf[msgspec.Raw], self._asked)
        serve(exchange, tables.spawn, "follow", At, self._follow_asked)
        exchange.on("follows", Follows, self._followed)
        exchange.on("unfollow", At, lambda sender, at: self._drop(at.table, sender))
        exchange.on("came", At, self._came)

    def of(self, table: int) -> Collection[str]:
        return self._followers.get(table, ())

    def written(self, table: Table, steps: list[Step]) -> None:
        """Sends what is durable now to the nodes that follow."""
        nodes = self._followers.get(table.id)
        if nodes:
            lines = tuple(
                SentLine(step.row.seq, msgspec.Raw(step.line), step.ask.request) for step in steps
            )
            self._exchange.tell_each(nodes, "rows", Rows(table.id, table.epoch, lines))

    def noted(self, table: Table, asks: list[Ask]) -> None:
        """Tells those nodes what was noted beside the journal."""
        nodes = self.of(table.id)
        for ask in asks:
            if nodes and ask.player is not None:
                noted = NotedAt(table.id, ask.player, ask.command, ask.at_ms)
                self._exchange.tell_each(nodes, "noted", noted)

    def ask_again(self, tables: Iterable[int]) -> None:
        """Whether these are still followed: that they are not may have been lost on the way."""
        of_node: dict[str, list[int]] = {}
        for table in tables:
            for node in self.of(table):
                of_node.setdefault(node, []).append(table)
        for node, followed in of_node.items():
            self._exchange.tell(node, "followed", Follows(tuple(followed)))

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

    async def _follow_asked(self, sender: str, at: At) -> At:
        await self._follow(at.table, sender)
        return at

    async def _follow(self, id: int, node: str) -> None:
        """That node gets the table's rows from now on. Raises Conflict if it is another's."""
        table = await self._tables.load(id)
        if not table.owned:
            raise Conflict
        if not table.closed:
            self._followers.setdefault(id, {})[node] = None

    def _followed(self, sender: str, follows: Follows) -> None:
        async def find(id: int) -> None:
            try:
                await self._follow(id, sender)
            except HallError as error:
                log.info("followed_in_vain", table=id, node=sender, code=error.code)

        for id in follows.tables:
            table = self._tables.loaded(id)
            if table is not None and table.owned:
                self._followers.setdefault(id, {})[sender] = None
            elif table is None and not self._tables.is_loading(id):
                # It was let go while the lease was out, and still is this node's.
                self._tables.spawn(find(id))

    def _drop(self, table: int, node: str) -> None:
        nodes = self._followers.get(table, {})
        nodes.pop(node, None)
        if not nodes:
            self._followers.pop(table, None)
        self._tables.surroundings.unfollowed(table, node)

    def _came(self, sender: str, at: At) -> None:
        table = self._tables.loaded(at.table)
        if table is not None and table.owned:
            table.wake()

    def node_gone(self, node: str) -> None:
        for table in list(self._followers):
            self._drop(table, node)
