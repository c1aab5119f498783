"""Messages between nodes through Redis's Pub/Sub.

Each node listens to two channels on one connection, its own and that of all, and publishes on
another connection. What it tells all comes back to it, and shows that both connections work; if it
has nothing to tell for a while, it publishes to its own channel.

Nothing is kept in Redis: it may lose everything, or be exchanged for another. What is on its way
when a connection breaks is lost, and so is what cannot be sent within a second; `back` says when
that is over. What Redis had taken in when it froze is brought when it goes on, unless something
newer of the same sender was faster: it may be late, but is never out of order.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import uniform
from typing import Any

import structlog
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from gamehall.bus.bus import CannotJoin
from gamehall.bus.redis_traffic import Traffic
from gamehall.errors import Unavailable

log = structlog.get_logger(__name__)

SAY_SECONDS, SAY_AGAIN_SECONDS = 1.0, 10.0
"""After which a start that waits for Redis says so, and says so again."""
CONNECT_SECONDS = 2.0
CLOSE_SECONDS = 1.0
PAUSE_SECONDS = 0.05
"""Before connecting again; twice as long each time, up to PAUSE_SECONDS_MAX."""
PAUSE_SECONDS_MAX = 2.0
_REFUSED = (AuthenticationError, NoPermissionError)
"""What waiting does not change."""
_SETTINGS = {
    # Messages are read as answers are; in protocol 3 they would go by another way.
    "protocol": 2,
    "decode_responses": False,
    "socket_connect_timeout": CONNECT_SECONDS,
    # Each use of a connection has its own limit.
    "socket_timeout": None,
    "socket_read_size": 2**17,
    "health_check_interval": 0,
    # Redis before 7.2 does not know what this would say.
    "driver_info": None,
}


class RedisBus:
    """Raises CannotJoin, a ValueError, from `start` if Redis turns this node down."""

    alone = False

    def __init__(self, url: str, *, node: str | None = None, prefix: str = "gamehall") -> None:
        """Two nodes never have the same name, not even one after the other. By name the oldest is
        the first, and leads: so a node that comes takes the lead from none."""
        self.node = node or f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(4)}"
        self._url = url
        self._prefix = prefix
        self.is_up = False
        self._up_at = 0.0
        self._why = "no answer"
        self._task: asyncio.Task[None] | None = None

    async def start(self, receive: Callable[[str, bytes], None], back: Callable[[], None]) -> None:
        try:
            self._address = RedisAddress(self._url)
        except ValueError as error:
            raise CannotJoin(str(error)) from None
        self._loop = asyncio.get_running_loop()
        self._traffic = Traffic(self.node, self._prefix, receive)
        self._back = back
        self._joined: asyncio.Future[None] = self._loop.create_future()
        self._task = asyncio.create_task(self._stay_joined())
        try:
            await self._first_joined()
        except _REFUSED:
            raise CannotJoin(
                f"Redis at {self._address.name} cannot be used: {self._why.rstrip('.')}. "
                "Set `bus.url` right."
            ) from None
        finally:
            if not self.is_up:
                await self.close()

    async def _first_joined(self) -> None:
        pause = SAY_SECONDS
        while not self._joined.done():
            await asyncio.wait([self._joined], timeout=pause)
            if not self._joined.done():
                log.warning("waiting_for_redis", at=self._address.name, reason=self._why)
            pause = SAY_AGAIN_SECONDS
        self._joined.result()

    def send(self, to: str, message: bytes) -> None:
        if to != self.node and self._task is not None:
            self._traffic.post(to, message)

    def tell_all(self, message: bytes) -> None:
        if self._task is not None:
            self._traffic.post(None, message)

    async def ping(self) -> None:
        if self.is_up:
            with suppress(TimeoutError):
                return await self._traffic.echo()
        raise Unavailable("Other nodes cannot be reached right now. Try again in a moment.")

    async def close(self) -> None:
        """What was sent before is on its way, as far as a second allows."""
        if self._task is None:
            return
        if self.is_up:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._traffic.sent()
        self.is_up = False
        task, self._task = self._task, None
        task.cancel()
        await asyncio.wait([task])

    async def _stay_joined(self) -> None:
        pause = PAUSE_SECONDS
        while True:
            try:
                await self._join()
            except Exception as error:  # noqa: BLE001 (judged and logged; none may end it for good)
                if self._task is None:
                    return  # Cancelled at the same moment, which Python 3.11's groups forget.
                was_up_for_seconds = self._loop.time() - self._up_at if self.is_up else 0.0
                self._go_away(error)
                if was_up_for_seconds > PAUSE_SECONDS_MAX:
                    pause = PAUSE_SECONDS
            await asyncio.sleep(uniform(pause / 2, pause))
            pause = min(2 * pause, PAUSE_SECONDS_MAX)
            self._traffic.drop_old()

    async def _join(self) -> None:
        """Ends with an error only, as soon as one of the connections does."""
        async with self._address.connected() as subscriber, self._address.connected() as publisher:
            await self._traffic.subscribe(subscriber)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._traffic.listen(subscriber))
                both.create_task(self._traffic.publish(publisher))
                await self._traffic.echo()
                self._come_back()

    def _come_back(self) -> None:
        self.is_up = True
        self._up_at = self._loop.time()
        if self._joined.done():
            log.info("bus_back", lost=self._traffic.lost())
        else:
            self._joined.set_result(None)
        try:
            self._back()
        except Exception:
            log.exception("bus_listener_failed")

    def _go_away(self, error: Exception) -> None:
        was_up, self.is_up = self.is_up, False
        self._traffic.give_up_echoes()
        first: BaseException = error
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        self._why = self._address.reason(first)
        if not isinstance(first, RedisError | OSError):
            log.error("bus_failed", exc_info=first)
        elif was_up:
            log.warning("bus_away", reason=self._why)
        elif not self._joined.done() and isinstance(first, _REFUSED):
            self._joined.set_exception(first)


class RedisAddress:
    """Where Redis is. Whatever is said about it is free of the password."""

    def __init__(self, url: str) -> None:
        """Raises ValueError, with a sentence for the operator."""
        try:
            settings: dict[str, Any] = {**parse_url(url), **_SETTINGS}
            self._class: type[AbstractConnection] = settings.pop("connection_class", Connection)
            self._settings = settings
            self._class(**settings)
        except (ValueError, TypeError, RedisError):
            # Without what is wrong, which may quote a password.
            raise ValueError(
                "`bus.url` is no address of Redis. Write redis://HOST:PORT, rediss://HOST:PORT or "
                "unix://PATH, with USER:PASSWORD@ before it if Redis wants one."
            ) from None
        self._secret: str = settings.get("password") or ""
        host, port = settings.get("host", "localhost"), settings.get("port", 6379)
        self.name: str = settings.get("path") or f"{host}:{port}"

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Any]:
        """A connection that nobody else uses; afterwards it is gone at once."""
        connection: Any = self._class(**self._settings)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.connect()
            yield connection
        finally:
            if connection._writer is not None:
                # `disconnect` alone would go on sending what nobody waits for any more.
                connection._writer.transport.abort()
            await connection.disconnect(nowait=True)

    def reason(self, error: BaseException) -> str:
        """What went wrong, in words."""
        text = str(error) or ("no answer" if isinstance(error, TimeoutError) else repr(error))
        return text.replace(self._secret, "…") if self._secret else text
