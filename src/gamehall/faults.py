"""What was not raised on purpose, as an answer: logged here, told to nobody."""

from __future__ import annotations

from typing import Any

import structlog

from gamehall.errors import HallError, Internal

log = structlog.get_logger(__name__)


def as_refusal(error: Exception, failed: str, **about: Any) -> HallError:
    """The error to answer with: itself if it was raised on purpose, else Internal, and logged."""
    if isinstance(error, HallError):
        return error
    log.error(failed, exc_info=error, **about)
    return Internal()
