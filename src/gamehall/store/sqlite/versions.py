"""The tables of the SQLite file, version by version."""

from __future__ import annotations

from collections.abc import Sequence

# `due_ms` has no index: it changes with every move, and the open tables are few enough to sort.
_VERSION_1 = (
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        head INTEGER NOT NULL,
        hash TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        due_ms INTEGER,
        changed_at_ms INTEGER NOT NULL,
        opened_at_ms INTEGER NOT NULL,
        game TEXT NOT NULL,
        private INTEGER NOT NULL,
        rated INTEGER NOT NULL,
        origin TEXT,
        status TEXT NOT NULL DEFAULT 'waiting',
        round INTEGER NOT NULL DEFAULT 0,
        round_seq INTEGER NOT NULL DEFAULT 1,
        names TEXT NOT NULL DEFAULT '[]',
        count INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE UNIQUE INDEX tables_origin ON tables (origin) WHERE origin IS NOT NULL",
    "CREATE INDEX tables_open ON tables (id) WHERE status <> 'closed'",
    "CREATE INDEX tables_past ON tables (changed_at_ms) WHERE status = 'closed' AND rated = 0",
    """CREATE TABLE journal (
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        line BLOB NOT NULL,
        beat_id INTEGER NOT NULL,
        player INTEGER,
        request TEXT,
        digest BLOB,
        PRIMARY KEY (table_id, seq)
    )""",
    """CREATE TABLE seated (
        table_id INTEGER NOT NULL,
        player INTEGER NOT NULL,
        PRIMARY KEY (table_id, player)
    ) WITHOUT ROWID""",
    "CREATE INDEX seated_player ON seated (player)",
    """CREATE TABLE rounds (
        table_id INTEGER NOT NULL,
        round INTEGER NOT NULL,
        game TEXT NOT NULL,
        private INTEGER NOT NULL,
        rated INTEGER NOT NULL,
        first_seq INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        hash TEXT NOT NULL,
        ended_at_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        results TEXT NOT NULL,
        PRIMARY KEY (table_id, round)
    ) WITHOUT ROWID""",
    "CREATE INDEX rounds_game ON rounds (game, table_id, round) WHERE private = 0",
    """CREATE TABLE played (
        player INTEGER NOT NULL,
        table_id INTEGER NOT NULL,
        round INTEGER NOT NULL,
        PRIMARY KEY (player, table_id, round)
    ) WITHOUT ROWID""",
    "CREATE INDEX played_table ON played (table_id)",
    """CREATE TABLE standings (
        player INTEGER NOT NULL,
        game TEXT NOT NULL,
        played INTEGER NOT NULL,
        won INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        lost INTEGER NOT NULL,
        PRIMARY KEY (player, game)
    ) WITHOUT ROWID""",
    """CREATE TABLE players (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        kind TEXT NOT NULL,
        password_hash TEXT,
        added_at_ms INTEGER NOT NULL
    )""",
    "CREATE UNIQUE INDEX players_owned_name ON players (name_key) WHERE kind <> 'guest'",
    "CREATE INDEX players_name ON players (name_key)",
    """CREATE TABLE tokens (
        digest BLOB PRIMARY KEY,
        player INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX tokens_player ON tokens (player, at_ms)",
    """CREATE TABLE transfers (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        n INTEGER NOT NULL,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        chips INTEGER NOT NULL CHECK (chips > 0),
        at_ms INTEGER NOT NULL,
        UNIQUE (table_id, seq, n)
    )""",
    "CREATE INDEX transfers_source ON transfers (source) WHERE source GLOB 'player:*'",
    "CREATE INDEX transfers_target ON transfers (target) WHERE target GLOB 'player:*'",
    """CREATE TABLE balances (
        player INTEGER PRIMARY KEY,
        chips INTEGER NOT NULL CHECK (chips >= 0)
    )""",
    "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT INTO counters VALUES ('tables', 0), ('pings', 0)",
)

# Links in place of two indexes by player: store/people.py says why. The indexes serve for the last
# time here, to find each player's transfer before.
_VERSION_2 = (
    "ALTER TABLE rounds ADD COLUMN voided INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE transfers ADD COLUMN source_before INTEGER",
    "ALTER TABLE transfers ADD COLUMN target_before INTEGER",
    "ALTER TABLE balances ADD COLUMN last INTEGER",
    *(
        f"""UPDATE transfers SET {side}_before = nullif(max(
            coalesce((SELECT max(id) FROM transfers AS other WHERE other.source = transfers.{side}
                AND other.source GLOB 'player:*' AND other.id < transfers.id), 0),
            coalesce((SELECT max(id) FROM transfers AS other WHERE other.target = transfers.{side}
                AND other.target GLOB 'player:*' AND other.id < transfers.id), 0)), 0)
        WHERE {side} GLOB 'player:*'"""
        for side in ("source", "target")
    ),
    """UPDATE balances SET last = nullif(max(
        coalesce((SELECT max(id) FROM transfers
            WHERE source = 'player:' || player AND source GLOB 'player:*'), 0),
        coalesce((SELECT max(id) FROM transfers
            WHERE target = 'player:' || player AND target GLOB 'player:*'), 0)), 0)""",
    "DROP INDEX transfers_source",
    "DROP INDEX transfers_target",
)

_VERSION_3 = (
    "CREATE TABLE facts (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    # By its own id, since rounds are ordered by table and not by when they ended.
    """CREATE TABLE rated_rounds (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        table_id INTEGER NOT NULL,
        round INTEGER NOT NULL
    )""",
    """INSERT INTO rated_rounds (table_id, round)
        SELECT table_id, round FROM rounds WHERE rated = 1 AND voided = 0
        ORDER BY ended_at_ms, table_id, round""",
    """CREATE TABLE ratings (
        player INTEGER NOT NULL,
        game TEXT NOT NULL,
        bot INTEGER NOT NULL,
        mu REAL NOT NULL,
        sigma REAL NOT NULL,
        rounds INTEGER NOT NULL,
        PRIMARY KEY (player, game)
    ) WITHOUT ROWID""",
    "CREATE INDEX ratings_best ON ratings (game, bot, mu - 3 * sigma)",
    "INSERT INTO counters VALUES ('rated', 0)",
)

# Requests of rounds before the running one, by their ids: `requests` has what lies in a table's
# journal before its `indexed_seq`. It is written when a round is over, all of it at once: an index
# of the journal would cost each move nearly as much again, and a running round is in memory. Ids
# that count in one round are not in it: bets come by the thousand, and are found by their round. In
# Sic Bo all ids counted so before this version.
_VERSION_4 = (
    "ALTER TABLE journal ADD COLUMN by_round INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tables ADD COLUMN indexed_seq INTEGER NOT NULL DEFAULT 1",
    """CREATE TABLE requests (
        table_id INTEGER NOT NULL,
        player INTEGER NOT NULL,
        request TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (table_id, player, request, seq)
    ) WITHOUT ROWID""",
    """INSERT INTO requests SELECT table_id, player, request, seq
        FROM tables CROSS JOIN journal ON table_id = id AND seq < round_seq
        WHERE round_seq > 1 AND game <> 'sicbo' AND request IS NOT NULL""",
    "UPDATE tables SET indexed_seq = round_seq",
)

# The journal is a log: rows go to the end of `lines` as they are committed, and are never moved.
# `places` finds them by table and number; it has those up to the counter `placed`, and gets the
# others in sorted batches (folding.py). With an index on the rows themselves, 100 moves at 100
# tables changed a page of it each. The rest is read through, which a few thousand rows allow: what
# that looks at comes before the line, which may be long.
_FRESH = "row > (SELECT value FROM counters WHERE name = 'placed')"
_VERSION_5 = (
    """CREATE TABLE lines (
        row INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        beat_id INTEGER NOT NULL,
        player INTEGER,
        request TEXT,
        digest BLOB,
        by_round INTEGER NOT NULL,
        line BLOB NOT NULL
    )""",
    """CREATE TABLE places (
        table_id INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        row INTEGER NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID""",
    """INSERT INTO lines
        SELECT rowid, table_id, seq, beat_id, player, request, digest, by_round, line
        FROM journal ORDER BY rowid""",
    "INSERT INTO places SELECT table_id, seq, rowid FROM journal ORDER BY table_id, seq",
    "DROP TABLE journal",
    "INSERT INTO counters SELECT 'placed', coalesce(max(row), 0) FROM lines",
    f"""CREATE VIEW journal AS
        SELECT places.table_id, places.seq, line, beat_id, player, request, digest, by_round
        FROM places CROSS JOIN lines ON lines.row = places.row
        UNION ALL SELECT table_id, seq, line, beat_id, player, request, digest, by_round
        FROM lines WHERE {_FRESH}""",
    f"""CREATE VIEW earlier_requests AS SELECT table_id, player, request, seq FROM requests
        UNION ALL SELECT places.table_id, player, request, places.seq
        FROM tables CROSS JOIN places ON places.table_id = id
            AND places.seq >= indexed_seq AND places.seq < round_seq
        CROSS JOIN lines ON lines.row = places.row
        WHERE request IS NOT NULL AND NOT by_round
        UNION ALL SELECT table_id, player, request, seq
        FROM tables CROSS JOIN lines ON {_FRESH} AND table_id = id
            AND seq >= indexed_seq AND seq < round_seq
        WHERE request IS NOT NULL AND NOT by_round""",
)

MIGRATIONS: tuple[Sequence[str], ...] = (
    _VERSION_1,
    _VERSION_2,
    _VERSION_3,
    _VERSION_4,
    _VERSION_5,
)
"""The statements that lead from each version to the next; what was released is never edited."""
FACTS_VERSION = 3
"""The first with facts."""
