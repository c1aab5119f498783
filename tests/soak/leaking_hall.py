"""`gamehall` that keeps something of every connection, so that a test can show that it is found.

python -m tests.soak.leaking_hall serve …
"""

from __future__ import annotations

from gamehall.__main__ import main
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.shell import Channel

KEPT_BYTES = 200_000
kept: list[bytearray] = []
enter = Doorkeeper.enter


def enter_and_keep(self: Doorkeeper, channel: Channel) -> None:
    # Touched, since memory that nobody has written to is not resident.
    kept.append(bytearray(b"x" * KEPT_BYTES))
    enter(self, channel)


if __name__ == "__main__":
    setattr(Doorkeeper, "enter", enter_and_keep)  # noqa: B010 (mypy knows it for a method)
    main()
