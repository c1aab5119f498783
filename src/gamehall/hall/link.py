"""A connection, as the hall sees it. Doors make one for each client; so do seated bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from gamehall.bus.bus import Told
from gamehall.hall.notices import Notice

if TYPE_CHECKING:
    from gamehall.hall.players import Online


class Link:
    """Subclasses say how a client is told; they never raise, and never make the hall wait."""

    wants_views: ClassVar[bool] = True
    """Whether it is told how a table stands when a game begins; a door may know from the events."""

    __slots__ = ("address", "in_lobby", "online", "token_digest", "watching")

    def __init__(self, address: str) -> None:
        self.address = address
        self.online: Online | None = None
        """Who it is, once it has said so."""
        self.token_digest: bytes | None = None
        self.watching: set[int] | None = None
        """Tables it follows as a spectator; None is the common case of none."""
        self.in_lobby = False

    def tell(self, notice: Notice) -> None:
        raise NotImplementedError

    def tell_table(self, told: Told, seat: int | None) -> None:
        raise NotImplementedError
