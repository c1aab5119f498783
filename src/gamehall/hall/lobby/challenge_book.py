"""The challenges that are open, by player."""

from __future__ import annotations

from gamehall.hall.lobby.messages import Challenge


class ChallengeBook:
    def __init__(self) -> None:
        self._open: dict[int, Challenge] = {}
        self._of: dict[int, dict[int, Challenge]] = {}
        """By player and id: those it has sent and those it has received, the oldest first."""

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

    def remove(self, id: int) -> Challenge | None:
        """The challenge, if it was open."""
        challenge = self._open.pop(id, None)
        for player in () if challenge is None else challenge.people:
            mine = self._of[player]
            del mine[id]
            if not mine:
                del self._of[player]
        return challenge
