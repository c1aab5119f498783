"""The tables of other nodes that this one follows: rows from their owners, requests to them.

The owner (followers.py) sends what it has written, and each node tells its own people. What the bus
loses is read from the journal: when rows are missing, when an answer names a row that is not here,
and whenever heads are compared, so that a lost last message shows too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import structlog

from gamehall.errors import Conflict, HallError, Unavailable
from gamehall.hall.beat.deciding import note
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.nodes.exchange import Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.followers import AskedOf, At, DoneThere, Follows, NotedAt, Rows
from gamehall.hall.tables.replica import Replica
from gamehall.store.appends import Request
from gamehall.store.journals import Line
from gamehall.store.store import Store

if TYPE_CHECKING:
    from gamehall.hall.tables.tables import Tables

log = structlog.get_logger(__name__)

ASK_SECONDS = 2.0
"""How long a question to another node waits for its answer."""
EXPECT_SECONDS = 0.2
"""How long rows are waited for that an answer has named."""
AGAIN_SECONDS, AGAIN_SECONDS_MAX = 0.05, 0.25
"""Pauses before a question is asked again; the longer it has waited, the longer they are."""
HEAL_SECONDS = 2.0
"""How often heads are compared."""
HEADS_MAX = 1000
"""Tables whose heads are asked for at once."""
ROWS_MAX = 1000
"""Journal rows read at once."""


@dataclass(eq=False, repr=False)
class Relay:
    _exchange: Exchange
    _nodes: Nodes
    _store: Store
    _tables: Tables
    _patience_seconds: float
    """How long a request waits while its table finds a new owner."""

    def __post_init__(self) -> None:
        self._spawn = self._tables.spawn
        self._catching_up: set[Replica] = set()
        self._asking: dict[tuple[int, int, str], list[Ask]] = {}
        """By table, player and request: what people here wait for, and others may have written."""
        self._exchange.on("rows", Rows, self._rows)
        self._exchange.on("followed", Follows, self._followed)
        self._exchange.on("noted", NotedAt[msgspec.Raw], self._hear_noted)

    @property
    def can_ask(self) -> bool:
        """Whether other nodes can be reached, as far as is known."""
        return self._exchange.is_up

    async def follow(self, table: int, node: str) -> None:
        """From now on its rows come here. Raises Conflict, Unavailable."""
        await self._exchange.question(node, "follow", At(table), At, ASK_SECONDS)

    def unfollow(self, table: int, node: str) -> None:
        self._exchange.tell(node, "unfollow", At(table))

    def came(self, replica: Replica) -> None:
        """Someone is here who wants to see the table go on."""
        self._exchange.tell(replica.node, "came", At(replica.id))

    def forward(self, replica: Replica, ask: Ask) -> None:
        """Brings a request to the owner."""
        until = asyncio.get_running_loop().time() + self._patience_seconds
        self.keep(ask, replica.state.opened.round)
        # An owner elsewhere has to know of the people here who ask it.
        self._tables.surroundings.tell_presence()
        self._send(replica, ask, until)

    def keep(self, ask: Ask, open_round: int) -> None:
        """Until it is answered, by the owner or by its row. `open_round` is the table's."""
        request = ask.request
        if request is None:
            return
        ask.since = ask.since or open_round
        key = (ask.table, request.player, request.id)
        reply = ask.reply

        def answer_once(answer: Done | HallError) -> None:
            waiting = self._asking.get(key, [])
            if ask in waiting:
                waiting.remove(ask)
                if not waiting:
                    del self._asking[key]
                reply(answer)

        self._asking.setdefault(key, []).append(ask)
        ask.reply = answer_once

    def _awaits(self, ask: Ask) -> bool:
        request = ask.request
        if request is None:
            return True
        return ask in self._asking.get((ask.table, request.player, request.id), ())

    def answer_by_rows(self, table: KnownTable, lines: Sequence[Line]) -> None:
        """Rows that people here have asked for: their answers come before what is told, also if the
        owner's are lost."""
        for line in lines:
            request = line.request
            if request is None:
                continue
            done = table.caused(request, line.seq)
            if done is None:
                continue  # Of an earlier round: its owner answers.
            for ask in tuple(self._asking.get((table.id, request.player, request.id), ())):
                if ask.request != request or not _is_of(ask, request, done.round):
                    continue
                try:
                    ask.reply(done)
                except Exception:
                    # A door's fault: it must not keep the others from what is told.
                    log.exception("reply_failed", table=table.id)

    def _send(self, replica: Replica, ask: Ask, until: float) -> None:
        codec = replica.kind.codec

        def answered(answer: DoneThere | HallError) -> None:
            if isinstance(answer, DoneThere):
                try:
                    events = codec.decode_events(answer.events)
                except msgspec.MsgspecError:
                    # Done, but in a way that only a newer release knows.
                    log.exception("answer_not_known", table=replica.id, seq=answer.seq)
                    ask.reply(Unavailable())
                    return
                done = Done(answer.table, answer.seq, answer.seat, events, answer.round)
                replica.answer(ask, done)
            elif isinstance(answer, Conflict):
                # Not done: asks the present owner.
                self._tables.lose(replica)
                self._spawn(self._send_again(ask, until))
            elif isinstance(answer, Unavailable) and ask.request is not None and self.can_ask:
                # Perhaps done: the same request again gets the true answer.
                ask.again = True
                self._spawn(self._send_again(ask, until))
            else:
                ask.reply(answer)

        asked = AskedOf(
            replica.id,
            replica.kind.game.name,
            ask.player,
            ask.command,
            ask.request,
            ask.person,
            ask.again,
            ask.since,
        )
        self._exchange.ask(replica.node, "ask", asked, DoneThere, answered, ASK_SECONDS)

    async def _send_again(self, ask: Ask, until: float) -> None:
        loop = asyncio.get_running_loop()
        waited_seconds = self._patience_seconds - (until - loop.time())
        await asyncio.sleep(min(max(waited_seconds / 4, AGAIN_SECONDS), AGAIN_SECONDS_MAX))
        if not self._awaits(ask):
            return  # Its row has come meanwhile.
        try:
            async with asyncio.timeout_at(until):
                table = await self._tables.load(ask.table)
        except HallError as error:
            ask.reply(error)
            return
        except TimeoutError:
            ask.reply(Unavailable())
            return
        if isinstance(table, Replica) and loop.time() < until:
            self._send(table, ask, until)
        elif table.owned:
            table.put(ask)
        else:
            ask.reply(Unavailable())

    def _rows(self, sender: str, rows: Rows) -> None:
        replica = self._tables.loaded(rows.table)
        if isinstance(replica, Replica) and rows.epoch >= replica.epoch:
            lines = [Line(sent.seq, bytes(sent.line), sent.request) for sent in rows.lines]
            self._take(replica, replica.follows(lines))
        elif replica is None:
            self._unfollow_unknown(rows.table, sender)

    def _followed(self, sender: str, followed: Follows) -> None:
        for table in followed.tables:
            if self._tables.loaded(table) is None:
                self._unfollow_unknown(table, sender)

    def _unfollow_unknown(self, table: int, node: str) -> None:
        if not self._tables.is_loading(table):
            self.unfollow(table, node)

    def _take(self, replica: Replica, lines: Sequence[Line]) -> None:
        if not lines or replica.gone:
            return  # What one that is gone lacks, its successor has to tell.
        try:
            told = replica.take(lines)
        except Exception:
            # An event of a newer release, or the game's fault: what is here is no replica any more.
            log.exception("replica_failed", table=replica.id, head=replica.head)
            self._tables.lose(replica)
            return
        self.answer_by_rows(replica, lines)
        self._tables.publish(replica, told)

    def _hear_noted(self, sender: str, noted: NotedAt[msgspec.Raw]) -> None:
        replica = self._tables.loaded(noted.table)
        if isinstance(replica, Replica):
            command = replica.kind.codec.decode_command(noted.command)
            note(replica.kind, replica.state, noted.player, command, noted.at_ms)

    def expect(self, replica: Replica) -> None:
        """Catches up later, if it still `lacks` rows then: they are on their way."""

        def look() -> None:
            if replica.lacks:
                self.catch_up(replica)

        asyncio.get_running_loop().call_later(EXPECT_SECONDS, look)

    def catch_up(self, replica: Replica) -> None:
        """Reads what it lacks from the journal."""
        if replica not in self._catching_up:
            self._catching_up.add(replica)
            self._spawn(self._catch_up(replica))

    async def _catch_up(self, replica: Replica) -> None:
        try:
            await self.read_on(replica)
        except Unavailable:
            log.warning("cannot_catch_up", table=replica.id)
        finally:
            self._catching_up.discard(replica)

    async def read_on(self, replica: Replica) -> None:
        """Returns when it has what lies in the journal. Raises Unavailable."""
        more = True
        while more and not replica.gone:
            lines = await self._store.read(replica.id, replica.head, ROWS_MAX)
            more = len(lines) == ROWS_MAX
            self._take(replica, replica.follows(lines))

    # Healing

    def node_gone(self, node: str) -> None:
        for replica in self._replicas():
            if replica.node == node:
                self._tables.lose(replica)

    async def run(self) -> None:
        """Compares heads, for as long as the hall runs."""
        while True:
            await asyncio.sleep(HEAL_SECONDS)
            try:
                await self._compare_heads()
            except Unavailable:
                log.warning("cannot_compare_heads")

    async def _compare_heads(self) -> None:
        replicas = {replica.id: replica for replica in self._replicas()}
        ids = list(replicas)
        of_node: dict[str, list[int]] = {}
        for start in range(0, len(ids), HEADS_MAX):
            for head in await self._store.heads(ids[start : start + HEADS_MAX]):
                replica = replicas[head.table]
                if replica.gone:
                    continue
                if head.owner == self._nodes.name:
                    self._tables.receive(replica.id)  # The message that says so was lost.
                    continue
                if head.owner != replica.node:
                    self._tables.lose(replica)
                    continue
                of_node.setdefault(replica.node, []).append(replica.id)
                if head.head > replica.head:
                    self.catch_up(replica)
        for node, tables in of_node.items():
            self._exchange.tell(node, "follows", Follows(tuple(tables)))

    def _replicas(self) -> list[Replica]:
        return [table for table in self._tables.all_loaded() if isinstance(table, Replica)]


def _is_of(ask: Ask, request: Request, round: int) -> bool:
    """Whether this may be what was done in that round: bets of later ones may have the same id."""
    if not request.by_round:
        return True
    return round >= ask.since if ask.named_round is None else round == ask.named_round
