"""The tables that this node owns: loaded on demand, woken by their timers, let go when idle."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec
import structlog

import gamehall.store.store as port
from gamehall.bus.bus import Ask, Bus, Done, Told
from gamehall.errors import HallError, Internal, NoSuchGame, NoSuchTable, Refused, Unavailable
from gamehall.games import house
from gamehall.games.game import Game
from gamehall.games.journal import RowCodec
from gamehall.games.rules import TableRules
from gamehall.hall.clock import Alarm, Clock
from gamehall.hall.draws import DrawKey, TableDraws
from gamehall.hall.steps import Kind
from gamehall.hall.table import Table

T = TypeVar("T")
log = structlog.get_logger(__name__)

PAGE = 1000
"""Journal rows read at once while loading."""
WAITING_MAX = 1000
"""Asks that wait for one table to be loaded."""
WAKE_PAGE = 256
"""Timers read from the store at once."""
WAKE_PAUSE_MS = 60_000
"""How often the store is asked whose timer is due, at the least."""


class Tables:
    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        *,
        store: port.Store,
        bus: Bus,
        clock: Clock,
        draw_key: DrawKey,
        rematch_ms: int,
        patience_ms: int,
        options: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._kinds = {
            name: Kind(game, TableRules(game, rematch_ms, options.get(game.name)), RowCodec(game))
            for name, game in games.items()
        }
        self._store = store
        self._bus = bus
        self._clock = clock
        self._draw_key = draw_key
        self._patience_ms = patience_ms
        self._tables: dict[int, Table] = {}
        self._loading: dict[int, list[Callable[[Table | HallError], None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._to_beat: list[Table] = []
        self._wake_alarm: Alarm | None = None
        self._wake_ms = 0
        self._stopped = False
        self._asleep: set[int] = set()
        """Tables that rest and were let go: no timer wakes them."""
        self.standing: set[int] = set()
        """The hall's own tables: they rest when nobody is there."""
        self.on_loaded: Callable[[Table], None] = lambda table: None
        self.has_people: Callable[[int], bool] = lambda table: True

    # Finding

    def kind(self, game: str) -> Kind:
        """Raises NoSuchGame."""
        kind = self._kinds.get(game)
        if kind is None:
            raise NoSuchGame
        return kind

    def public_kind(self, game: str) -> Kind:
        """Of a game that people may open tables of. Raises NoSuchGame."""
        kind = self.kind(game)
        if not kind.game.public:
            raise NoSuchGame
        return kind

    def loaded(self, table: int) -> Table | None:
        """The table if it is in memory here."""
        return self._tables.get(table)

    def all_loaded(self) -> list[Table]:
        return list(self._tables.values())

    def put(self, ask: Ask) -> None:
        """Brings a request to its table, which is loaded first if need be."""
        table = self._tables.get(ask.table)
        if table is not None:
            table.put(ask)
        else:
            self._when_loaded(ask.table, lambda found: _put_or_refuse(found, ask))

    async def load(self, table: int) -> Table:
        """The table, in memory. Raises NoSuchTable or Unavailable."""
        found = self._tables.get(table)
        if found is not None and found.state is not None:
            return found
        answered: asyncio.Future[Table | HallError] = asyncio.get_running_loop().create_future()
        self._when_loaded(table, lambda answer: _settle(answered, answer))
        answer = await answered
        if isinstance(answer, HallError):
            raise answer
        return answer

    def _when_loaded(self, id: int, callback: Callable[[Table | HallError], None]) -> None:
        waiting = self._loading.get(id)
        if waiting is None:
            self._loading[id] = [callback]
            self._spawn(self._load(id))
        elif len(waiting) < WAITING_MAX:
            waiting.append(callback)
        else:
            callback(Unavailable())

    async def _load(self, id: int) -> None:
        answer: Table | HallError
        try:
            answer = await self._read(id)
            self._tables[id] = answer
            self._asleep.discard(id)
            self.on_loaded(answer)
        except HallError as error:
            answer = error
        except Exception:
            log.exception("table_does_not_load", table=id)
            answer = Internal()
        for callback in self._loading.pop(id):
            callback(answer)

    async def _read(self, id: int) -> Table:
        claim = await self._store.claim(id)
        if claim is None:
            raise NoSuchTable
        kind = self.kind(claim.game)
        lines = await self.lines(id, claim.round_seq, claim.head)
        first = kind.codec.decode(lines[0].line)
        opened = next(event for event in first.events if isinstance(event, house.Opened))
        table = self._table(id, kind, claim.epoch, opened.nonce)
        if kind.game.seats(msgspec.convert(opened.options, kind.game.options)).least == 0:
            # The next round did not wait for anyone who had to send a request again.
            span = await self._store.round_span(id, opened.round - 1)
            if span is not None:
                table.recall(await self.lines(id, span.first_seq, span.last_seq))
        table.replay(lines)
        table.alarm.patience_ms = self._clock.now_ms() + self._patience_ms
        table.loaded(claim.hash)
        return table

    async def lines(self, id: int, first_seq: int, last_seq: int) -> list[port.Line]:
        """Rows of a table's journal, the last one included."""
        lines: list[port.Line] = []
        after = first_seq - 1
        while after < last_seq:
            page = await self._store.read(id, after, min(PAGE, last_seq - after))
            if not page:
                raise Unavailable
            lines += page
            after = page[-1].seq
        return lines

    def _table(
        self, id: int, kind: Kind, epoch: int, nonce: str, opening: port.Opening | None = None
    ) -> Table:
        return Table(
            id,
            kind,
            epoch=epoch,
            draws=TableDraws(self._draw_key, id, nonce),
            store=self._store,
            clock=self._clock,
            owner=self,
            opening=opening,
        )

    # Opening

    async def open(
        self,
        game: str,
        options: dict[str, Any],
        *,
        origin: str | None = None,
        request: port.Request | None = None,
        **how: Any,
    ) -> int:
        """The id of a new table, durable; or of the one that this origin has opened before."""
        kind = self.kind(game)
        options = msgspec.to_builtins(kind.rules.read_options(options))
        if origin is not None:
            existing = await self._store.table_by_origin(origin)
            if existing is not None:
                return existing
        id = await self._store.new_table()
        command = house.Open(game, options, secrets.token_hex(16), **how)
        opening = port.Opening(game, command.private, command.rated, origin)
        table = self._table(id, kind, 1, command.nonce, opening)
        answered: asyncio.Future[Done | HallError] = asyncio.get_running_loop().create_future()
        self._tables[id] = table
        table.put(Ask(id, None, command, lambda answer: _settle(answered, answer), request))
        answer = await answered
        if isinstance(answer, HallError):
            self._drop(table)
            raise answer
        return answer.table

    # What tables need of their owner

    def beat_soon(self, table: Table) -> None:
        if not self._to_beat:
            asyncio.get_running_loop().call_soon(self._beat_all)
        self._to_beat.append(table)

    def _beat_all(self) -> None:
        tables, self._to_beat = self._to_beat, []
        for table in tables:
            try:
                table.beat()
            except Exception:
                # A fault of the hall itself at one table is not to stop the others.
                log.exception("beat_failed", table=table.id)

    def publish(self, told: Told) -> None:
        try:
            self._bus.publish(told)
        finally:
            if told.status == "closed" and told.table in self._tables:
                self._drop(self._tables[told.table])
                self.standing.discard(told.table)

    def needs(self, table: Table) -> bool:
        return self.has_people(table.id)

    def at_stake(self, player: int) -> int:
        """The chips that a player has in the pots of running rounds."""
        chips = 0
        for table in self._tables.values():
            state = table.state
            if table.kind.rules.has_money and state is not None and not state.over:
                chips += state.stakes.get(state.seat_of.get(player, -1), 0)
        return chips

    def rests(self, table: Table) -> bool:
        return table.id in self.standing

    def stepped_down(self, table: Table, asks: list[Ask], existing: int | None) -> None:
        self._drop(table)
        for ask in asks:
            if existing is not None:
                ask.reply(Done(existing, 1, None))
            elif ask.handed:
                ask.reply(Unavailable())
            else:
                ask.handed = True
                self._bus.ask(ask)

    def _drop(self, table: Table) -> None:
        table.retire()
        if self._tables.get(table.id) is table:
            del self._tables[table.id]

    # Letting go and waking

    def evict(self, keep: Callable[[Table], bool]) -> None:
        """Lets go of idle tables that nobody needs in memory."""
        for table in list(self._tables.values()):
            if table.idle and table.state is not None and not keep(table):
                due_ms = table.alarm.due_ms
                self._drop(table)
                if table.resting:
                    self._asleep.add(table.id)
                elif due_ms is not None:
                    self._wake_at(due_ms)

    async def wake(self) -> None:
        """Loads the tables whose timers are due, and comes back for the next."""
        now_ms = self._clock.now_ms()
        wake_ms = now_ms + WAKE_PAUSE_MS
        try:
            async for due_ms, table in self._due():
                if table in self._tables or table in self._asleep:
                    continue
                if due_ms > now_ms:
                    wake_ms = min(wake_ms, due_ms)
                    break
                await self._wake(table)
        except Unavailable:
            log.warning("cannot_wake_tables")
            wake_ms = now_ms + 1000
        self._wake_at(wake_ms)

    async def _wake(self, table: int) -> None:
        try:
            await self.load(table)
        except Refused as error:
            # Of a game that is not here any more, or broken: the others are not to wait for it.
            log.warning("cannot_wake_table", table=table, code=error.code)

    async def _due(self) -> AsyncIterator[tuple[int, int]]:
        after = (0, 0)
        while page := await self._store.due(WAKE_PAGE, after):
            for entry in page:
                yield entry
            after = page[-1]

    def _wake_at(self, due_ms: int) -> None:
        if self._stopped or (self._wake_alarm is not None and self._wake_ms <= due_ms):
            return
        if self._wake_alarm is not None:
            self._wake_alarm.cancel()
        self._wake_ms = due_ms
        self._wake_alarm = self._clock.call_at(due_ms, self._wake_now)

    def _wake_now(self) -> None:
        self._wake_alarm = None
        self._spawn(self.wake())

    def stop(self) -> None:
        """No timer rings any more; what is being written is the store's to finish."""
        self._stopped = True
        if self._wake_alarm is not None:
            self._wake_alarm.cancel()
        for table in self._tables.values():
            table.retire()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _put_or_refuse(found: Table | HallError, ask: Ask) -> None:
    if isinstance(found, HallError):
        ask.reply(found)
    else:
        found.put(ask)


def _settle(future: asyncio.Future[T], answer: T) -> None:
    if not future.done():
        future.set_result(answer)
