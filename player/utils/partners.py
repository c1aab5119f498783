"""Whom to challenge, and when: so that any number of players like us always find each other.

Nothing here knows the network or the time of day: `now` is seconds of any clock that only rises.
"""

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from utils.protocol import Player

PAUSE_SECONDS_MIN = 0.2
PAUSE_SECONDS_MAX = 4.0
REST_SECONDS_MIN = 2.0
REST_SECONDS_MAX = 60.0
REST_GROWS = 3


@dataclass
class Rest:
    """How long somebody who did not want to play is left alone."""

    seconds: float
    until: float


class Partners:
    """Chooses one of those who are free, and remembers who did not want to play."""

    def __init__(self, chance: Random, lonely_seconds: float) -> None:
        """After `lonely_seconds` without anybody else we are lonely; 0: we never are."""
        self._chance = chance
        self._lonely_seconds = lonely_seconds
        self._company_at: float | None = None
        self._pause_seconds = PAUSE_SECONDS_MIN
        self._asked: Player | None = None
        self._rests: dict[str, Rest] = {}

    def choose(self, players: Collection[Player], now: float) -> Player | None:
        """Whom of these to challenge now; None: nobody yet.

        What comes of it must be told: `met`, or `give_up`.
        """
        # Who is not free has other things to do than to refuse us: forget it.
        ids = {player.id for player in players}
        self._rests = {id: rest for id, rest in self._rests.items() if id in ids}
        if players:
            self._company_at = now
        willing = [
            player
            for player in players
            if player.id not in self._rests or self._rests[player.id].until <= now
        ]
        # By chance, so that not everybody asks the same one.
        self._asked = self._chance.choice(willing) if willing else None
        return self._asked

    def give_up(self, now: float) -> None:
        """The one who was asked does not want to play, or not now."""
        if self._asked is not None:
            rest = self._rests.get(self._asked.id)
            grown = REST_GROWS * rest.seconds if rest else REST_SECONDS_MIN
            seconds = min(grown, REST_SECONDS_MAX)
            self._rests[self._asked.id] = Rest(seconds, now + seconds)
            self._asked = None

    def met(self, now: float) -> None:
        """Somebody plays with us, or wants to: the next pauses are short again."""
        self._asked = None
        self._company_at = now
        self._pause_seconds = PAUSE_SECONDS_MIN

    def pause_seconds(self) -> float:
        """How long to wait before the next look around: longer each time, and never the same, for
        those who do everything at the same moment miss each other."""
        seconds = self._pause_seconds * self._chance.uniform(0.5, 1.5)
        self._pause_seconds = min(2 * self._pause_seconds, PAUSE_SECONDS_MAX)
        return seconds

    def lonely(self, now: float) -> bool:
        """Never before there was company: somebody has to be the first in the hall."""
        if self._lonely_seconds == 0 or self._company_at is None:
            return False
        return now - self._company_at > self._lonely_seconds
