"""A connection, as the hall sees it. Doors make one for each client; so do seated bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from gamehall.errors import NotLoggedIn
from gamehall.hall.beat.requests import Told
from gamehall.hall.people.notices import Notice, TableView

if TYPE_CHECKING:
    from gamehall.hall.people.online import Online


class Link:
    """Subclasses say how a client is told; they never raise, and never make the hall wait."""

    wants_views: ClassVar[bool] = True
    """Whether it is told how a table stands when a game begins; a door may know from the events."""

    __slots__ = ("address", "online", "token_digest", "watching")

    def __init__(self, address: str) -> None:
        self.address = address
        self.online: Online | None = None
        """Who it is, once it has said so."""
        self.token_digest: bytes | None = None
        self.watching: set[int] | None = None
        """Tables it follows as a spectator; None is the common case of none."""

    @property
    def me(self) -> Online:
        """Who it is. Raises NotLoggedIn: it has not said so, or has gone since it asked."""
        if self.online is None:
            raise NotLoggedIn
        return self.online

    @property
    def gone(self) -> bool:
        """Whether its client has hung up, and is only owed answers to what it sent before."""
        return False

    @property
    def closed(self) -> bool:
        """Whether nothing reaches its client any more."""
        return False

    @property
    def kept_briefly(self) -> bool:
        """Whether the seats of its player, if it was the last connection, are kept for
        `table.drop_seconds` only: its client has hung up, and its door knows no token."""
        return False

    async def answers(self, seconds: float) -> bool:
        """Whether its client shows, within this time, that it is there."""
        return not self.gone

    def give_way(self) -> None:
        """Ends: its player comes back through another connection. Called when it is `gone`."""

    @property
    def takes_challenges(self) -> bool:
        """Whether its client can be challenged to some game, and answer."""
        return False

    def can_play(self, game: str, options: Mapping[str, Any]) -> bool:
        """Whether its client can be challenged to this game, with all of its options named."""
        return self.takes_challenges

    def tell(self, notice: Notice) -> None:
        raise NotImplementedError

    def show_late(self, view: TableView) -> None:
        """Its player has a seat of which it was not told, at a table that has gone on without it.
        Not called unless it wants views."""
        self.tell(view)

    def tell_table(self, told: Told, seat: int | None) -> None:
        raise NotImplementedError
