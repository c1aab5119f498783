"""Databases of other versions, of other programs, and none at all."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from gamehall.store.appends import Durable, Summary
from gamehall.store.nodes import Claim
from gamehall.store.postgres.link import connect_patiently
from gamehall.store.postgres.schema import MIGRATIONS, migrate
from gamehall.store.postgres.store import PostgresStore
from gamehall.store.store import CannotOpen, StoreAway
from tests.contract.store_builders import answer, append, opened
from tests.store.postgres_server import new_url, peek, server
from tests.store.postgres_stores import started


@pytest.fixture
async def url() -> str:
    return await new_url()


async def version(url: str) -> int:
    return int((await peek(url, "SELECT version FROM gamehall_version"))[0][0])


async def test_several_nodes_that_start_at_once(url: str) -> None:
    stores = [PostgresStore(url) for _ in range(5)]
    await asyncio.gather(*(store.start() for store in stores))
    assert await version(url) == len(MIGRATIONS)
    for store in stores:
        await store.ping()
        await store.stop()
    assert await peek(url, "SELECT value FROM counters WHERE name = 'pings'") == [(5,)]


async def test_an_older_database_becomes_a_current_one_and_keeps_what_it_holds(url: str) -> None:
    async with started(url) as store:
        table = await opened(store)
    connection = await asyncpg.connect(url)
    later = (*MIGRATIONS, ["ALTER TABLE tables ADD COLUMN mood text DEFAULT 'calm'"], ["SELECT 1"])
    for _ in range(2):
        await migrate(connection, later)
        assert await version(url) == len(MIGRATIONS) + 2
    await connection.close()
    assert await peek(url, "SELECT id, mood FROM tables") == [(table, "calm")]


async def test_tables_from_before_there_were_owners_are_nobodys(url: str) -> None:
    connection = await asyncpg.connect(url)
    await migrate(connection, MIGRATIONS[:1])
    await connection.close()
    await peek(
        url,
        """INSERT INTO tables (id, head, hash, epoch, changed_at_ms, opened_at_ms, game, private,
            rated, status, round, round_seq, names, count)
        VALUES (7, 3, 'abc', 5, 0, 0, 'bingo', false, false, 'playing', 1, 2, '[]', 0)""",
    )
    async with started(url) as store:
        assert await version(url) == len(MIGRATIONS)
        assert await store.orphans(0, 1, 10) == [7]
        assert await store.claim(7, "one") == Claim(6, 3, 2, "abc", "bingo")


async def test_requests_of_earlier_rounds_of_an_older_database_are_found(url: str) -> None:
    connection = await asyncpg.connect(url)
    await migrate(connection, MIGRATIONS[:2])
    await connection.close()
    await peek(
        url,
        """INSERT INTO tables (id, head, hash, epoch, changed_at_ms, opened_at_ms, game, private,
            rated, status, round, round_seq, names, count)
        SELECT id, 4, 'abc', 1, 0, 0, game, false, false, 'playing', 1, round_seq, '[]', 0
        FROM (VALUES (1, 'bingo', 4), (2, 'bingo', 1), (3, 'sicbo', 4)) AS t (id, game, round_seq)
        """,
    )
    older = """INSERT INTO journal SELECT id, seq, '{}', 1, player, request::bytea, '' FROM
        (VALUES (1), (2), (3)) AS t (id),
        (VALUES (1, NULL, NULL), (2, 7, 'a'), (3, 7, 'a'), (4, 7, 'b')) AS j (seq, player, request)
        """
    await peek(url, older)
    async with started(url) as store:
        assert await store.used_ids(1, 7, 10) == ["a"]
        found = await store.request(1, 7, "a")
        assert found is not None
        assert found.seq == 3
        # The running round is in memory, and a bet's id counted in its round.
        assert await store.used_ids(2, 7, 10) == await store.used_ids(3, 7, 10) == []
        # A node of the older release goes on, and opens the next round.
        await peek(url, "INSERT INTO journal VALUES (1, 5, '{}', 2, NULL, NULL, NULL)")
        await peek(url, "UPDATE tables SET head = 5, round_seq = 5 WHERE id = 1")
        assert sorted(await store.used_ids(1, 7, 10)) == ["a", "b"]
        found = await store.request(1, 7, "b")
        assert found is not None
        assert found.seq == 4
        after = append(1, 5, summary=Summary("playing", 3, 6, (), 0))
        assert await answer(store, after) == Durable()
        assert sorted(await store.used_ids(1, 7, 10)) == ["a", "b"]
        assert await peek(url, "SELECT count(*) FROM requests WHERE table_id = 1") == [(3,)]


async def test_a_migration_that_fails_changes_nothing(url: str) -> None:
    async with started(url):
        pass
    connection = await asyncpg.connect(url)
    broken = (*MIGRATIONS, ["ALTER TABLE tables ADD COLUMN mood text", "NONSENSE"])
    with pytest.raises(asyncpg.PostgresSyntaxError):
        await migrate(connection, broken)
    await connection.close()
    assert await version(url) == len(MIGRATIONS)
    assert (
        await peek(
            url,
            """SELECT 1 FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'mood'""",
        )
        == []
    )


async def test_a_newer_database_is_refused(url: str) -> None:
    async with started(url):
        pass
    await peek(url, "UPDATE gamehall_version SET version = 999")
    for refused in (PostgresStore(url).start(), PostgresStore(url).exists()):
        with pytest.raises(CannotOpen, match="newer Gamehall: its version is 999"):
            await refused


async def test_the_database_of_another_program_is_refused_and_left_alone(url: str) -> None:
    await peek(url, "CREATE TABLE bookmarks (url text)")
    with pytest.raises(CannotOpen, match="another program"):
        await PostgresStore(url).start()
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    assert await peek(url, tables) == [("bookmarks",)]


async def test_an_audit_needs_a_hall(url: str) -> None:
    with pytest.raises(CannotOpen, match="no hall in this database"):
        async with PostgresStore(url).audit():
            pass


async def test_an_encoding_that_cannot_hold_every_name() -> None:
    await peek(
        server().url("postgres"),
        "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
    )
    with pytest.raises(CannotOpen, match="encoding is LATIN1"):
        await PostgresStore(server().url("latin")).start()


@pytest.mark.parametrize(
    ("url", "why", "may_come"),
    [
        ("postgresql://hall:hunter2@127.0.0.1:1/hall", "cannot be used", True),
        ("postgresql://hall:hunter2@nowhere.invalid/hall", "cannot be used", True),
        ("postgresql://hall:hunter2@127.0.0.1:x/hall", "no address of a database", False),
        ("postgresql://hall:hunter2@{address}/nowhere", "does not exist", False),
        ("postgresql://nobody:hunter2@{address}/postgres", "does not exist", False),
    ],
)
async def test_where_no_database_is(url: str, why: str, may_come: bool) -> None:
    with pytest.raises(CannotOpen, match=why) as raised:
        await PostgresStore(url.format(address=f"127.0.0.1:{server().port}")).start()
    assert isinstance(raised.value, StoreAway) == may_come
    assert "hunter2" not in str(raised.value)


async def test_why_it_cannot_be_used_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def recovering(*_: object, **__: object) -> None:
        error = asyncpg.CannotConnectNowError(
            "the database system is not yet accepting connections"
        )
        error.detail = "Consistent recovery state has not been yet reached."
        assert "\n" in str(error)
        raise error

    monkeypatch.setattr(asyncpg, "connect", recovering)
    with pytest.raises(StoreAway) as raised:
        await connect_patiently("postgresql://hall@127.0.0.1:1/hall")
    told = "PostgreSQL cannot be used: the database system is not yet accepting connections."
    assert str(raised.value) == told
