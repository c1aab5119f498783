"""The store in PostgreSQL: the same port as SQLite's, for halls that outgrow one file.

writer.py says how tables are written and what is answered when the database fails, link.py how
everything else is read and changed beside that, nodes.py who owns which table. Most of the port's
methods are functions of the modules named as its parts; this one says how each of them is asked.
While PostgreSQL is away everything is Unavailable; it heals by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Concatenate, ParamSpec, TypeVar

from gamehall.store.appends import Answer, Append
from gamehall.store.audit import Audit
from gamehall.store.nodes import Renewed
from gamehall.store.postgres import facts, journals, ledger, lists, nodes, people
from gamehall.store.postgres.audit import audited
from gamehall.store.postgres.link import Connection, Link, opened
from gamehall.store.postgres.schema import found_version, migrate
from gamehall.store.postgres.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")
_Method = Callable[Concatenate["PostgresStore", P], Coroutine[Any, Any, T]]


def _ask(query: Callable[Concatenate[Link, P], Awaitable[T]]) -> _Method[P, T]:
    """Asks by way of the pool."""

    async def method(store: PostgresStore, /, *args: P.args, **named: P.kwargs) -> T:
        return await query(store._link, *args, **named)

    return method


def _change(change: Callable[Concatenate[Connection, P], Awaitable[T]]) -> _Method[P, T]:
    """Returns what the change does when it is durable."""

    async def method(store: PostgresStore, /, *args: P.args, **named: P.kwargs) -> T:
        return await store._link.change(lambda connection: change(connection, *args, **named))

    return method


class PostgresStore:
    """Raises CannotOpen, a ValueError, from `start` if the database cannot be used; Away if it may
    be used later."""

    def __init__(self, url: str, *, queue_bytes: int = 64 * 2**20) -> None:
        """`queue_bytes`: what may wait to be written; more is answered NotWritten."""
        self._url = url
        self._link = Link(url)
        self._writer = Writer(url, queue_bytes)
        self._leases = nodes.LeaseLine(url)

    async def exists(self) -> bool:
        """Whether a hall lies in the database, before it is started. Raises CannotOpen."""
        async with opened(self._url) as connection:
            return await found_version(connection) > 0

    async def start(self) -> None:
        async with opened(self._url) as connection:
            await migrate(connection)
        await self._link.start()
        self._writer.start()
        self._leases.start()

    async def stop(self) -> None:
        await self._writer.stop()
        await self._leases.stop()
        await self._link.stop()

    async def ping(self) -> None:
        # Written, because a full disk still takes an empty transaction.
        await self._link.change(
            lambda c: c.execute("UPDATE counters SET value = value + 1 WHERE name = 'pings'")
        )

    def append(self, append: Append, done: Callable[[Answer], None]) -> None:
        self._writer.append(append, done)

    async def forget(self, before_ms: int, limit: int) -> int:
        past = await self._past_tables(before_ms, limit)
        for table in past:
            while await self._forget_part(table):
                pass
        return len(past)

    async def renew(self, node: str, lease_ms: int) -> Renewed:
        return await self._leases.renew(node, lease_ms)

    def audit(self) -> AbstractAsyncContextManager[Audit]:
        """Also of a store that has not started. Raises CannotOpen on entering."""
        return audited(self._url)

    new_table = _ask(journals.new_table)
    had_table = _ask(journals.had_table)
    read = _ask(journals.read)
    read_at = _ask(journals.read_at)
    used_ids = _ask(journals.used_ids)
    request = _ask(journals.request)
    request_between = _ask(journals.request_between)
    round_span = _ask(journals.round_span)
    _past_tables = _ask(journals.past_tables)
    _forget_part = _change(journals.forget_part)

    claim = _ask(nodes.claim)
    release = _change(nodes.release)
    retire = _change(nodes.retire)
    hand_over = _change(nodes.hand_over)
    heads = _ask(nodes.heads)
    due = _ask(nodes.due)
    orphans = _ask(nodes.orphans)
    open_tables = _ask(nodes.open_tables)
    quietest = _ask(nodes.quietest)

    table = _ask(lists.table)
    table_by_origin = _ask(lists.table_by_origin)
    tables = _ask(lists.tables)
    tables_of = _ask(lists.tables_of)
    seats_of = _ask(lists.seats_of)
    history = _ask(lists.history)
    standings = _ask(lists.standings)
    unrated_rounds = _ask(lists.unrated_rounds)
    put_ratings = _change(lists.put_ratings)
    ratings_of = _ask(lists.ratings_of)
    best_rated = _ask(lists.best_rated)

    add_player = _change(people.add_player)
    make_member = _change(people.make_member)
    player = _ask(people.find_player)
    player_named = _ask(people.player_named)
    member = _ask(people.member)
    add_token = _change(people.add_token)
    player_by_token = _ask(people.player_by_token)
    drop_token = _change(people.drop_token)
    balance = _ask(people.balance)
    refill = _change(ledger.refill)
    statement = _ask(ledger.statement)

    fact = _ask(facts.fact)
    put_fact = _change(facts.put_fact)
    facts = _ask(facts.facts)
