"""The hall that these tests share, and whoever visits it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess


@pytest.fixture(scope="session")
def shared_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with HallProcess(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture(scope="module")
def hall(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HallProcess]:
    """The shared one, or one of its own for a file that has `SETTINGS`."""
    settings: tuple[str, ...] | None = getattr(request.module, "SETTINGS", None)
    if settings is None:
        yield request.getfixturevalue("shared_hall")
        return
    with HallProcess(tmp_path_factory.mktemp("hall"), settings=settings) as hall:
        yield hall


@pytest.fixture
async def at(hall: HallProcess) -> AsyncIterator[Visitors]:
    visitors = Visitors(hall)
    yield visitors
    await visitors.leave()
