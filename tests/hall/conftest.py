from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hall.halls import TestHall
from tests.hall.series import Series


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[TestHall]:
    house = TestHall(tmp_path)
    await house.start()
    yield house
    await house.stop()


@pytest.fixture
async def series(house: TestHall) -> Series:
    return await Series.begin(house)
