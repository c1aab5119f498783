"""Halls with called Bingo at a pace that tests can wait for, and whoever visits them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.doors.caller.clients import Caller
from tests.doors.native.clients import Client
from tests.support.processes import HallProcess

DOORS = ("native-tcp", "caller")
QUICK = (
    "bingo.pause_seconds=0.005",
    "bingo.ready_seconds=3600",
    # Who answers every number at this pace is soon over the limit, and READY is not sent again.
    "limits.messages_per_second=0",
)
"""Calls as fast as everyone is ready, and waits for all."""


@contextmanager
def open_hall(data: Path, *settings: str) -> Iterator[HallProcess]:
    with HallProcess(data, settings=settings, doors=DOORS) as hall:
        yield hall


class Visitors:
    """Clients of both doors, for one test."""

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self.port = hall.ports["caller"]
        self._callers: list[Caller] = []
        self._natives: list[Client] = []
        self._log_start = len(hall.stderr)

    async def stranger(self, **how: Any) -> Caller:
        """Connected, and nobody yet."""
        client = await Caller.connect(self.port, **how)
        self._callers.append(client)
        return client

    async def caller(self, name: str, **how: Any) -> Caller:
        client = await Caller.join(self.port, name, **how)
        self._callers.append(client)
        return client

    async def native(self, name: str) -> Client:
        client = await Client.connect(self.hall, "tcp")
        self._natives.append(client)
        await client.ask("hello", name=name)
        return client

    async def native_again(self, token: str) -> Client:
        client = await Client.connect(self.hall, "tcp")
        self._natives = [client]
        await client.ask("hello", token=token)
        return client

    async def table(self, native: Client) -> int:
        """The hall's own, as it is listed."""
        (listed,) = (await native.ask("list_tables", game="bingo"))["tables"]
        table: int = listed["id"]
        return table

    async def sit(self, name: str) -> tuple[Client, int, int]:
        """A native player at the hall's own table, with its number and the seat's."""
        native = await self.native(name)
        table = await self.table(native)
        seat: int = (await native.ask("sit", table=table))["seat"]
        return native, table, seat

    async def leave(self) -> None:
        """Everyone gives up the seat, so that the next test finds an empty table."""
        while self._natives:
            native = self._natives.pop()
            await native.request("leave", {"table": await self.table(native)})
            await native.close()
        while self._callers:
            await self._leave(self._callers.pop())
        self.check_log()

    async def _leave(self, caller: Caller) -> None:
        assert caller.fault is None, caller.fault
        if not caller.ended:
            caller.plays = False
            caller.read_on()
            caller.say("/quit")
            await caller.end()

    def check_log(self) -> None:
        """No fault of the hall's in what it wrote since these came."""
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
