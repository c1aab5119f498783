"""Plays worlds with faults, for as long as one likes.

python -m tests.faults --nodes 1 --seed 1 --minutes 10

Prints a line for each run that broke something, with the command that repeats it, and a summary.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.faults.played import Played
from tests.faults.runs import WORLDS, results, seeds_for
from tests.support.arguments import at_least_one, minutes

AT_ONCE = 4


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tests.faults",
        description="Plays real halls with faults, and prints each run that broke a promise.",
    )
    parser.add_argument(
        "--nodes",
        type=int,
        choices=WORLDS,
        default=1,
        help="1: a hall on a disk that fails; 3: nodes whose network, store and bus fail"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="decides what the first run meets; each further run has the next seed"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--at-once",
        type=at_least_one,
        default=AT_ONCE,
        metavar="N",
        help="how many runs are played at the same time (default: %(default)s)",
    )
    parser.add_argument(
        "--reports",
        type=Path,
        metavar="FOLDER",
        help="where to write all that is known of each broken run; made if it is not there",
    )
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument(
        "--runs",
        type=at_least_one,
        default=1,
        metavar="N",
        help="how many runs to play (default: %(default)s)",
    )
    how_long.add_argument(
        "--minutes", type=minutes, metavar="N", help="begin new runs until this time has passed"
    )
    options = parser.parse_args(given)
    if options.reports is not None:
        try:
            options.reports.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"The folder for reports cannot be made: {error}.")
    return options


def main(given: Sequence[str] | None = None) -> int:
    options = arguments(given)
    faults: Counter[str] = Counter()
    runs = acknowledged = broken = 0
    seeds = (
        range(options.seed, options.seed + options.runs)
        if options.minutes is None
        else seeds_for(options.minutes, options.seed)
    )
    for seed, played in results(options.nodes, seeds, options.at_once):
        runs += 1
        if isinstance(played, Played):
            faults += played.faults
            acknowledged += played.acknowledged
            continue
        broken += 1
        say(f"python -m tests.faults --nodes {options.nodes} --seed {seed}: {played.what}")
        if options.reports is not None:
            (options.reports / f"{options.nodes}-{seed}.txt").write_text(played.whole)
    say(
        f"{counted(runs, 'run')}, {counted(faults.total(), 'fault')}, "
        f"{counted(acknowledged, 'acknowledged request')}, {broken:,} broken"
    )
    for kind, number in sorted(faults.items()):
        say(f"{number:8,} {kind}")
    return 1 if broken else 0


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
