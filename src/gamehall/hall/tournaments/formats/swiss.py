"""Swiss: in every round those meet who have about as many points, and nobody meets twice.

* As many rounds as were asked for, else log2 of the entrants, rounded up; never more than it takes
  for everyone to meet. A round begins when the one before has ended.
* Where the number is odd, the last by points, and then by the seeding, who has not had a bye yet
  has one: a win.
* From the top, each one meets whom it has not met, with points as near as can be. Among those with
  as many, one who has begun more often is rather to meet one who has not; and the upper half meets
  the lower half. Nobody is to begin more than two times more often than not, or the other way
  round. Choices that would leave others without an opponent of that kind are passed over: if
  everyone can have one, everyone has.
* If that is not possible, first turns are left unbalanced; if that is not enough, as few as
  possible meet a second time. Nobody has a second bye: if all have had one and their number is
  odd, or if nobody is left whom anyone has not met, the tournament ends early.
* Ranking: points, then `stayed`, `direct`, `buchholz` and `wins` (see standings).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from gamehall.hall.tournaments.formats.field import Arrangement, Field, Pairing, Rest
from gamehall.hall.tournaments.formats.format import Format
from gamehall.hall.tournaments.formats.matching import matched
from gamehall.hall.tournaments.formats.round_robin import rounds_of

SURPLUS_MOST = 2
BYE = -1
"""Takes a place as if it were a seat."""


class Swiss(Format):
    tie_breaks = ("stayed", "direct", "buchholz", "wins")

    def next(self, field: Field) -> list[Arrangement]:
        round, still_open = field.progress.get("", (0, 0))
        if still_open or round >= rounds(field):
            return []
        return _Round(field, round + 1).steps()


def rounds(field: Field) -> int:
    """How many rounds it has."""
    count = len(field.seeds)
    return min(field.rounds or (count - 1).bit_length(), rounds_of(count))


class _Round:
    """The places of a round: those who can be paired, from the top, and before them, if their
    number is odd, the bye."""

    def __init__(self, field: Field, round: int) -> None:
        self._field = field
        self._round = round
        tallies, seeds = field.tallies, field.seeds
        players = sorted(field.active(), key=lambda seat: (-tallies[seat].points, seeds[seat]))
        self._bye = bool(len(players) % 2)
        self._seats = [BYE, *players] if self._bye else players
        self._points = [tallies[seat].points for seat in players]
        self._surplus = [tallies[seat].surplus for seat in players]
        if self._bye:
            self._points.insert(0, -1)
            self._surplus.insert(0, 0)

    def steps(self) -> list[Arrangement]:
        """The pairs, the first places first, and then the bye; or nothing, if it cannot be."""
        unmet = self._unmet()
        anyone_new = any(others >> self._bye for others in unmet[self._bye :])
        if not anyone_new or (self._bye and not unmet[0]):
            return []
        pairs, left_over = matched(self._balanced(unmet), self._wishes)
        if left_over:
            pairs, left_over = matched(unmet, self._wishes)
        pairs += zip(left_over[::2], left_over[1::2], strict=True)
        if self._bye:
            pairs.append(pairs.pop(0))
        return [self._step(v, w) for v, w in pairs]

    def _step(self, v: int, w: int) -> Arrangement:
        if self._bye and v == 0:
            return Rest(self._seats[w], self._round)
        first, second = self._field.in_turn(self._seats[v], self._seats[w])
        return Pairing(first, second, self._round)

    def _wishes(self, v: int, rest: Sequence[int]) -> Iterator[int]:
        if self._bye and v == 0:
            yield from reversed(rest)
            return
        equals = bisect_right(rest, -self._points[v], key=lambda w: -self._points[w])
        half = max(equals - 1, 0) // 2
        same_points = [*rest[half:equals], *reversed(rest[:half])]
        for both_want_the_same in (False, True):
            for w in same_points:
                if (self._surplus[v] * self._surplus[w] > 0) == both_want_the_same:
                    yield w
        yield from rest[equals:]

    def _unmet(self) -> list[int]:
        """For each place a bit for every other that it has not met."""
        field, seats = self._field, self._seats
        place = {seat: v for v, seat in enumerate(seats)}
        everyone = (1 << len(seats)) - 1
        unmet = [everyone & ~(1 << v) for v in range(len(seats))]
        met = [(match.first, match.second) for match in field.matches]
        if self._bye:
            met += [(rest.seat, BYE) for rest in field.rests]
        for one, other in met:
            if one in place and other in place:
                unmet[place[one]] &= ~(1 << place[other])
                unmet[place[other]] &= ~(1 << place[one])
        return unmet

    def _balanced(self, adjacent: list[int]) -> list[int]:
        """The same without pairs of which neither may begin, or neither may wait, once more."""
        balanced = list(adjacent)
        for sign in (1, -1):
            due = [v for v, surplus in enumerate(self._surplus) if surplus * sign >= SURPLUS_MOST]
            mask = sum(1 << v for v in due)
            for v in due:
                balanced[v] &= ~mask
        return balanced
