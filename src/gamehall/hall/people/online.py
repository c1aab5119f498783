"""A player who is here, with every connection and seat."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec

from gamehall.errors import BadRequest
from gamehall.hall.beat.sent_again import OTHER_CONTENT
from gamehall.hall.nodes.clock import Alarm
from gamehall.hall.people.link import Link
from gamehall.store.appends import Request
from gamehall.store.people import Player

ABOUT_TO_SIT = 0
"""Stands for a table that is being opened, among those that keep a player busy."""
RECENT_MAX = 64
"""Answers to hall requests that are remembered for each player."""


class Elsewhere(msgspec.Struct, frozen=True, array_like=True):
    """A player's connections at another node."""

    player: Player
    free: bool
    plays: tuple[str, ...]
    """The games to which it can be challenged, with their usual options."""
    plays_all: bool = False
    """Whether it can be challenged to any game, with any options."""
    playing: bool = False
    """Whether it has a game: it is not only about to sit down."""


class Online:
    """A player who is connected, or who dropped and whose seats are still kept."""

    __slots__ = (
        "_recent",
        "alarm",
        "busy",
        "elsewhere",
        "kept_briefly",
        "links",
        "opened",
        "out_of_reach",
        "player",
        "said_ms",
        "seated",
    )

    def __init__(self, player: Player) -> None:
        self.player = player
        self.links: list[Link] = []
        """Its connections to this node."""
        self.elsewhere: dict[str, Elsewhere] = {}
        """Those to others, by node."""
        self.seated: dict[int, int] = {}
        """Tables at which it may act, with the seat."""
        self.busy: set[int] = set()
        """Those of them where a game is on or awaited."""
        self.out_of_reach: set[int] = set()
        """Tables that keep it busy, as the store says, and that this node could not load yet."""
        self.alarm: Alarm | None = None
        """Rings when a dropped player's seats are given up."""
        self.kept_briefly = False
        """Whether its last connection was such that its seats are kept for a short time only."""
        self.opened: set[int] = set()
        """Tables it has opened and may still sit down at."""
        self._recent: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()
        self.said_ms: list[int] = []

    def let_off(self, table: int) -> None:
        """A table awaits it no more, unless it has a seat there that is out of reach."""
        if table not in self.out_of_reach:
            self.busy.discard(table)

    @property
    def here(self) -> bool:
        """Whether it is connected, at whichever node."""
        return bool(self.links or self.elsewhere)

    @property
    def free(self) -> bool:
        return self.here and not self.busy and all(each.free for each in self.elsewhere.values())

    @property
    def challengeable(self) -> bool:
        return self.free and (
            any(link.takes_challenges and not link.gone for link in self.links)
            or any(each.plays for each in self.elsewhere.values())
        )

    @property
    def playing(self) -> bool:
        """Whether it has a game, as far as this node knows by itself."""
        return bool(self.busy - {ABOUT_TO_SIT})

    @property
    def may_wait(self) -> bool:
        """Whether it can wait for a game at this node: it is connected here and has none, as far
        as this node knows by itself. What others say of it may be old."""
        return bool(self.links) and not self.playing

    @property
    def is_out(self) -> bool:
        """Whether it has gone, or has a game. Who is only about to sit may not come to it."""
        elsewhere = any(each.playing for each in self.elsewhere.values())
        return not self.here or self.playing or elsewhere

    def can_play(self, game: str, options: Mapping[str, Any]) -> bool:
        """Whether a client here can be challenged to this game, with all of its options named."""
        return any(link.can_play(game, options) for link in self.links)

    def can_answer(self, game: str, options: Mapping[str, Any], *, usual: bool) -> bool:
        """Whether some client, at whichever node, can be challenged to this game. `usual`: whether
        the options are the game's usual ones."""
        return self.can_play(game, options) or any(
            each.plays_all or (usual and game in each.plays) for each in self.elsewhere.values()
        )

    def remember(self, request: Request | None, answer: Any) -> None:
        """Keeps the answer to a request that no journal keeps."""
        if request is not None:
            self._recent[request.id] = (request.digest, answer)
            if len(self._recent) > RECENT_MAX:
                self._recent.popitem(last=False)

    def recall(self, request: Request | None) -> Any:
        """The answer that is remembered, or None. Raises BadRequest if the id was used before with
        other content."""
        known = None if request is None else self._recent.get(request.id)
        if request is None or known is None:
            return None
        digest, answer = known
        if digest != request.digest:
            raise BadRequest(OTHER_CONTENT)
        return answer
