"""A start that fails gives back what it has taken, at once: nobody has to collect it first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gamehall.config import Settings
from gamehall.data_folder import StartError
from gamehall.server import Server, start_server
from gamehall.wire.net.listening import PortTaken


@asynccontextmanager
async def started(data: Path, port: int = 0) -> AsyncIterator[Server]:
    server = await start_server(Settings(), data=data, host="127.0.0.1", port=port, doors={})
    try:
        yield server
    finally:
        await server.stop(0)


async def test_a_wrong_draw_key(tmp_path: Path) -> None:
    async with started(tmp_path):
        key = (tmp_path / "draw-key").read_text()
    (tmp_path / "draw-key").write_text("0" * 64)
    with pytest.raises(StartError, match="not the one") as failed:
        async with started(tmp_path):
            pass
    (tmp_path / "draw-key").write_text(key)
    async with started(tmp_path):
        assert failed.tb, "its frames hold on to all that the start has made"


async def test_a_hall_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*_: object) -> None:
        raise RuntimeError("no hall")

    with monkeypatch.context() as patch:
        patch.setattr("gamehall.server.make_hall", cannot)
        with pytest.raises(RuntimeError, match="no hall") as failed:
            async with started(tmp_path):
                pass
    async with started(tmp_path):
        assert failed.tb


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    async with started(tmp_path / "first") as first:
        port = int(first.doors[0][1].rpartition(":")[2])
        with pytest.raises(PortTaken) as failed:
            async with started(tmp_path / "second", port):
                pass
        async with started(tmp_path / "second"):
            assert failed.tb


async def test_a_stop_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cannot(_: object) -> None:
        raise RuntimeError("the connections stay")

    with monkeypatch.context() as patch:
        patch.setattr("gamehall.wire.net.keeper.Doorkeeper.close", cannot)
        with pytest.raises(RuntimeError, match="stay") as failed:
            async with started(tmp_path):
                pass
    async with started(tmp_path):
        assert failed.tb
