"""The tables that this node knows: owned or followed, loaded on demand, let go when idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

import structlog

from gamehall.errors import (
    Conflict,
    Forgotten,
    HallError,
    NoSuchTable,
    Refused,
    Unavailable,
)
from gamehall.faults import as_refusal
from gamehall.hall.beat.draws import DrawKey
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.owner import Beats
from gamehall.hall.beat.requests import Ask, Done, Told
from gamehall.hall.beat.table import Table
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.background import Background
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Exchange
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.tables.followers import Followers
from gamehall.hall.tables.kinds import Kinds
from gamehall.hall.tables.loading import Arrived, Finder, Waiting
from gamehall.hall.tables.opening import Openings
from gamehall.hall.tables.relay import Relay
from gamehall.hall.tables.replica import Replica
from gamehall.hall.tables.surroundings import Surroundings
from gamehall.hall.tables.waking import Waking
from gamehall.store.journals import Line
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

SETTLE_SECONDS = 2.0
"""How long a planned stop waits for what is being written."""
LAPSED_MS = 1000
"""How long after the end of its lease a node looks whose timers are due."""
NEW_SECONDS = 10.0
"""How long a node that has taken a table over does not know for sure that nobody is there."""
AGAIN_MS = 1000
"""After so long a table that was unavailable is asked again."""
FIND_SECONDS = 1.0
"""How often a node looks for the tables that it has lost, and needs."""


@dataclass(eq=False, repr=False)
class Tables:
    _kinds: Kinds
    _store: Store
    _nodes: Nodes
    _exchange: Exchange
    _clock: Clock
    _draw_key: DrawKey
    surroundings: Surroundings
    _: KW_ONLY
    patience_ms: int
    owner_seconds: float
    """How long a table that has lost its owner is waited for."""

    def __post_init__(self) -> None:
        self.kind, self.public_kind = self._kinds.kind, self._kinds.public_kind
        self.public_kinds = self._kinds.public_kinds
        self._tables: dict[int, KnownTable] = {}
        self._before: dict[int, KnownTable] = {}
        """Those that are to be found again: people here were told of them as they are."""
        self._handed: dict[int, int] = {}
        """Those that were handed over to this node in peace: until when their timers wait."""
        self._waiting = Waiting()
        self._background = Background()
        self.spawn = self._background.spawn
        self._beats = Beats(self._nodes)
        self.beat_soon = self._beats.schedule
        self._stopped = False
        self.asleep: set[int] = set()
        """Those that rest and were let go: no timer wakes them."""
        self.of_the_house: set[int] = set()
        """The hall's own tables: they rest when nobody is there."""
        store, nodes, clock, seconds = self._store, self._nodes, self._clock, self.owner_seconds
        self.followers = Followers(self._exchange, nodes, self)
        self.written, self.noted = self.followers.written, self.followers.noted
        self.relay = Relay(self._exchange, nodes, store, self, seconds)
        self.finder = Finder(self, store, nodes, clock, self._draw_key, seconds)
        self._openings = Openings(self, store, nodes, clock, self._draw_key, self._waiting)
        self.open, self.lines = self._openings.open, self.finder.lines
        self.waking = Waking(self, store, nodes, clock)

    # Finding

    def loaded(self, table: int) -> KnownTable | None:
        """The table if it is in memory here, owned or followed."""
        return self._tables.get(table)

    def is_loading(self, table: int) -> bool:
        return table in self._waiting

    def is_known(self, table: int) -> bool:
        """Whether it is in memory here, or about to be again."""
        return table in self._tables or table in self._before or table in self._waiting

    def all_loaded(self) -> list[KnownTable]:
        return list(self._tables.values())

    def owned(self, table: int) -> bool:
        """Whether this node decides what happens there."""
        found = self._tables.get(table)
        return found is not None and found.owned

    def put(self, ask: Ask) -> None:
        """Brings a request to its table, which is loaded first if need be."""
        table = self._tables.get(ask.table)
        if table is not None:
            table.put(ask)
        else:
            self._when_loaded(ask.table, lambda found: self._put_or_refuse(found, ask))

    def insist(self, ask: Ask, is_wanted: Callable[[], bool]) -> None:
        """Brings it there again and again while the table is unavailable, for as long as an answer
        is wanted."""

        def answered(answer: Done | HallError) -> None:
            if isinstance(answer, Unavailable):
                self._clock.call_at(self._clock.now_ms() + AGAIN_MS, again)
            else:
                ask.reply(answer)

        def again() -> None:
            if is_wanted():
                self.insist(ask, is_wanted)
            else:
                ask.reply(Unavailable())

        self.put(Ask(ask.table, ask.player, ask.command, answered))

    def _put_or_refuse(self, found: KnownTable | HallError, ask: Ask) -> None:
        if isinstance(found, KnownTable):
            found.put(ask)
        elif isinstance(found, NoSuchTable) and ask.request is not None:
            self.spawn(self._refuse_forgotten(ask))
        else:
            ask.reply(found)

    async def _refuse_forgotten(self, ask: Ask) -> None:
        """Of a table that is forgotten, nobody knows whether this request was done."""
        try:
            had = await self._store.had_table(ask.table)
        except Unavailable as error:
            ask.reply(error)
        else:
            ask.reply(Forgotten() if had else NoSuchTable())

    async def load(self, table: int, told_to: int | None = None) -> KnownTable:
        """The table, in memory; a closed one is read and not kept. What comes after the row
        `told_to` is told to those here.

        Raises:
            NoSuchTable, NoSuchGame, Unavailable
        """
        found = self._tables.get(table)
        if found is not None:
            return found
        loaded = Awaited[KnownTable]()
        self._when_loaded(table, loaded, told_to)
        return await loaded

    async def caught_up(self, table: KnownTable, seq: int) -> KnownTable:
        """As it stands after that row at least, or after all that is written.

        Raises:
            NoSuchTable, NoSuchGame, Unavailable
        """
        if isinstance(table, Replica):
            await self.relay.read_on(table)
            table = await self.load(table.id)  # It may be another owner's by now.
        if seq > table.head:
            heads = await self._store.heads([table.id])
            if any(head.head > table.head for head in heads):
                raise Unavailable  # What became of a write is not known here yet.
        return table

    def _when_loaded(self, id: int, callback: Arrived, told_to: int | None = None) -> None:
        if id not in self._waiting:
            self._waiting.begin(id)
            self.spawn(self._load(id, told_to))
        self._waiting.add(id, callback)

    async def _load(self, id: int, told_to: int | None) -> None:
        answer: KnownTable | HallError
        try:
            if self._stopped:
                raise Unavailable
            answer = await self.finder.find(id, self._before.get(id), told_to)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            answer = as_refusal(error, "table_does_not_load", table=id)
        if isinstance(answer, Refused) and id in self._before:
            # Of a game or a release that is not here: looking again would not change that.
            self.surroundings.let_go(self._before.pop(id))
        self._handed.pop(id, None)
        self._waiting.end(id, answer)

    def arrived(self, table: KnownTable, missed: list[Line]) -> None:
        """A table is in memory; of some rows people here have not heard."""
        self._before.pop(table.id, None)
        self.asleep.discard(table.id)
        if table.closed and not missed:
            # Nothing happens there any more: it is given to those who ask, and not kept.
            if isinstance(table, Replica):
                self.relay.unfollow(table.id, table.node)
            return
        self._tables[table.id] = table
        if isinstance(table, Table):
            back_ms = table.alarm.now_ms() + self.patience_ms
            table.alarm.patience_ms = self._handed.get(table.id, back_ms)
        self.surroundings.loaded(table)
        if missed:
            try:
                told = table.take(missed)
            except BaseException:
                self._drop(table)  # The game's fault: what is here is not the table.
                raise
            self.relay.answer_by_rows(table, missed)
            self.publish(table, told)
        if isinstance(table, Table) and not table.gone:
            table.arm()

    def opened(self, table: Table) -> None:
        """A table is open, and nobody was told of it yet."""
        self._tables[table.id] = table

    # What tables need of the node that owns them (beat.Owner)

    def publish(self, table: KnownTable, told: Told) -> None:
        if self._tables.get(table.id) is not table:
            return  # It is found again, and what it lacks is told then.
        try:
            self.surroundings.told(told)
        finally:
            if told.status == "closed":
                self._drop(table)
                self.followers.forget(table.id)
                self.of_the_house.discard(table.id)

    def needs(self, table: Table) -> bool:
        return self.surroundings.has_people(table.id) or self.is_new(table)

    def is_new(self, table: KnownTable) -> bool:
        """Whether this node owns it for so short a time that others may not have told yet who
        watches there."""
        if self._nodes.alone or not isinstance(table, Table):
            return False
        return asyncio.get_running_loop().time() - table.owned_since < NEW_SECONDS

    def rests(self, table: Table) -> bool:
        return table.id in self.of_the_house

    def stepped_down(self, table: Table, asks: list[Ask], existing: int | None) -> None:
        self.lose(table)
        for ask in asks:
            if ask.armed_at is not None:
                continue  # The owner has timers of its own.
            if existing is not None:
                ask.reply(Done(existing, 1, None))
            elif ask.remote:
                ask.reply(Conflict())
            elif ask.handed:
                ask.reply(Unavailable())
            else:
                ask.handed = True
                self.put(ask)

    def _drop(self, table: KnownTable) -> None:
        table.retire()
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        if isinstance(table, Replica):
            self.relay.unfollow(table.id, table.node)
            self.surroundings.let_go(table)

    # Owners that change

    def receive(self, table: int, patience_ms: int | None = None) -> None:
        """Its owner has made it this node's, in peace: it goes on from the replica that is here."""
        if patience_ms is not None:
            self._handed[table] = patience_ms
        found = self._tables.get(table)
        if isinstance(found, Replica):
            self.lose(found, is_needed=True)
        elif found is not None:
            self._handed.pop(table, None)  # It was found out before the message came.
        else:
            self._when_loaded(table, lambda _: None)

    def lose(self, table: KnownTable, *, is_needed: bool = False) -> None:
        """It is another's from now on; if someone here needs it, it is found again."""
        table.retire()
        if self._tables.get(table.id) is not table:
            return
        del self._tables[table.id]
        self.followers.forget(table.id)
        if is_needed or self.surroundings.is_needed(table.id):
            self._before[table.id] = table
            if not self._stopped:
                self._when_loaded(table.id, lambda _: None)
        else:
            self.surroundings.let_go(table)

    def lapse(self) -> None:
        """This node's lease has run out: it owns nothing any more."""
        for table in self._owned():
            # The next owner's rows may come here before it is known that these were written.
            for ask in table.being_written:
                self.relay.keep(ask, table.state.opened.round)
            try:
                table.lapse()
            except Exception:
                # A door's fault, say: no other table may be kept for that.
                log.exception("lapse_failed", table=table.id)
        # Those that nobody takes over are this node's again when it has a lease, with their timers.
        self.waking.wake_at(self._clock.now_ms() + LAPSED_MS)

    async def keep_up(self) -> None:
        """With other nodes: finds again what was lost, and takes over what is nobody's."""
        # Apart, since people wait for what was lost here, and there may be much to take over.
        async with asyncio.TaskGroup() as both:
            both.create_task(self._find_again())
            both.create_task(self.waking.keep_adopting())

    async def _find_again(self) -> None:
        while True:
            for table in list(self._before):
                if not self.surroundings.is_needed(table):
                    self.surroundings.let_go(self._before.pop(table))
                elif table not in self._waiting:
                    self._when_loaded(table, lambda _: None)
            await asyncio.sleep(FIND_SECONDS)

    # Letting go

    def evict(self, keep: Callable[[KnownTable], bool]) -> None:
        """Lets go of idle tables that nobody needs in memory."""
        followed = []
        for table in self.all_loaded():
            if keep(table):
                continue
            if not isinstance(table, Table):
                self._drop(table)
            elif self.followers.of(table.id):
                followed.append(table.id)
            elif table.may_rest:
                self._let_go(table)
        self.followers.ask_again(followed)

    def _let_go(self, table: Table) -> None:
        due_ms = table.alarm.due_ms
        self._drop(table)
        if table.resting:
            self.asleep.add(table.id)
        elif due_ms is not None and not self._stopped:
            self.waking.wake_at(due_ms)

    async def stop(self) -> None:
        """No timer rings any more; returns when what is being written is, or takes too long."""
        self._stopped = True
        self.waking.stop()
        owned = self._owned()
        for table in owned:
            table.retire()
        until = asyncio.get_running_loop().time() + SETTLE_SECONDS
        while any(table.is_writing for table in owned):
            if asyncio.get_running_loop().time() > until:
                return
            await asyncio.sleep(0.005)

    def _owned(self) -> list[Table]:
        """Those that this node owns, and those that it is about to open."""
        loaded = [table for table in self._tables.values() if isinstance(table, Table)]
        return loaded + list(self._openings.under_way.values())
