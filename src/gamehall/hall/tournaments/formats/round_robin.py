"""Round-robin: everyone meets everyone once.

* By the circle method (Berger's tables) each round has everyone at most once, and the one who is on
  its own in a round, where the number is odd, rests without points. A round begins when the one
  before has ended.
* Nobody is first to move more than once more often than second, or the other way round.
* A player whose opponent has withdrawn has a bye instead.
* Ranking: points, then `stayed`, `direct`, `sonneborn_berger` and `wins` (see standings).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamehall.hall.tournaments.formats.field import Arrangement, Field, Pairing, Rest
from gamehall.hall.tournaments.formats.format import Format


class RoundRobin(Format):
    tie_breaks = ("stayed", "direct", "sonneborn_berger", "wins")

    def next(self, field: Field) -> list[Arrangement]:
        return due_round(field, list(field.seeds), "")


def due_round(field: Field, members: Sequence[int], stage: str) -> list[Arrangement]:
    """The next round of these who meet each other in this stage, if their last one has ended."""
    last, still_open = field.progress.get(stage, (0, 0))
    if still_open:
        return []
    # Rounds are passed over in which all who would play have withdrawn.
    for round in range(last + 1, rounds_of(len(members)) + 1):
        steps: list[Arrangement] = []
        for first, second in pairs_of(round, len(members)):
            pair = (members[first], members[second])
            there = [seat for seat in pair if seat not in field.withdrawn]
            if len(there) == 2:
                steps.append(Pairing(*pair, round, stage))
            elif there:
                steps.append(Rest(there[0], round, stage))
        if steps:
            return steps
    return []


def rounds_of(count: int) -> int:
    """How many rounds it takes for so many to meet each other."""
    return count - 1 if count % 2 == 0 else count


def pairs_of(round: int, count: int) -> Iterator[tuple[int, int]]:
    """Who plays whom in a round of so many, from 0; the first of each two begins.

    All but the last sit in a circle and meet when their numbers add up to the round's; who would
    meet itself meets the last instead. An odd number has an empty place for the last.
    """
    circle = rounds_of(count)
    for one in range(circle):
        other = (round - one) % circle
        if one < other:
            yield (one, other) if (one + other) % 2 else (other, one)
        elif one == other and circle < count:
            yield (one, circle) if one * 2 < circle else (circle, one)
