"""The images, built once for all tests of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.system.containers.engine import Engine
from tests.system.containers.images import engine_with_images


@pytest.fixture(scope="session")
def images() -> Iterator[Engine]:
    """An engine that has them."""
    with engine_with_images() as engine:
        yield engine
