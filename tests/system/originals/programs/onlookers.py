"""How a user waits for company: the game goes on when somebody watches it."""

from __future__ import annotations

import time
from pathlib import Path

LOOK_SECONDS = 0.02


def wait_for_onlookers(sign: str) -> None:
    """Puts up a sign, a file, and returns when somebody has taken it down. Without one, at once."""
    if sign:
        Path(sign).touch()
        while Path(sign).exists():
            time.sleep(LOOK_SECONDS)
