"""What a hall's log says of faults of its own."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

LEVELS = ("error", "critical")
FAILING_POSTGRES = frozenset({"write_failed", "commit_failed"})
"""What a hall may log as an error whose database is away: its operator has to do something."""
FAILING_DISK = FAILING_POSTGRES | {
    "rollback_failed",
    "reopen_failed",
    "checkpoint_failed",
    "close_failed",
}
"""And one whose disk fails."""


def faults(lines: Iterable[str], allowed: Collection[str] = ()) -> list[str]:
    """The lines with an error that is not allowed, or with a traceback, whoever wrote it there."""
    return [line for line in lines if "Traceback" in line or _error(line) not in {"", *allowed}]


def _error(line: str) -> str:
    """The event, if it is an error."""
    try:
        entry = json.loads(line)
    except ValueError:
        return ""  # Not of the log, or cut off as the hall was killed.
    if not isinstance(entry, dict) or entry.get("level") not in LEVELS:
        return ""
    return str(entry["event"])
