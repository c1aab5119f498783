from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class HallSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set of a hall."""

    grace_seconds: float = 60
    drop_seconds: float = 10
    rematch_seconds: float = 120
    seat_seconds: float = 30
    challenge_seconds: float = 60
    no_show_seconds: float = 300
    open_registration: bool = True
    start_balance: int = 1_000_000
    keep_days: float = 0
    lease_seconds: float = 3
    options: Mapping[str, Mapping[str, Any]] = {}
    """By game, those that hold where a table is opened without."""
