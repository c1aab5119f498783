"""Everyone whom a test brings to a hall, and what its log may not say of them."""

from __future__ import annotations

from typing import Any

from tests.doors.native.clients import Client, Door
from tests.support.processes import HallProcess


class Visitors:
    """Everyone whom a test brings to a hall. At the end they leave, and its log is read."""

    _names = 0

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self.clients: list[Client] = []
        self._log_start = len(hall.stderr)

    async def connect(self, door: Door = "ws", *, buffer_bytes: int = 0) -> Client:
        client = await Client.connect(self.hall, door, buffer_bytes=buffer_bytes)
        self.clients.append(client)
        return client

    async def guest(self, name: str | None = None, door: Door = "ws", **how: Any) -> Client:
        """Someone who has said hello; without a name given, one that nobody has."""
        if name is None:
            Visitors._names += 1
            name = f"guest {Visitors._names}"
        return await (await self.connect(door, **how)).hello(name)

    async def pair(self, first: Door = "ws", second: Door = "tcp") -> tuple[Client, Client]:
        return await self.guest(door=first), await self.guest(door=second)

    async def back(self, client: Client, door: Door | None = None) -> Client:
        """The same player on another connection, by its token."""
        other = await self.connect(door or client.door)
        return await other.hello(token=client.token)

    async def leave(self) -> None:
        for client in self.clients:
            await client.close()
        left_over = [client.answers for client in self.clients if client.answers]
        assert not left_over, f"answers that nobody asked for or took: {left_over}"
        self.check_log()

    def check_log(self) -> None:
        """No fault of the hall's, and nothing secret, in what it wrote since these came."""
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
        for client in self.clients:
            for secret in client.secrets:
                assert secret not in text
