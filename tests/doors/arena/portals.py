"""Halls that are portals: in this process, where tests can shorten times, or as real processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from gamehall.config import Settings, load
from gamehall.hall.arena.as_portal.portal import Portal
from gamehall.server import Server, start_server
from tests.doors.arena.game_server import Created, GameServer, Transport
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

DOORS: dict[Transport, str] = {"ws": "arena", "tcp": "arena-tcp"}
SHORT_SECONDS = 0.3
LONG_SECONDS = 600.0


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.01)


class Api:
    """The HTTP side of a portal."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.web_url = ""
        self.texts: list[str] = []
        """Every body that a GET has answered."""

    @property
    def token(self) -> str:
        return (self.data / "operator-token").read_text().strip()

    async def ask(
        self, path: str, method: str = "GET", *, token: str | None = None, **how: Any
    ) -> tuple[int, Any]:
        """Status and body."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            ClientSession() as session,
            session.request(method, f"{self.web_url}{path}", headers=headers, **how) as answer,
        ):
            if method == "GET":
                self.texts.append(await answer.text())
            return answer.status, await answer.json()

    async def get(self, path: str) -> Any:
        status, body = await self.ask(path)
        assert status == 200, body
        return body

    async def servers(self) -> list[dict[str, Any]]:
        return list((await self.get("/api/arena/servers?limit=200"))["servers"])

    async def server(self, id: int) -> dict[str, Any]:
        (found,) = [server for server in await self.servers() if server["id"] == id]
        return dict(found)

    async def match(self, id: int) -> dict[str, Any]:
        (found,) = (await self.get(f"/api/arena/matches?after={id - 1}&limit=1"))["matches"]
        assert found["id"] == id
        return dict(found)

    async def scores(self) -> dict[int, tuple[int, ...]]:
        """By uid: played, won, drawn, lost, points for and against."""
        found = (await self.get("/api/arena/scores?limit=200"))["scores"]
        names = ("played", "won", "drawn", "lost", "points_for", "points_against")
        return {score["uid"]: tuple(score[name] for name in names) for score in found}

    async def make(self, server: int, uid1: int = 7, uid2: int = 8) -> tuple[int, Any]:
        """Asks for a match as the operator; status and body."""
        body = {"server": server, "uid1": uid1, "uid2": uid2}
        return await self.ask("/api/arena/matches", "POST", token=self.token, json=body)

    async def made(self, server: int, uid1: int = 7, uid2: int = 8) -> Created:
        """A match that the game server has."""
        status, body = await self.make(server, uid1, uid2)
        assert status == 200, body
        return Created(body["matchId"], uid1, uid2, body["keymatch"])

    async def is_so(self, match: int, **fields: Any) -> None:
        """Returns when the match stands so."""
        shown: dict[str, Any] = {}
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not fields.items() <= (shown := await self.match(match)).items():
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"{shown} is not {fields}") from None

    async def is_reachable(self, server: int, reachable: bool = True) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while (await self.server(server))["reachable"] is not reachable:
                await asyncio.sleep(0.02)

    async def id_of(self, server: GameServer) -> int:
        name = server.offer.get("name", "Bingo")
        (found,) = [known for known in await self.servers() if known["name"] == name]
        return int(found["id"])


class PortalHall(Api):
    """A hall in this process. `seconds` are those of its portal; after a restart they hold, and so
    do its ports."""

    def __init__(self, data: Path, *settings: str, **seconds: float) -> None:
        super().__init__(data)
        self._settings: Settings = load(None, {}, settings)
        self._seconds = seconds
        self._servers: list[GameServer] = []
        self.ports: dict[str, int] = {}
        self.hall: Server

    async def start(self) -> None:
        doors = ("arena", "arena-tcp")
        self.hall = await start_server(
            self._settings,
            data=self.data,
            host="127.0.0.1",
            port=self.ports.get("native", 0),
            doors={name: self.ports.get(name, 0) for name in doors},
        )
        for name, address in self.hall.doors:
            self.ports[name] = int(address.rpartition(":")[2])
        self.web_url = f"http://127.0.0.1:{self.ports['native']}"
        for name, value in self._seconds.items():
            assert hasattr(self.portal, name)
            setattr(self.portal, name, value)

    @property
    def portal(self) -> Portal:
        return self.hall.hall.portal

    async def stop(self) -> None:
        for server in self._servers:
            await server.leave()
        await self.hall.stop(0)

    async def restart(self) -> None:
        await self.hall.stop(0)
        await self.start()

    def game_server(self, transport: Transport, **offer: Any) -> GameServer:
        """One that has not come yet."""
        server = GameServer(transport, self.ports[DOORS[transport]], **offer)
        self._servers.append(server)
        return server

    async def registered(self, transport: Transport, **offer: Any) -> tuple[GameServer, int]:
        """One that has registered, and its id."""
        server = await self.game_server(transport, **offer).come()
        return server, await self.id_of(server)


class PortalProcess(Api):
    """A hall as a process of its own, which can be killed."""

    def __init__(self, hall: HallProcess) -> None:
        super().__init__(hall.data)
        self.hall = hall
        self.web_url = hall.web_url

    async def kill(self) -> None:
        await asyncio.to_thread(self.hall.kill)

    async def restart(self) -> None:
        await asyncio.to_thread(self.hall.restart)

    def game_server(self, transport: Transport, **offer: Any) -> GameServer:
        return GameServer(transport, self.hall.ports[DOORS[transport]], **offer)
