"""Challenges that are open, by player, and those that have just ended."""

from __future__ import annotations

from gamehall.hall.lobby.messages import Challenge, Over
from gamehall.hall.nodes.clock import Clock

REMEMBER_MS = 60_000
"""How long the end of a challenge is told to nodes that did not hear of it."""


class ChallengeBook:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: dict[int, Challenge] = {}
        self._of: dict[int, dict[int, Challenge]] = {}
        """By player and id: those it has sent and those it has received, the oldest first."""
        self._ended: dict[int, tuple[Over, int]] = {}
        """How those have ended that somebody may think open, and until when that is told."""

    def __contains__(self, id: int) -> bool:
        return id in self._open

    def get(self, id: int) -> Challenge | None:
        return self._open.get(id)

    def all(self) -> tuple[Challenge, ...]:
        return tuple(self._open.values())

    def of(self, player: int) -> tuple[Challenge, ...]:
        return tuple(self._of.get(player, {}).values())

    def add(self, challenge: Challenge) -> None:
        self._open[challenge.id] = challenge
        for player in challenge.people:
            self._of.setdefault(player, {})[challenge.id] = challenge

    def end(self, over: Over) -> Challenge | None:
        """The challenge, if it was open."""
        challenge = self._open.pop(over.challenge, None)
        if challenge is None:
            return None
        for player in challenge.people:
            mine = self._of[player]
            del mine[challenge.id]
            if not mine:
                del self._of[player]
        self.remember(over)
        return challenge

    def remember(self, over: Over) -> None:
        """It has ended."""
        self._ended[over.challenge] = (over, self._clock.now_ms() + REMEMBER_MS)

    def ended(self, id: int) -> Over | None:
        """How it has ended, for as long as somebody may not have heard of that."""
        over, _ = self._ended.get(id, (None, 0))
        return over

    def forget_old(self) -> None:
        now_ms = self._clock.now_ms()
        self._ended = {id: ended for id, ended in self._ended.items() if ended[1] > now_ms}
