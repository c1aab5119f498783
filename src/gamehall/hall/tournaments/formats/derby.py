"""Derby: the players of each machine meet, and then those who did equally well at home.

* An entrant plays for the machine (club) it has named; who has named none is alone on its own.
* At home the players of one machine meet, two in one game, more in a round-robin. Its ranking
  gives each a place; the seeding, which is a draw of lots, places those who are equal in all.
* When all homes are done, all first-placed meet, all second-placed, and so on: two in one game,
  more in a round-robin. With two machines of two, the winners meet, and the losers.
* A player who withdraws while the homes play has no place: those behind move up.
* Ranking: by place at home, then as in a round-robin of those with the same place, by the games
  against them alone. A player who has no place comes last, by the games at home.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamehall.hall.tournaments.events import Grouped
from gamehall.hall.tournaments.formats.field import Arrangement, Field, Match, Rest
from gamehall.hall.tournaments.formats.format import Format
from gamehall.hall.tournaments.formats.round_robin import RoundRobin, due_round
from gamehall.hall.tournaments.formats.standings import Standing, Sums, ranked

HOME = "home "
PLACE = "place "


class Derby(Format):
    def next(self, field: Field) -> list[Arrangement]:
        stages = _places(field.groups) if field.groups else _homes(field)
        steps = [step for stage, seats in stages.items() for step in due_round(field, seats, stage)]
        if not steps and not field.open and not field.groups:
            groups = _groups(field)
            return [Grouped(groups)] if groups else []
        return steps

    def ranking(self, field: Field) -> list[Standing]:
        games = _Games(field)
        standings: list[Standing] = []
        for place, (stage, seats) in enumerate(_places(field.groups or _groups(field)).items(), 1):
            standings += games.ranked(seats, [stage], len(standings) + 1, place)
        placed = {standing.seat for standing in standings}
        others = [seat for seat in field.seeds if seat not in placed]
        return standings + games.ranked(others, list(_homes(field)), len(standings) + 1)


class _Games:
    """The games of a field, by stage."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._all = Sums(field.matches, field.rests)
        self._matches: dict[str, list[Match]] = {}
        self._rests: dict[str, list[Rest]] = {}
        for match in field.matches:
            self._matches.setdefault(match.stage, []).append(match)
        for rest in field.rests:
            self._rests.setdefault(rest.stage, []).append(rest)

    def ranked(
        self, seats: Sequence[int], stages: Sequence[str], first_rank: int = 1, place: int = 0
    ) -> list[Standing]:
        """The seats by the games of these stages. What is summed up for people to see is all that
        they have played; what decides is among the tie-breaks."""
        matches = [match for stage in stages for match in self._matches.get(stage, ())]
        rests = [rest for stage in stages for rest in self._rests.get(stage, ())]
        standings = ranked(self._field, seats, RoundRobin.tie_breaks, matches, rests, first_rank)
        return [
            self._all.standing(
                each.rank,
                each.seat,
                {"place": place, "place_points": each.points, **each.tie_breaks},
            )
            for each in standings
        ]


def _homes(field: Field) -> dict[str, list[int]]:
    """Who plays for each machine. One who is alone has no games, so no stage is mistaken."""
    homes: dict[str, list[int]] = {}
    for seat in field.seeds:
        club = field.clubs[seat]
        homes.setdefault(HOME + club if club else f"seat {seat}", []).append(seat)
    return homes


def _places(groups: tuple[tuple[int, ...], ...]) -> dict[str, list[int]]:
    return {f"{PLACE}{place}": list(group) for place, group in enumerate(groups, start=1)}


def _groups(field: Field) -> tuple[tuple[int, ...], ...]:
    """Those with the same place at home, as the homes stand, in the order of the seeding."""
    games = _Games(field)
    places: dict[int, list[int]] = {}
    for stage, seats in _homes(field).items():
        standings = games.ranked(seats, [stage])
        there = [each.seat for each in standings if each.seat not in field.withdrawn]
        for place, seat in enumerate(there):
            places.setdefault(place, []).append(seat)
    return tuple(
        tuple(sorted(places[place], key=lambda seat: field.seeds[seat])) for place in sorted(places)
    )
