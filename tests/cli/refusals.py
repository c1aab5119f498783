"""A hall that does not start, and says why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.support.processes import Process

# Even root may not write then where the folder's mode forbids it.
AS_ANYONE = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--") if os.geteuid() == 0 else ()
)


def refused(data: Path, *more: str, program: Sequence[str] | None = None, code: int = 1) -> str:
    """What a hall says that does not start: one sentence."""
    arguments = ("serve", f"--data={data}", "--port=0", "--doors=none", *more)
    with Process(*arguments, program=program) as process:
        assert process.wait() == code, process.report()
    (said,) = process.stderr
    assert said.startswith("gamehall: "), said
    return said
