"""Halls with the `practice` door, and whoever visits them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.doors.native.clients import Client, Door
from tests.doors.practice import shapes
from tests.doors.practice.clients import Practice
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

DOORS = ("native-tcp", "practice")
NIM = Path(__file__).parents[3] / "examples" / "nim.py"
QUICK = (
    "bingo.pause_seconds=0.005",
    "bingo.ready_seconds=3600",
    "sicbo.betting_seconds=3600",
)
"""Bingo calls as fast as everyone is ready, and Sic Bo takes bets for as long as a test runs."""
PATIENT = ("practice.begin_ms=0", "table.drop_seconds=60")
"""Clients here need no time to build a game, and come back in their own."""
_numbers = count(1)


@contextmanager
def open_hall(data: Path, *settings: str) -> Iterator[HallProcess]:
    more = (f"--game={NIM}",)
    with HallProcess(data, settings=(*PATIENT, *settings), doors=DOORS, more=more) as hall:
        yield hall


def new_name(name: str) -> str:
    """One that nobody has had."""
    return f"{name} {next(_numbers)}"


def new_id() -> str:
    """One that nobody has had, and that is found nowhere by chance."""
    return f"an id of a client's own, {next(_numbers):08}"


class Visitors:
    """Clients of both doors, for one test. At the end they leave, the hall's log is read, and
    everything that anyone was told is searched for the ids of others."""

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self._practices: list[Practice] = []
        self._natives: list[Client] = []
        self._log_start = len(hall.stderr)

    @property
    def port(self) -> int:
        return self.hall.ports["practice"]

    async def stranger(self, **how: Any) -> Practice:
        """Connected, and nobody yet."""
        client = await Practice.connect(self.port, **how)
        self._practices.append(client)
        return client

    async def player(self, name: str = "player", id: Any = "", **how: Any) -> Practice:
        """Someone who has just come, with a name that begins with this one."""
        client = await self.stranger(**how)
        name = new_name(name)
        client.log_in(name, id)
        await client.take(shapes.LOGGED_IN, name=name)
        return client

    async def pair(self, **how: Any) -> tuple[Practice, Practice]:
        return await self.player("anna", **how), await self.player("bob", **how)

    async def back(self, player: Practice, **how: Any) -> Practice:
        """The same player on another connection, told who it is."""
        again = await self.stranger(**how)
        again.log_in("another name", player.id)
        await again.take(shapes.LOGGED_IN, name=player.name)
        assert again.id == player.id
        return again

    async def native_stranger(self, door: Door = "tcp") -> Client:
        client = await Client.connect(self.hall, door)
        self._natives.append(client)
        return client

    async def native(self, name: str = "nora", door: Door = "tcp") -> Client:
        return await (await self.native_stranger(door)).hello(new_name(name))

    async def native_again(self, token: str) -> Client:
        """The same native player on another connection."""
        return await (await self.native_stranger()).hello(token=token)

    async def is_closed(self, room: int) -> None:
        """Returns when everyone has left this room, and that is written."""
        nora = await self.native()
        async with asyncio.timeout(WAIT_SECONDS):
            while room in [
                table["id"] for table in (await nora.ask("list_tables", limit=200))["tables"]
            ]:
                await asyncio.sleep(0.02)

    async def leave(self) -> None:
        for player in self._practices:
            assert player.fault is None, player.fault
            if not player.ended:
                player.deaf = False
                player.read_on()
                await (player.close() if player.id is None else player.leave())
        for native in self._natives:
            await native.close()
        self.check_secrets()
        self.check_log()

    def check_secrets(self) -> None:
        """Nobody was told an id of somebody else's, and none is logged."""
        log = "\n".join(self.hall.stderr[self._log_start :])
        # Shorter ones may be found anywhere by chance.
        everyone = set().union(*(player.ids for player in self._practices))
        secrets = {id for id in everyone if isinstance(id, str) and len(id) > 10}
        for secret in secrets:
            assert secret not in log
            for native in self._natives:
                assert secret not in str(native.log)
            for player in self._practices:
                assert secret in player.ids or not any(secret in text for text in player.texts)

    def check_log(self) -> None:
        """No fault of the hall's in what it wrote since these came."""
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
