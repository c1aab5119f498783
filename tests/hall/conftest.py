from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hall.halls import TestHall


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[TestHall]:
    house = TestHall(tmp_path)
    await house.start()
    yield house
    await house.stop()
