"""The tables in PostgreSQL, and how older databases become current ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamehall.store.store import CannotOpen, check_newest, check_version

if TYPE_CHECKING:
    from gamehall.store.postgres.link import Connection

# No index has a column that changes with every move (head, due_ms, changed_at_ms), and pages keep
# room: so an append changes a table's row in place and writes no index. That is why the time of
# closing has a column of its own. Who owns a table changes rarely enough to be in one.
#
# What clients may have written themselves is kept as bytes (`key_bytes`), since PostgreSQL's text
# takes no character 0. Other keys of text are ordered by their bytes too, as in SQLite.
_VERSION_1 = (
    """CREATE TABLE tables (
        id bigint PRIMARY KEY,
        head bigint NOT NULL,
        hash text NOT NULL,
        epoch bigint NOT NULL,
        due_ms bigint,
        changed_at_ms bigint NOT NULL,
        opened_at_ms bigint NOT NULL,
        closed_at_ms bigint,
        game text NOT NULL,
        private boolean NOT NULL,
        rated boolean NOT NULL,
        origin bytea,
        status text NOT NULL,
        round bigint NOT NULL,
        round_seq bigint NOT NULL,
        names text NOT NULL,
        count bigint NOT NULL
    ) WITH (fillfactor = 70)""",
    "CREATE UNIQUE INDEX tables_origin ON tables (origin) WHERE origin IS NOT NULL",
    "CREATE INDEX tables_open ON tables (id) WHERE status <> 'closed'",
    "CREATE INDEX tables_past ON tables (closed_at_ms) WHERE closed_at_ms IS NOT NULL"
    " AND NOT rated",
    """CREATE TABLE journal (
        table_id bigint NOT NULL,
        seq bigint NOT NULL,
        line bytea NOT NULL,
        beat_id bigint NOT NULL,
        player bigint,
        request bytea,
        digest bytea,
        PRIMARY KEY (table_id, seq)
    )""",
    """CREATE TABLE seated (
        table_id bigint NOT NULL,
        player bigint NOT NULL,
        PRIMARY KEY (table_id, player)
    )""",
    "CREATE INDEX seated_player ON seated (player, table_id)",
    """CREATE TABLE rounds (
        table_id bigint NOT NULL,
        round bigint NOT NULL,
        game text NOT NULL,
        private boolean NOT NULL,
        rated boolean NOT NULL,
        first_seq bigint NOT NULL,
        last_seq bigint NOT NULL,
        hash text NOT NULL,
        ended_at_ms bigint NOT NULL,
        reason text NOT NULL,
        results text NOT NULL,
        voided boolean NOT NULL,
        PRIMARY KEY (table_id, round)
    )""",
    "CREATE INDEX rounds_game ON rounds (game, table_id, round) WHERE NOT private",
    """CREATE TABLE played (
        player bigint NOT NULL,
        table_id bigint NOT NULL,
        round bigint NOT NULL,
        PRIMARY KEY (player, table_id, round)
    )""",
    "CREATE INDEX played_table ON played (table_id)",
    """CREATE TABLE standings (
        player bigint NOT NULL,
        game text COLLATE "C" NOT NULL,
        played bigint NOT NULL,
        won bigint NOT NULL,
        drawn bigint NOT NULL,
        lost bigint NOT NULL,
        PRIMARY KEY (player, game)
    )""",
    """CREATE TABLE players (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        name_key bytea NOT NULL,
        kind text NOT NULL,
        password_hash text,
        added_at_ms bigint NOT NULL
    )""",
    "CREATE UNIQUE INDEX players_owned_name ON players (name_key) WHERE kind <> 'guest'",
    "CREATE INDEX players_name ON players (name_key, id)",
    """CREATE TABLE tokens (
        digest bytea PRIMARY KEY,
        player bigint NOT NULL,
        at_ms bigint NOT NULL
    )""",
    "CREATE INDEX tokens_player ON tokens (player, at_ms)",
    """CREATE TABLE transfers (
        id bigint PRIMARY KEY,
        table_id bigint NOT NULL,
        seq bigint NOT NULL,
        n bigint NOT NULL,
        source text COLLATE "C" NOT NULL,
        target text COLLATE "C" NOT NULL,
        chips bigint NOT NULL CHECK (chips > 0),
        at_ms bigint NOT NULL,
        source_before bigint,
        target_before bigint,
        UNIQUE (table_id, seq, n)
    )""",
    """CREATE TABLE balances (
        player bigint PRIMARY KEY,
        chips bigint NOT NULL CHECK (chips >= 0),
        last bigint
    ) WITH (fillfactor = 70)""",
    "CREATE TABLE facts (key bytea PRIMARY KEY, value bytea NOT NULL)",
    """CREATE TABLE rated_rounds (
        id bigint PRIMARY KEY,
        table_id bigint NOT NULL,
        round bigint NOT NULL
    )""",
    """CREATE TABLE ratings (
        player bigint NOT NULL,
        game text COLLATE "C" NOT NULL,
        bot boolean NOT NULL,
        mu double precision NOT NULL,
        sigma double precision NOT NULL,
        rounds bigint NOT NULL,
        PRIMARY KEY (player, game)
    )""",
    "CREATE INDEX ratings_best ON ratings (game, bot, (mu - 3 * sigma))",
    "CREATE SEQUENCE table_ids MAXVALUE 2147483647",
    # One value at a time: so the next transaction that locks a player's balance takes later numbers
    # than the last one did.
    "CREATE SEQUENCE transfer_ids CACHE 1",
    "CREATE TABLE counters (name text PRIMARY KEY, value bigint NOT NULL)",
    "INSERT INTO counters VALUES ('pings', 0), ('rated', 0), ('rated_rounds', 0)",
)

# Who owns which table, and until when. A table whose owner has no lease that runs is nobody's, so
# nothing has to be written to the tables of a node that is gone.
_VERSION_2 = (
    'ALTER TABLE tables ADD COLUMN owner text COLLATE "C"',
    "CREATE INDEX tables_owner ON tables (owner) WHERE status <> 'closed'",
    'CREATE TABLE nodes (name text COLLATE "C" PRIMARY KEY, expires_at timestamptz NOT NULL)',
)

# Requests of rounds before the running one, by their ids, as in SQLite. What a node of an older
# release has written since, which leaves `indexed_seq` behind, is read from the journal.
_VERSION_3 = (
    "ALTER TABLE journal ADD COLUMN by_round boolean NOT NULL DEFAULT false",
    "ALTER TABLE tables ADD COLUMN indexed_seq bigint NOT NULL DEFAULT 1",
    """CREATE TABLE requests (
        table_id bigint NOT NULL,
        player bigint NOT NULL,
        request bytea NOT NULL,
        seq bigint NOT NULL,
        PRIMARY KEY (table_id, player, request, seq)
    )""",
    """INSERT INTO requests SELECT table_id, player, request, seq
        FROM tables JOIN journal ON table_id = id AND seq < round_seq
        WHERE round_seq > 1 AND game <> 'sicbo' AND request IS NOT NULL""",
    "UPDATE tables SET indexed_seq = round_seq",
    """CREATE VIEW earlier_requests AS SELECT table_id, player, request, seq FROM requests
        UNION ALL SELECT table_id, player, request, seq
        FROM tables JOIN journal ON table_id = id AND seq >= indexed_seq AND seq < round_seq
        WHERE request IS NOT NULL AND NOT by_round""",
)

MIGRATIONS: tuple[Sequence[str], ...] = (_VERSION_1, _VERSION_2, _VERSION_3)
"""The statements that lead from each version to the next; what was released is never edited."""

_VERSION_TABLE = "gamehall_version"
_STARTING_LOCK = 0x47_48_41_4C
"""Of several nodes that start at once, one brings the database up to date."""


async def check_current(connection: Connection) -> None:
    """Raises CannotOpen unless the database is ours, and of the newest version."""
    version = await found_version(connection)
    if version == 0:
        raise CannotOpen("There is no hall in this database. Name another one.")
    check_newest("The database", version, len(MIGRATIONS))


async def migrate(connection: Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Brings the database to the newest version, all of it in one transaction."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _STARTING_LOCK)
        version = await found_version(connection, len(migrations))
        if version == 0:
            await connection.execute(f"CREATE TABLE {_VERSION_TABLE} (version bigint NOT NULL)")
            await connection.execute(f"INSERT INTO {_VERSION_TABLE} VALUES (0)")
        for statements in migrations[version:]:
            await connection.execute(";".join(statements))
        await connection.execute(f"UPDATE {_VERSION_TABLE} SET version = $1", len(migrations))


async def found_version(connection: Connection, newest: int = len(MIGRATIONS)) -> int:
    """0 for an empty database. Raises CannotOpen for one that cannot be the hall's."""
    encoding = await connection.fetchval("SELECT current_setting('server_encoding')")
    if encoding != "UTF8":
        raise CannotOpen(
            f"The database's encoding is {encoding}. Name one that was created with UTF8."
        )
    if await connection.fetchval("SELECT to_regclass($1)", _VERSION_TABLE) is None:
        if await connection.fetchval(
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        ):
            raise CannotOpen("The database holds the data of another program. Name an empty one.")
        return 0
    version = int(await connection.fetchval(f"SELECT version FROM {_VERSION_TABLE}"))
    check_version("The database", "database", version, newest)
    return version
