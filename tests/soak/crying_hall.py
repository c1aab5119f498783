"""`gamehall` that logs once that it cannot go on, so that a test can show that it is found.

python -m tests.soak.crying_hall serve …
"""

from __future__ import annotations

import structlog

from gamehall.__main__ import main
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.shell import Channel

log = structlog.get_logger(__name__)
enter = Doorkeeper.enter


def enter_and_cry(self: Doorkeeper, channel: Channel) -> None:
    setattr(Doorkeeper, "enter", enter)  # noqa: B010 (mypy knows it for a method)
    log.critical("cannot_go_on")
    enter(self, channel)


if __name__ == "__main__":
    setattr(Doorkeeper, "enter", enter_and_cry)  # noqa: B010
    main()
