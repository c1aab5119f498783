"""Plays worlds with faults, for as long as one likes.

python -m tests.faults --nodes 1 --seed 1 --minutes 10

Prints a line for each run that broke something, with the command that repeats it, and a summary.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from tests.faults.played import Played
from tests.faults.runs import WORLDS, results, seeds_for

AT_ONCE = 4


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.faults", description="Worlds with faults.")
    parser.add_argument("--nodes", type=int, choices=WORLDS, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; others count on")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help=f"{AT_ONCE} runs")
    parser.add_argument("--reports", type=Path, help="a folder for what is known of broken runs")
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument("--runs", type=int, default=1)
    how_long.add_argument("--minutes", type=float)
    return parser.parse_args()


def main() -> int:
    options = arguments()
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
        f"{runs:,} runs, {faults.total():,} faults, {acknowledged:,} acknowledged requests, "
        f"{broken:,} broken"
    )
    for kind, number in sorted(faults.items()):
        say(f"{number:8,} {kind}")
    return 1 if broken else 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
