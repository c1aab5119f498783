"""Pairings whose tables are being opened, as the lead has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from gamehall.errors import NotFree
from gamehall.hall.lobby.messages import Challenge, Outcome, Over, Pairing, SeekKey
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.nodes import Nodes
from gamehall.hall.people.players import Players
from gamehall.hall.seats.holds import HOLD_MS, Holds

ABOUT_TO_BEGIN = "Your game is about to begin."
UNHEARD_MS = 3000
"""After which a node that does not say that it opens a table was not told to."""

Tell = Callable[[Iterable[str], Challenge | Over | Pairing | Outcome], None]


class _Opening(msgspec.Struct, eq=False):
    pairing: Pairing
    since_ms: int
    begun: bool = False
    """The table is there, and the two are being seated."""


@dataclass(eq=False, repr=False)
class Pairings:
    _nodes: Nodes
    _players: Players
    _holds: Holds
    _clock: Clock
    _tell: Tell
    _on_outcome: Callable[[Pairing, bool], None]
    """Hears of each pairing in the end whether its table was opened."""

    def __post_init__(self) -> None:
        self._openings: dict[str, _Opening] = {}
        """By origin."""

    def clear(self) -> None:
        self._openings.clear()

    def start(self, pairing: Pairing) -> None:
        """Holds both. Raises NotFree."""
        self._holds.take(pairing.people, pairing.origin, pairing.by)
        opening = _Opening(pairing, self._clock.now_ms())
        self._openings[pairing.origin] = opening
        if pairing.by != self._nodes.name:
            self._clock.call_at(opening.since_ms + HOLD_MS, lambda: self._unheard_of(opening))

    def _unheard_of(self, opening: _Opening) -> None:
        # A challenge may have been accepted anew meanwhile, with the same origin.
        if self._openings.get(opening.pairing.origin) is opening:
            self._give_up(opening)

    def begin(self, node: str, origin: str) -> None:
        """The table is there. Raises NotFree: nothing comes of it any more."""
        opening = self._openings.get(origin)
        if opening is None or opening.pairing.by != node:
            raise NotFree
        if any(self._holds.origin(player) != origin for player in opening.pairing.people):
            raise NotFree  # Someone has gone meanwhile, or plays elsewhere.
        opening.begun = True

    def cancel(self, player: int, keys: set[SeekKey]) -> None:
        """Who does not wait for these any more is not seated. Raises NotFree: it is too late."""
        for opening in list(self._openings.values()) if keys else ():
            pairing = opening.pairing
            if player in pairing.people and not pairing.challenge and pairing.key in keys:
                if opening.begun:
                    raise NotFree(ABOUT_TO_BEGIN)
                self._call_off(pairing)

    def find_unheard(self, node: str, heard: tuple[str, ...]) -> None:
        """Calls off what that node was to open, and was not told or has given up by now."""
        long_ago_ms = self._clock.now_ms() - UNHEARD_MS
        for opening in list(self._openings.values()):
            pairing = opening.pairing
            is_old = pairing.by == node and opening.since_ms < long_ago_ms
            if is_old and not opening.begun and pairing.origin not in heard:
                self._call_off(pairing)

    def call_off(self, origin: str) -> bool:
        """Whether nothing comes of it: it is too late if it has begun."""
        opening = self._openings.get(origin)
        if opening is None or opening.begun:
            return False
        self._call_off(opening.pairing)
        return True

    def _call_off(self, pairing: Pairing) -> None:
        nodes = self.nodes_of(pairing.people) | {pairing.by, self._nodes.name}
        self._tell(nodes, _nothing(pairing))

    def hear(self, outcome: Outcome) -> None:
        """The node that was to open the table has, or has not."""
        opening = self._openings.get(outcome.origin)
        if opening is not None and opening.pairing.by == outcome.by:
            del self._openings[outcome.origin]
            self._on_outcome(opening.pairing, bool(outcome.table))

    def node_gone(self, node: str) -> None:
        for opening in list(self._openings.values()):
            if opening.pairing.by == node:
                self._give_up(opening)

    def _give_up(self, opening: _Opening) -> None:
        """Its node says nothing any more. If it has begun, its table is there, and played."""
        del self._openings[opening.pairing.origin]
        self._on_outcome(opening.pairing, opening.begun)

    def nodes_of(self, people: Iterable[int]) -> set[str]:
        """Those at which they are."""
        nodes = set()
        for player in people:
            online = self._players.online.get(player)
            if online is not None:
                nodes |= {*online.elsewhere, *([self._nodes.name] if online.links else [])}
        return nodes


def _nothing(pairing: Pairing) -> Outcome:
    return Outcome(pairing.origin, pairing.people, pairing.by)
