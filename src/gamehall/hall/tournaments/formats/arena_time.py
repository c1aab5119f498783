"""Arena: free players are paired at once, again and again, until the time is up.

* A free player meets the one who is free and nearest in points, but not the last opponent; if
  only such are left, they wait for others to come free, and if nobody plays they meet again.
* People may come, go and come back while it runs; who comes late begins with no points.
* When the time is up nobody is paired any more; games that are being played still count.
* Ranking: points, then `direct` and `wins` (see standings). Leaving early costs nothing.
"""

from __future__ import annotations

from gamehall.hall.tournaments.formats.field import Arrangement, Field, Pairing
from gamehall.hall.tournaments.formats.format import Format


class ArenaByTime(Format):
    timed = True
    tie_breaks = ("direct", "wins")

    def next(self, field: Field) -> list[Arrangement]:
        if field.time_up:
            return []
        tallies = field.tallies
        free = [seat for seat in field.active() if not tallies[seat].playing]
        free.sort(key=lambda seat: -tallies[seat].points)
        pairs = _pairs(field, free)
        if not pairs and not field.open:
            pairs = list(zip(free[::2], free[1::2], strict=False))
        return [Pairing(*field.in_turn(*pair), round=0) for pair in pairs]

    def is_over(self, field: Field) -> bool:
        return field.time_up and not field.open


def _pairs(field: Field, free: list[int]) -> list[tuple[int, int]]:
    """Neighbours who have not just met."""
    met_last = {seat: field.tallies[seat].met_last for seat in free}
    pairs: list[tuple[int, int]] = []
    waiting = list(free)
    while waiting:
        one = waiting.pop(0)
        for other in waiting:
            if met_last[one] != other and met_last[other] != one:
                waiting.remove(other)
                pairs.append((one, other))
                break
    return pairs
