"""What the hall logs as an error while a world runs: it has caught a fault of its own."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog

ALLOWED: frozenset[str] = frozenset()
"""Events at this level that are no fault, with the reason. There are none: the hall knows a store
that fails, and does not take it for a fault of its own."""


@contextmanager
def errors_noted(faults: list[str]) -> Iterator[None]:
    """Adds each error to the list, and what it says of itself. Nothing else is logged."""

    def note(_: Any, level: str, entry: structlog.typing.EventDict) -> structlog.typing.EventDict:
        event, error = entry.pop("event"), entry.pop("exc_info", None)
        if event not in ALLOWED:
            faults.append(f"the hall logged {event} {entry}: {_exception(error)!r}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(
        processors=[note],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        cache_logger_on_first_use=False,
    )
    try:
        yield
    finally:
        structlog.configure(**before)


def _exception(error: object) -> object:
    """The one meant by `exc_info`, in any of its forms."""
    return sys.exception() if error is True else error
