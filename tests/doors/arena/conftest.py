"""The portal of each test, and how its game servers reach it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from tests.doors.arena.game_server import Transport
from tests.doors.arena.portals import PortalHall


@pytest.fixture(params=["ws", "tcp"])
def transport(request: pytest.FixtureRequest) -> Transport:
    return cast(Transport, request.param)


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[PortalHall]:
    """Asks often, so that tests need not wait."""
    portal = PortalHall(tmp_path, poll_seconds=0.25)
    await portal.start()
    yield portal
    await portal.stop()
