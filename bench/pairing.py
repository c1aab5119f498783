"""Pairing 500 players: each format's time, beside that of a naive choice in the same run.

    python bench/pairing.py --players 500 --rounds 9

The naive choice is what one would write first: sort by points, and from the top pair each with the
first whom it has not met. It knows no bye rule and no turns to begin, and when the last have all
met each other, it is stuck. A Swiss of random results is played; every round is paired by both, and
only the Swiss's own pairs are played. The other formats are asked for the games of their begin, and
for what one result brings about in the middle of the tournament.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from random import Random
from time import perf_counter

from gamehall.hall.tournaments.events import Grouped, Reported
from gamehall.hall.tournaments.formats import FORMATS
from gamehall.hall.tournaments.formats.field import Arrangement, Field, Pairing, Rest

REPEATS = 5
CLUB_SIZE = 4


def naive(field: Field) -> int:
    """Pairs a round; how many are left without an opponent whom they have not met."""
    met: dict[int, set[int]] = {seat: set() for seat in field.seeds}
    for match in field.matches:
        met[match.first].add(match.second)
        met[match.second].add(match.first)
    waiting = sorted(field.seeds, key=lambda seat: -field.tallies[seat].points)
    left = 0
    while waiting:
        one = waiting.pop(0)
        for place, other in enumerate(waiting):
            if other not in met[one]:
                del waiting[place]
                break
        else:
            left += 1
    return left


def a_field(players: int, rounds: int = 0) -> Field:
    field = Field(rounds, {seat: f"machine {seat // CLUB_SIZE}" for seat in range(players)})
    field.begin(range(players))
    return field


def seconds(work: Callable[[], object]) -> float:
    """The least of several times: what others do on the machine only adds to it."""
    times = []
    for _ in range(REPEATS):
        before = perf_counter()
        work()
        times.append(perf_counter() - before)
    return min(times)


def take(field: Field, steps: list[Arrangement]) -> None:
    for step in steps:
        match step:
            case Pairing():
                field.pair(step)
            case Rest():
                field.rest(step)
            case Grouped(groups=groups):
                field.groups = groups


def report(field: Field, number: int, rng: Random) -> None:
    match = field.matches[number - 1]
    winner = rng.choice((match.first, match.second, None))
    field.report(Reported(number, winner, "played"))


def swiss(players: int, rounds: int, rng: Random) -> float:
    """Prints every round; the naive choice's time of one."""
    field, swiss = a_field(players, rounds), FORMATS["swiss"]
    ratios, units = [], []
    print("round  naive ms  swiss ms  ratio  naive leaves over")
    while steps := swiss.next(field):
        unit = seconds(lambda: naive(field))
        time = seconds(lambda: swiss.next(field))
        ratios.append(time / unit)
        units.append(unit)
        number = len(ratios)
        shown = f"{unit * 1000:8.2f}  {time * 1000:8.2f}  {ratios[-1]:5.1f}  {naive(field)}"
        print(f"{number:5}  {shown}")
        take(field, steps)
        for match in [m for m in field.matches if m.state == "playing"]:
            report(field, match.number, rng)
    pairs = {frozenset((match.first, match.second)) for match in field.matches}
    print(f"{len(field.matches)} games, {len(field.matches) - len(pairs)} pairs met again")
    print(f"swiss ÷ naive: median {statistics.median(ratios):.1f}, worst {max(ratios):.1f}")
    return statistics.median(units)


def other_formats(players: int, unit: float, rng: Random) -> None:
    print("format              begin ÷ naive  after one result ÷ naive")
    for name, format in FORMATS.items():
        field = a_field(players)
        begin = seconds(lambda: format.next(field))  # noqa: B023 (called at once)
        while steps := format.next(field):
            take(field, steps)
        for _ in range(players // 3):
            report(
                field, rng.choice([m.number for m in field.matches if m.state == "playing"]), rng
            )
            while steps := format.next(field):
                take(field, steps)
        report(field, rng.choice([m.number for m in field.matches if m.state == "playing"]), rng)
        after = seconds(lambda: format.next(field))  # noqa: B023 (called at once)
        print(f"{name:18}  {begin / unit:13.2f}  {after / unit:24.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = Random(options.seed)
    unit = swiss(options.players, options.rounds, rng)
    other_formats(options.players, unit, rng)


if __name__ == "__main__":
    main()
