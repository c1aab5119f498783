"""The hall of each file of tests, and whoever visits it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.doors.duel.clients import Duelists, open_hall
from tests.support.processes import HallProcess


@pytest.fixture(scope="module")
def hall(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HallProcess]:
    """With the file's `SETTINGS`."""
    with open_hall(tmp_path_factory.mktemp("hall"), *request.module.SETTINGS) as hall:
        yield hall


@pytest.fixture
def at(hall: HallProcess) -> Iterator[Duelists]:
    duelists = Duelists(hall)
    yield duelists
    duelists.leave()
