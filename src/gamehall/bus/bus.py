"""The port to other nodes: messages from node to node.

The bus may lose anything: what counts is in the store. What it brings it brings in each sender's
order, and never twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class CannotJoin(ValueError):
    """There is no way to the other nodes, and waiting does not help; the text is for the
    operator."""


class Bus(Protocol):
    node: str
    """This node's name: another one for each process."""
    alone: bool
    """Whether there never is another node."""

    @property
    def is_up(self) -> bool:
        """Whether messages can pass, as far as is known."""

    async def start(self, receive: Callable[[str, bytes], None], back: Callable[[], None]) -> None:
        """From now on `receive(sender, message)` is called on the loop for each message; `back`
        whenever messages can pass again after they could not, and when they first can. Waits for
        that as long as it takes.

        Raises:
            CannotJoin: waiting does not help.
        """

    def send(self, to: str, message: bytes) -> None:
        """To one node; lost if that is not there or cannot be reached. Never waits or raises."""

    def tell_all(self, message: bytes) -> None:
        """To every other node, in the same way."""

    async def ping(self) -> None:
        """Returns if messages can pass. Raises errors.Unavailable."""

    async def close(self) -> None: ...
