"""Connections to PostgreSQL: how they are made and ended, and which errors are whose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

import asyncpg
import structlog

from gamehall.store.store import CannotOpen, StoreAway

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

log = structlog.get_logger(__name__)

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"

POOL_SIZE = 8
CONNECT_SECONDS = 3.0
COMMAND_SECONDS = 5.0
ATTEMPTS_MAX = 4
PAUSE_SECONDS = 0.02
"""After the first attempt; four times as long after each other."""
_SETTINGS = {
    "application_name": "gamehall",
    # A connection that was cut off may hold its locks until the server notices.
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_user_timeout": "10s",
    "TimeZone": "UTC",
}

THE_DATABASE: tuple[type[Exception], ...] = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InvalidTransactionStateError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    asyncpg.InternalServerError,
    asyncpg.TransactionRollbackError,
    asyncpg.InvalidCachedStatementError,
)
"""Away, full, failing, read-only, locked, in a deadlock, just migrated: no fault of the caller."""
_REFUSED = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)
"""How a server turns a connection down; it may be set right while the hall runs."""
_ANY: tuple[type[Exception], ...] = (*THE_DATABASE, asyncpg.PostgresError)


class InDoubt(Exception):
    """COMMIT was sent, and no answer came that is definite."""


def key_bytes(text: str) -> bytes:
    """Any text whatever, in the order of its characters."""
    return text.encode("utf-8", "surrogatepass")


def is_the_database(error: Exception) -> bool:
    # A value that cannot be sent is an InterfaceError too, and the fault of the caller.
    return isinstance(error, (*THE_DATABASE, *_REFUSED)) and not isinstance(error, ValueError)


async def connect(url: str) -> asyncpg.Connection[asyncpg.Record]:
    """A connection on which a commit is on the disk when it returns."""
    connection = await asyncpg.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS, server_settings=_SETTINGS
    )
    await _prepare(connection)
    return connection


async def new_pool(url: str) -> asyncpg.Pool[asyncpg.Record]:
    """Such connections, a few to share."""
    return await asyncpg.create_pool(
        url,
        min_size=0,
        max_size=POOL_SIZE,
        init=_prepare,
        reset=_end_transaction,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        server_settings=_SETTINGS,
    )


async def connect_patiently(url: str) -> asyncpg.Connection[asyncpg.Record]:
    """A connection whose statements may take long: to migrate, and to audit.

    Raises StoreAway or CannotOpen if there is nobody to talk to, without the address, which may
    have a password.
    """
    try:
        return await asyncpg.connect(url, timeout=CONNECT_SECONDS)
    except ValueError:
        raise CannotOpen(
            "`store.url` is no address of a database. Write postgresql://USER@HOST/DATABASE."
        ) from None
    except THE_DATABASE as error:
        raise StoreAway(_cannot_be_used(error)) from error
    except asyncpg.PostgresError as error:
        raise CannotOpen(_cannot_be_used(error)) from error


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Such a connection, closed at the end. Raises StoreAway also if it breaks meanwhile."""
    connection = await connect_patiently(url)
    try:
        yield connection
    except THE_DATABASE as error:
        raise StoreAway(_cannot_be_used(error)) from error
    finally:
        await close(connection)


def _cannot_be_used(error: Exception) -> str:
    sentence = str(error).partition("\n")[0].rstrip(".")  # Details and hints follow in lines.
    return f"PostgreSQL cannot be used: {sentence or type(error).__name__}."


async def commit(connection: Connection) -> None:
    """Returns when the transaction is on the disk.

    Raises:
        InDoubt: perhaps it is.
        asyncpg.TransactionRollbackError: it is not, for sure.
    """
    try:
        tag = await connection.execute("COMMIT")
    except asyncpg.TransactionRollbackError:
        raise
    except _ANY as error:
        raise InDoubt(str(error)) from error
    if tag != "COMMIT":
        raise asyncpg.TransactionRollbackError(f"COMMIT was answered with {tag}")


async def rollback(connection: Connection) -> None:
    """Ends a transaction that is not to be committed, with its connection if there is no other
    way."""
    try:
        async with asyncio.timeout(COMMAND_SECONDS):
            await connection.execute("ROLLBACK")
    except _ANY as error:
        log.info("rollback_failed", error=str(error))
        # Of the pool's connections that were lost, nothing is left to be ended.
        with suppress(asyncpg.InterfaceError):
            connection.terminate()


async def close(connection: Connection) -> None:
    """Says good-bye, if there is still anybody to say it to."""
    with suppress(*THE_DATABASE):
        await connection.close(timeout=1)


async def pause(attempt: int) -> None:
    """Waits before the attempt with this number; the first is 0."""
    if attempt:
        await asyncio.sleep(PAUSE_SECONDS * 4 ** (attempt - 1))


async def _prepare(connection: Connection) -> None:
    # Weaker settings of the server would have the hall tell what a power cut undoes.
    await connection.execute(
        """SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'"""
    )


async def _end_transaction(connection: Connection) -> None:
    """In place of resetting all settings, which takes a question each time and changes nothing."""
    if connection.is_in_transaction():
        with suppress(asyncpg.InterfaceError):
            await rollback(connection)
