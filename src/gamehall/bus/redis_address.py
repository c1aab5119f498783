"""Where Redis is, and connections to it. Whatever is said about it is free of the password."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError

CONNECT_SECONDS = 2.0
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


class RedisAddress:
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
