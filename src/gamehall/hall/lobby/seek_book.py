"""Who waits for what, as the lead has it."""

from __future__ import annotations

from collections.abc import Iterable

from gamehall.hall.lobby.messages import SeekKey, Seeks


class SeekBook:
    def __init__(self) -> None:
        self._waiting: dict[SeekKey, dict[tuple[int, str], None]] = {}
        """Players who wait for the same thing, with the node, in their order."""
        self._of: dict[int, dict[str, tuple[SeekKey, ...]]] = {}
        """By player and node: what it waits for there."""

    def waiting(self, key: SeekKey) -> Iterable[tuple[int, str]]:
        """Player and node of each who waits for this, the oldest first."""
        return self._waiting.get(key, ())

    def of(self, player: int, node: str) -> tuple[SeekKey, ...]:
        """What the player waits for at that node."""
        return self._of.get(player, {}).get(node, ())

    def shared(self) -> list[SeekKey]:
        """What more than one waits for."""
        return [key for key, waiting in self._waiting.items() if len(waiting) > 1]

    def set(self, node: str, seeks: Seeks) -> list[SeekKey]:
        """The player waits for this at that node, and for nothing else. Returns what is new."""
        entry, keys = (seeks.player, node), tuple(dict.fromkeys(seeks.keys))
        before = self.of(seeks.player, node)
        if keys == before:
            return []
        for key in before:
            if key not in keys:
                self._remove(key, entry)
        new = [key for key in keys if key not in before]
        for key in new:
            self._waiting.setdefault(key, {})[entry] = None
        if keys:
            self._of.setdefault(seeks.player, {})[node] = keys
        else:
            self._forget(*entry)
        return new

    def remove_node(self, node: str, but: Iterable[int] = ()) -> None:
        """Nobody waits at that node any more, but these players."""
        kept = set(but)
        for player in [player for player, nodes in self._of.items() if node in nodes]:
            if player not in kept:
                self.set(node, Seeks(player, ()))

    def _remove(self, key: SeekKey, entry: tuple[int, str]) -> None:
        waiting = self._waiting[key]
        del waiting[entry]
        if not waiting:
            del self._waiting[key]

    def _forget(self, player: int, node: str) -> None:
        nodes = self._of[player]
        del nodes[node]
        if not nodes:
            del self._of[player]
