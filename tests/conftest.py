"""Files that take long begin first: at the end, a worker with such a file would work alone."""

from __future__ import annotations

import pytest

LONG = ("system/originals/", "system/e2e/", "many_nodes/", "web/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        path = item.nodeid.removeprefix("tests/")
        return next((place for place, part in enumerate(LONG) if path.startswith(part)), len(LONG))

    items.sort(key=place)
