"""Many runs, several at once, each world in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib import import_module
from itertools import count
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from tests.faults.disk import library
from tests.faults.played import Broken, Play, Played

WORLDS = {1: "tests.faults.one_node", 3: "tests.faults.three_nodes"}
"""The module with the `play` of each, by its number of nodes."""
LINE_MAX = 300


def begin(numbers: SimpleQueue[int], preloaded: str) -> None:
    """What each process that plays has of its own: ports, and a forge of halls with the disk."""
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


def seeds_for(minutes: float, first: int) -> Iterator[int]:
    """Those to play, until the time is over."""
    end = time.monotonic() + minutes * 60
    for seed in count(first):
        if time.monotonic() > end:
            return
        yield seed


def results(
    nodes: int, seeds: Iterable[int], at_once: int
) -> Iterator[tuple[int, Played | Broken]]:
    """Each seed and how its run went, as they end."""
    spawned = multiprocessing.get_context("spawn")
    numbers = spawned.SimpleQueue()
    for number in range(at_once):
        numbers.put(number)
    with ProcessPoolExecutor(at_once, spawned, begin, (numbers, str(library()))) as pool:
        playing: dict[Future[Played | Broken], int] = {}
        left = iter(seeds)
        while True:
            while len(playing) < at_once and (seed := next(left, None)) is not None:
                playing[pool.submit(play_one, nodes, seed)] = seed
            if not playing:
                return
            for ended in wait(playing, return_when=FIRST_COMPLETED).done:
                yield playing.pop(ended), ended.result()
