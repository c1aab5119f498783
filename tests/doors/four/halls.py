"""Halls with the `four` door, and whoever visits them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.doors.four.clients import Four
from tests.doors.native.clients import Client, Door
from tests.support.processes import HallProcess

DOORS = ("native-tcp", "four")
PATIENT = "table.drop_seconds=60"
"""Clients come back in their own time."""
_numbers = count(1)


@contextmanager
def open_hall(data: Path, *settings: str, doors: Sequence[str] = DOORS) -> Iterator[HallProcess]:
    with HallProcess(data, settings=(PATIENT, *settings), doors=doors) as hall:
        yield hall


def new_name(name: str) -> str:
    """One that nobody has had: by an old name one might come back to an old game."""
    return f"{name} {next(_numbers)}"


class Visitors:
    """Clients of both doors, for one test. At the end they leave, and the hall's log is read."""

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self._fours: list[Four] = []
        self._natives: list[Client] = []
        self._log_start = len(hall.stderr)

    @property
    def port(self) -> int:
        return self.hall.ports["four"]

    async def stranger(self, **how: Any) -> Four:
        """Connected, and nobody yet."""
        client = await Four.connect(self.port, **how)
        self._fours.append(client)
        return client

    async def four(self, name: str = "four", **how: Any) -> Four:
        """Someone with a name that begins with this one."""
        return await (await self.stranger(**how)).register(new_name(name))

    async def pair(self) -> tuple[Four, Four]:
        return await self.four("anna"), await self.four("bob")

    async def native(self, name: str = "nora", door: Door = "tcp") -> Client:
        client = await Client.connect(self.hall, door)
        self._natives.append(client)
        return await client.hello(new_name(name))

    async def native_again(self, token: str) -> Client:
        """The same native player on another connection."""
        client = await Client.connect(self.hall, "tcp")
        self._natives.append(client)
        return await client.hello(token=token)

    async def leave(self) -> None:
        for native in self._natives:
            await native.close()
        for four in self._fours:
            assert four.fault is None, four.fault
            if not four.ended:
                four.read_on()
                await four.leave()
        self.check_log()

    def check_log(self) -> None:
        """No fault of the hall's in what it wrote since these came."""
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
