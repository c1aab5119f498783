"""Facts by their keys, in PostgreSQL."""

from __future__ import annotations

from gamehall.store.facts import Fact
from gamehall.store.postgres.link import Connection, Link, key_bytes, key_text


async def fact(link: Link, key: str) -> bytes | None:
    found = await link.row("SELECT value FROM facts WHERE key = $1", key_bytes(key))
    return None if found is None else found[0]


async def facts(link: Link, prefix: str, after: str, limit: int) -> list[Fact]:
    found = await link.rows(
        # Text that begins with the prefix lies between it and it with the last of all characters.
        """SELECT key, value FROM facts WHERE key >= $1 AND key < $2 AND key > $3
        ORDER BY key LIMIT $4""",
        key_bytes(prefix),
        key_bytes(prefix + "\U0010ffff"),
        key_bytes(after),
        limit,
    )
    return [Fact(key_text(key), value) for key, value in found]


async def put_fact(connection: Connection, key: str, value: bytes, before: bytes | None) -> bool:
    at = key_bytes(key)
    if before is None:
        done = await connection.execute(
            "INSERT INTO facts VALUES ($1, $2) ON CONFLICT DO NOTHING", at, value
        )
    else:
        done = await connection.execute(
            "UPDATE facts SET value = $2 WHERE key = $1 AND value = $3", at, value, before
        )
    if done.endswith(" 1"):
        return True
    # Sent again, perhaps: then it is as the caller wants it.
    there = await connection.fetchval("SELECT value FROM facts WHERE key = $1", at)
    return bool(there == value)
