"""A module that sets BOTH_LOOPS has its tests run on uvloop and on asyncio's own loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest
import uvloop

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


@pytest.hookimpl
def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, LoopFactory]:
    both = isinstance(item, pytest.Function) and getattr(item.module, "BOTH_LOOPS", False)
    plain: dict[str, LoopFactory] = {"asyncio": asyncio.new_event_loop}
    return {"uvloop": uvloop.new_event_loop, **plain} if both else plain
