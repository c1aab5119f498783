"""Halls with Sic Bo at a pace that tests can wait for, and whoever visits them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.doors.mario.clients import MarioClient
from tests.doors.native.clients import Client
from tests.doors.rfc.clients import RfcClient, WebSocketClient
from tests.support.processes import HallProcess

BETTING_MS = 2500
"""Time for some bets of one who was told that a round is open, on a busy machine too."""
_BETTING = f"sicbo.betting_seconds={BETTING_MS / 1000}"
FAST = (_BETTING, "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.2")
PATIENT = ("sicbo.betting_seconds=3600",)
"""Betting is open for as long as a test runs."""
ENDED = (_BETTING, "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=3600")
"""After its first round a hall stays in the pause."""
CLOSED = (_BETTING, "sicbo.reveal_seconds=3600")
"""The first round closes, and stays so."""
SLOW = ("sicbo.betting_seconds=5", "sicbo.reveal_seconds=0.5", "sicbo.pause_seconds=0.1")
"""For what takes many messages in one round."""
DOORS = ("native-tcp", "rfc", "mario")


@contextmanager
def open_hall(data: Path, *settings: str) -> Iterator[HallProcess]:
    with HallProcess(data, settings=settings, doors=DOORS) as hall:
        yield hall


class Visitors:
    """Clients of all doors, for one test."""

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self._clients: list[WebSocketClient | Client] = []
        self._log_start = len(hall.stderr)

    async def rfc(self, **how: Any) -> RfcClient:
        client = await RfcClient.visit(self.hall, **how)
        self._clients.append(client)
        return client

    async def mario(self, name: str | None = None, zone: str = "SicboZone") -> MarioClient:
        """With a name, logged in."""
        client = await MarioClient.visit(self.hall)
        self._clients.append(client)
        if name is not None:
            await client.log_in(name, zone=zone)
        return client

    async def native(self, name: str, password: str) -> Client:
        client = await Client.connect(self.hall, "ws")
        self._clients.append(client)
        await client.ask("register", name=name, password=password)
        return client

    async def leave(self) -> None:
        for client in self._clients:
            await client.close()
        self.check_log()

    def check_log(self) -> None:
        """No fault of the hall's in what it wrote since these came."""
        text = "\n".join(self.hall.stderr[self._log_start :])
        assert "Traceback" not in text, text
        assert '"level": "error"' not in text, text
