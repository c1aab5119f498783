"""Plays worlds with faults, for as long as one likes.

python -m tests.faults --nodes 1 --seed 1 --minutes 10

Prints a line for each run that broke something, with the command that repeats it, and a summary.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib import import_module
from itertools import count
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from tests.faults.disk import library
from tests.faults.played import Broken, Play, Played

WORLDS = {1: "tests.faults.one_node"}
"""The module with the `play` of each, by its number of nodes."""
AT_ONCE = 4
LINE_MAX = 300


def begin(numbers: SimpleQueue[int], preloaded: str) -> None:
    """What each process that plays has of its own: ports, and halls that are forked with the disk."""
    os.environ["PYTEST_XDIST_WORKER"] = f"gw{numbers.get()}"
    os.environ["LD_PRELOAD"] = preloaded


def play_one(nodes: int, seed: int) -> Played | Broken:
    """How the run went."""
    play: Play = import_module(WORLDS[nodes]).play
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        try:
            return play(seed, Path(folder))
        except Exception as error:  # noqa: BLE001 (whatever it is, the run is broken)
            what = traceback.format_exception_only(error)[0]
            return Broken(" ".join(what.split())[:LINE_MAX], traceback.format_exc())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.faults", description="Worlds with faults.")
    parser.add_argument("--nodes", type=int, choices=WORLDS, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; others count on")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help=f"{AT_ONCE} runs")
    how_long = parser.add_mutually_exclusive_group()
    how_long.add_argument("--runs", type=int, default=1)
    how_long.add_argument("--minutes", type=float)
    return parser.parse_args()


def seeds(options: argparse.Namespace) -> Iterator[int]:
    """Those to play, until the time is over."""
    if options.minutes is None:
        yield from range(options.seed, options.seed + options.runs)
        return
    end = time.monotonic() + options.minutes * 60
    for seed in count(options.seed):
        if time.monotonic() > end:
            return
        yield seed


def results(options: argparse.Namespace) -> Iterator[tuple[int, Played | Broken]]:
    """Each seed and how its run went, as they end."""
    spawned = multiprocessing.get_context("spawn")
    numbers = spawned.SimpleQueue()
    for number in range(options.at_once):
        numbers.put(number)
    surroundings = (numbers, str(library()))
    with ProcessPoolExecutor(options.at_once, spawned, begin, surroundings) as pool:
        playing: dict[Future[Played | Broken], int] = {}
        left = seeds(options)
        while True:
            while len(playing) < options.at_once and (seed := next(left, None)) is not None:
                playing[pool.submit(play_one, options.nodes, seed)] = seed
            if not playing:
                return
            for ended in wait(playing, return_when=FIRST_COMPLETED).done:
                yield playing.pop(ended), ended.result()


def main() -> int:
    options = arguments()
    faults: Counter[str] = Counter()
    runs = acknowledged = broken = 0
    for seed, played in results(options):
        runs += 1
        if isinstance(played, Played):
            faults += played.faults
            acknowledged += played.acknowledged
            continue
        broken += 1
        say(f"python -m tests.faults --nodes {options.nodes} --seed {seed}: {played.what}")
        if options.minutes is None and options.runs == 1:
            say(played.whole)
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
