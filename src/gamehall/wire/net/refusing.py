"""What goes wrong with a request, as its answer."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from gamehall.errors import HallError, Internal

log = structlog.get_logger(__name__)

Refuse = Callable[[HallError], None]
"""Answers a request with an error."""


def as_refusal(error: Exception, **about: Any) -> HallError:
    """The error to answer with: itself if it was raised on purpose, else Internal, and logged."""
    if isinstance(error, HallError):
        return error
    log.error("door_fault", exc_info=error, **about)
    return Internal()


async def refusing(work: Coroutine[Any, Any, Any], refuse: Refuse, **about: Any) -> None:
    """Does the work; what it raises is the answer."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 (as_refusal logs it)
        refuse(as_refusal(error, **about))
