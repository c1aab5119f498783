"""Nodes that are started before the servers that they need: they wait, say so, and can be stopped.
One whose servers turn it down says why and ends."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.bus.redis_server import RedisServer
from tests.store import postgres_server
from tests.store.cutting_proxy import CuttingProxy, Side
from tests.store.postgres_server import new_url, peek
from tests.support.processes import Process, own_port

SECRET = "hunter2"
LIVE = "SELECT name FROM nodes"


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """One that has not been started."""
    server = RedisServer("--requirepass", SECRET)
    yield server
    server.remove()


@pytest.fixture
def postgres() -> Iterator[postgres_server.PostgresServer]:
    """The one of all tests, which runs again afterwards."""
    server = postgres_server.server()
    yield server
    server.stop(signal.SIGQUIT)
    server.start()


class StartingNode(Process):
    def __init__(self, data: Path, url: str, redis: str) -> None:
        self.port = own_port()
        settings = (f"--set=store.url={url}", f"--set=bus.url={redis}")
        super().__init__(
            "serve", f"--data={data}", f"--port={self.port}", "--doors=none", *settings
        )

    def waits_for(self, event: str) -> None:
        """Returns when its log says so."""
        self.wait_until(lambda: any(line["event"] == event for line in self.logged()))

    def logged(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in tuple(self.stderr) if line.startswith("{")]

    @property
    def is_open(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False


def with_password(redis: RedisServer, password: str = SECRET) -> str:
    return redis.url.replace("redis://", f"redis://:{password}@")


def test_it_waits_for_servers_that_come_up_later(
    tmp_path: Path, redis: RedisServer, postgres: postgres_server.PostgresServer
) -> None:
    url = asyncio.run(new_url())
    postgres.stop()
    with StartingNode(tmp_path, url, with_password(redis)) as node:
        node.waits_for("waiting_for_postgresql")
        postgres.start()
        node.waits_for("waiting_for_redis")
        # Nobody is let in, and other nodes leave it nothing to do.
        assert not node.is_open
        assert not asyncio.run(peek(url, LIVE))
        assert "ready" not in node.stderr
        redis.start()
        node.wait_until(lambda: "ready" in node.stderr)
        with urlopen(f"http://127.0.0.1:{node.port}/healthz") as answer:
            assert answer.status == 200
        assert node.stop() == 0
    assert SECRET not in "\n".join(node.stderr)


async def test_it_waits_for_a_database_that_goes_away_while_it_starts(
    tmp_path: Path, redis: RedisServer
) -> None:
    proxy = CuttingProxy(postgres_server.server().port)
    await proxy.start()

    def asks_for_the_key(side: Side, piece: bytes) -> bool:
        if side == "client" and b"draw-key" in piece:
            proxy.go_away()
            return True
        return False

    proxy.cut = asks_for_the_key
    url = (await new_url()).replace(f":{postgres_server.server().port}/", f":{proxy.port}/")
    try:
        with StartingNode(tmp_path, url, with_password(redis)) as node:
            await asyncio.to_thread(node.waits_for, "waiting_for_postgresql")
            assert not proxy.open, "it had come as far as that"
            proxy.open = True
            await asyncio.to_thread(node.waits_for, "waiting_for_redis")
            assert await asyncio.to_thread(node.stop) == 0
    finally:
        await proxy.stop()


@pytest.mark.parametrize("away", ["postgresql", "redis"])
async def test_it_can_be_stopped_while_it_waits(
    tmp_path: Path, redis: RedisServer, away: str
) -> None:
    url = "postgresql://hall@127.0.0.1:1/hall" if away == "postgresql" else await new_url()
    with StartingNode(tmp_path, url, with_password(redis)) as node:
        await asyncio.to_thread(node.waits_for, f"waiting_for_{away}")
        assert await asyncio.to_thread(node.stop) == 0
    assert "Traceback" not in "\n".join(node.stderr)


@pytest.mark.parametrize("wrong", ["user", "password"])
async def test_it_ends_at_once_where_it_is_turned_down(
    tmp_path: Path, redis: RedisServer, wrong: str
) -> None:
    redis.start()
    url = await new_url()
    if wrong == "user":
        url = url.replace("//hall@", f"//stranger:{SECRET}@")
    bus = with_password(redis, "wrong" if wrong == "password" else SECRET)
    with StartingNode(tmp_path, url, bus) as node:
        assert await asyncio.to_thread(node.wait) == 1
    said = node.stderr[-1]
    assert said.startswith("gamehall: "), node.report()
    assert ("PostgreSQL" if wrong == "user" else "Redis") in said
    assert SECRET not in "\n".join(node.stderr)
