"""Standings: points, and what decides between those who have as many.

A win is worth two points, a draw one; a bye is worth a win but is no game. Between equals decide,
in the order that a format names them:

* `stayed`: who has not withdrawn (1) is before who has (0). Points are kept in either case.
* `direct`: the points from the games among all who are equal so far, if each has met each; else 0.
* `buchholz`: the sum of the points of one's opponents; a bye adds nothing.
* `sonneborn_berger`: for each game the opponent's points, times one's own from that game.
* `wins`: the games won, without byes.

Those who are still equal share the rank, and stand in the order of the seeding. All of it is sums,
so that the order in which results came makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from gamehall.hall.tournaments.formats.field import DRAW, WIN, Field, Match, Rest


class Standing(msgspec.Struct, frozen=True):
    rank: int
    seat: int
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    tie_breaks: dict[str, int] = {}
    """By name, in the order in which they decide."""


class Sums:
    """What a set of games adds up to."""

    def __init__(self, matches: Iterable[Match], rests: Iterable[Rest] = ()) -> None:
        self._parts: list[tuple[int, int, int, int]] = []
        """Of each game twice: a player and its opponent, and the points of either."""
        for match in matches:
            if match.state == "over":
                first, second = match.points
                self._parts.append((match.first, match.second, first, second))
                self._parts.append((match.second, match.first, second, first))
        self.points: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.drawn: Counter[int] = Counter()
        self.played: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        for seat, _, points, others_points in self._parts:
            self.points[seat] += points
            self.played[seat] += 1
            self.won[seat] += points > others_points
            self.drawn[seat] += points == others_points == DRAW
        for rest in rests:
            self.points[rest.seat] += WIN
            self.byes[rest.seat] += 1

    def standing(self, rank: int, seat: int, tie_breaks: dict[str, int]) -> Standing:
        played, won, drawn = self.played[seat], self.won[seat], self.drawn[seat]
        return Standing(
            rank,
            seat,
            self.points[seat],
            played,
            won,
            drawn,
            played - won - drawn,
            self.byes[seat],
            tie_breaks,
        )

    def buchholz(self) -> Counter[int]:
        sums: Counter[int] = Counter()
        for seat, opponent, _, _ in self._parts:
            sums[seat] += self.points[opponent]
        return sums

    def sonneborn_berger(self) -> Counter[int]:
        sums: Counter[int] = Counter()
        for seat, opponent, points, _ in self._parts:
            sums[seat] += points * self.points[opponent]
        return sums

    def direct(self, equals: dict[int, Any]) -> Counter[int]:
        """The points among those whose value in `equals` is the same, where all of them met."""
        sizes = Counter(equals.values())
        met: dict[Any, set[tuple[int, int]]] = {}
        sums: Counter[int] = Counter()
        inside = [part for part in self._parts if equals.get(part[0], 0) == equals.get(part[1], 1)]
        for seat, opponent, _, _ in inside:
            met.setdefault(equals[seat], set()).add((seat, opponent))
        for seat, _, points, _ in inside:
            group = equals[seat]
            if len(met[group]) == sizes[group] * (sizes[group] - 1):
                sums[seat] += points
        return sums


def ranked(
    field: Field,
    seats: Collection[int],
    tie_breaks: Sequence[str],
    matches: Iterable[Match],
    rests: Iterable[Rest] = (),
    first_rank: int = 1,
) -> list[Standing]:
    """The seats, the best first, by these games and these tie-breaks."""
    sums = Sums(matches, rests)
    values: dict[str, dict[int, int]] = {}
    for name in tie_breaks:
        match name:
            case "stayed":
                values[name] = {seat: int(seat not in field.withdrawn) for seat in seats}
            case "direct":
                equals = {s: (sums.points[s], *(v[s] for v in values.values())) for s in seats}
                values[name] = sums.direct(equals)
            case "buchholz":
                values[name] = sums.buchholz()
            case "sonneborn_berger":
                values[name] = sums.sonneborn_berger()
            case "wins":
                values[name] = sums.won
            case _:
                raise ValueError(f"no tie-break is called {name}")
    keys = {seat: (sums.points[seat], *(v[seat] for v in values.values())) for seat in seats}
    return in_order(field, keys, sums, values, first_rank)


def in_order(
    field: Field,
    keys: dict[int, Any],
    sums: Sums,
    tie_breaks: dict[str, dict[int, int]],
    first_rank: int = 1,
) -> list[Standing]:
    """The seats by their keys, the greatest first; equal keys share a rank. `tie_breaks`: what each
    of them is worth, by seat."""
    order = sorted(keys, key=lambda seat: field.seeds[seat])
    order.sort(key=lambda seat: keys[seat], reverse=True)
    standings: list[Standing] = []
    for place, seat in enumerate(order):
        shared = place > 0 and keys[order[place - 1]] == keys[seat]
        rank = standings[-1].rank if shared else first_rank + place
        worth = {name: by_seat[seat] for name, by_seat in tie_breaks.items()}
        standings.append(sums.standing(rank, seat, worth))
    return standings
