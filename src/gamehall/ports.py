"""The store and the bus that the settings name, with their servers waited for."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import TypeVar
from urllib.parse import urlsplit

import structlog

from gamehall.bus.bus import Bus
from gamehall.bus.local import LocalBus
from gamehall.config import Settings
from gamehall.data_folder import DataFolder, StartError
from gamehall.errors import Unavailable
from gamehall.first_start import DRAW_KEY_FACT, draw_key_of, refuse_lost_file, refuse_other_key
from gamehall.hall.beat.draws import DrawKey
from gamehall.store.sqlite.store import SqliteStore
from gamehall.store.store import CannotOpen, Store, StoreAway

T = TypeVar("T")
log = structlog.get_logger(__name__)

LOCAL = "local:"
"""The bus of a hall that is one process."""
WAIT_SECONDS = 0.5
"""Before a server that was not there is tried again."""
WAITING_SAID_SECONDS = 10.0
"""How often the log says what is waited for."""


def store_at(settings: Settings, data: Path) -> tuple[str, Store]:
    """Where the store lies that these settings name, for people to read, and the store, not started
    yet. Raises StartError."""
    url = settings.store.url
    if not url.startswith("postgresql:"):
        path = Path(url.removeprefix("sqlite:///")) if url else data / "hall.db"
        return str(path), SqliteStore(path)
    try:
        # Here, because its driver is installed on request only.
        from gamehall.store.postgres.store import PostgresStore
    except ImportError:
        raise StartError(
            "`store.url` names PostgreSQL, whose driver is missing. Install gamehall[cluster]."
        ) from None
    parts = urlsplit(url)
    # Without the user, who may stand there with a password.
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}", PostgresStore(url)


async def open_store(settings: Settings, data: Path, folder: DataFolder) -> tuple[str, Store]:
    """Where the store lies that these settings name, and the store, started. Raises StartError."""
    place, store = store_at(settings, data)
    try:
        # A database server may have a new one beside the key, which nodes have in common.
        if isinstance(store, SqliteStore):
            if await store.exists():
                refuse_other_key(folder, await store.fact_at_rest(DRAW_KEY_FACT))
            else:
                refuse_lost_file(folder, place)
        await when_there(place, store.start)
    except CannotOpen as error:
        raise StartError(str(error)) from None
    return place, store


async def draw_key_at(place: str, folder: DataFolder, store: Store) -> DrawKey:
    """The key of the store there, waited for if its server goes away meanwhile. Raises StartError,
    or Unavailable where there is no server."""
    if isinstance(store, SqliteStore):
        return await draw_key_of(folder, store)
    return await when_there(place, lambda: draw_key_of(folder, store))


def bus_at(settings: Settings, draw_key: DrawKey) -> Bus:
    """How this node reaches others, not started yet. Raises StartError."""
    if settings.bus.url == LOCAL:
        return LocalBus()
    if not settings.store.url.startswith("postgresql:"):
        raise StartError(
            "`bus.url` is for many nodes, which need one database: name PostgreSQL in `store.url`."
        )
    try:
        # Here, because its client is installed on request only.
        from gamehall.bus.redis_bus import RedisBus
    except ImportError:
        raise StartError(
            "`bus.url` names Redis, whose client is missing. Install gamehall[cluster]."
        ) from None
    # Several halls may share one Redis: the nodes of one have the key of all draws in common.
    return RedisBus(settings.bus.url, prefix=f"gamehall:{draw_key.fingerprint.decode()}")


async def when_there(place: str, work: Callable[[], Awaitable[T]]) -> T:
    """What the work gives, once the server there answers: containers start in any order. A server
    that turns us down is not waited for."""
    said_at = -math.inf
    while True:
        try:
            return await work()
        except (StoreAway, Unavailable) as error:
            if monotonic() - said_at > WAITING_SAID_SECONDS:
                said_at = monotonic()
                log.warning("waiting_for_postgresql", at=place, reason=str(error))
        await asyncio.sleep(WAIT_SECONDS)
