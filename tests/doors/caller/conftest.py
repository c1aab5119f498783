"""The hall of each file of tests, and whoever visits it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.doors.caller.halls import Visitors, open_hall
from tests.support.processes import HallProcess


@pytest.fixture(scope="module")
def hall(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HallProcess]:
    """At the pace that the file's `SETTINGS` say."""
    with open_hall(tmp_path_factory.mktemp("hall"), *request.module.SETTINGS) as hall:
        yield hall


@pytest.fixture
async def at(hall: HallProcess) -> AsyncIterator[Visitors]:
    visitors = Visitors(hall)
    yield visitors
    await visitors.leave()
