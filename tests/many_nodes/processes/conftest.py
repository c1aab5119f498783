"""The hall of three nodes that the tests of a file share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.bus import redis_server
from tests.many_nodes.processes.hall_nodes import HallNodes, hall_nodes
from tests.store.postgres_server import new_url


@pytest.fixture(scope="module")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallNodes]:
    url = asyncio.run(new_url())
    with hall_nodes(tmp_path_factory.mktemp("hall"), url, redis_server.server()) as halls:
        asyncio.run(halls.start(3))
        yield halls
