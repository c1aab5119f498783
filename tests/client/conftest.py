from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.client.fake_hall import FakeHall
from tests.client.joined import Joined, join


@pytest.fixture
async def fake() -> AsyncIterator[FakeHall]:
    async with FakeHall() as hall:
        yield hall


@pytest.fixture
async def joined(fake: FakeHall) -> AsyncIterator[Joined]:
    joined = await join(fake)
    yield joined
    await joined.client.close()
