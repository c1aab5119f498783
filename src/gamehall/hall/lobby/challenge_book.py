"""The challenges that a node knows, and what nodes say to each other of them."""

from __future__ import annotations

from typing import Any

from gamehall.hall.nodes.clock import Alarm
from gamehall.hall.nodes.exchange import Body
from gamehall.hall.people.online import Online


class Challenge:
    __slots__ = (
        "accepting",
        "alarm",
        "asked_at",
        "due_ms",
        "game",
        "home",
        "id",
        "options",
        "sender",
        "target",
        "told",
    )

    def __init__(
        self,
        id: int,
        sender: Online,
        target: Online,
        game: str,
        options: dict[str, Any],
        due_ms: int,
        home: str,
        asked_at: str,
    ) -> None:
        self.id = id
        self.sender = sender
        self.target = target
        self.game = game
        self.options = options
        self.due_ms = due_ms
        self.home = home
        """The node that decides what becomes of it: one that the target is connected to."""
        self.asked_at = asked_at
        """The node that the sender has asked."""
        self.accepting = False
        self.alarm: Alarm | None = None
        self.told: set[str] = set()
        """At home: the other nodes that know it."""


class ChallengeBook:
    def __init__(self) -> None:
        self._open: dict[int, Challenge] = {}
        self._of: dict[int, list[Challenge]] = {}
        """By player: those it has sent and those it has received."""

    def get(self, id: int) -> Challenge | None:
        return self._open.get(id)

    def all(self) -> tuple[Challenge, ...]:
        return tuple(self._open.values())

    def of(self, online: Online) -> tuple[Challenge, ...]:
        return tuple(self._of.get(online.player.id, ()))

    def count_sent(self, online: Online) -> int:
        return sum(challenge.sender is online for challenge in self.of(online))

    def count_received(self, online: Online) -> int:
        return sum(challenge.target is online for challenge in self.of(online))

    def add(self, challenge: Challenge) -> None:
        self._open[challenge.id] = challenge
        for side in (challenge.sender, challenge.target):
            self._of.setdefault(side.player.id, []).append(challenge)

    def remove(self, challenge: Challenge) -> bool:
        """Whether it was open."""
        if self._open.get(challenge.id) is not challenge:
            return False
        del self._open[challenge.id]
        for side in (challenge.sender, challenge.target):
            mine = self._of[side.player.id]
            mine.remove(challenge)
            if not mine:
                del self._of[side.player.id]
        if challenge.alarm is not None:
            challenge.alarm.cancel()
        return True


class Offer(Body, frozen=True):
    """To a node of the target: someone here wants to challenge it."""

    sender: int
    target: int
    game: str
    options: dict[str, Any]


class Offered(Body, frozen=True):
    challenge: int
    """0: it has crossed another, which the asking node knows by now."""
    due_ms: int = 0


class Opened(Body, frozen=True):
    """From its home to every node of the two."""

    challenge: int
    sender: int
    target: int
    game: str
    options: dict[str, Any]
    due_ms: int
    asked_at: str


class Over(Body, frozen=True):
    """It has ended, at its home or at the node that says so to it."""

    challenge: int
    by: int = 0
    """The player who ended it; 0: their game has begun."""
    reason: str = ""


class Accept(Body, frozen=True):
    """To its home: the target, who is connected here too, accepts."""

    challenge: int
    player: int


class Accepted(Body, frozen=True):
    table: int


class Accepting(Body, frozen=True):
    """To the node that the sender has asked: is it held for the game?"""

    challenge: int
    origin: str


class StillOpen(Body, frozen=True):
    """To the same: nothing came of it."""

    challenge: int
