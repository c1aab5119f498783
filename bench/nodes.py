"""Many nodes: moves and their cost, what crossing nodes adds, growth, and fail-over, in one run.

    python bench/nodes.py
    python bench/nodes.py --quick

PostgreSQL with fsync on, Redis, one or two nodes (more where some are killed) and the load, which
is one process, share the cores of this machine, unpinned: on two cores a second node brings what
the others leave over. So the processor time of a move, which other load changes less, says more
than the rate. Limits of connections and messages are off.
"""

from __future__ import annotations

import argparse
import time

import uvloop

from broadcast import allow_many_files
from nodes_crossing import measure_crossing
from nodes_failover import measure_kills, measure_stops
from nodes_growth import measure_spectators, measure_tables
from nodes_moves import measure_moves
from nodes_paper import print_paper
from nodes_servers import Shared, shared
from servers import UNLIMITED

FILES = 6000


async def measure(servers: Shared, quick: bool) -> None:
    moves = await measure_moves(servers, 100, 1 if quick else 3)
    await measure_crossing(servers, 10, 3 if quick else 8)
    spectators = (0, 1, 100) if quick else (0, 1, 100, 1000)
    person_bytes = await measure_spectators(servers, spectators, 2 if quick else 4)
    numbers = (10, 100) if quick else (10, 100, 500)
    tables, idle, head_us = await measure_tables(servers, numbers, 2 if quick else 4)
    print("\nFail-over, for players at a node that stays, a move every 20 ms")
    for lease_seconds in (1, 3):
        await measure_kills(servers, lease_seconds, 3 if quick else 7)
    await measure_stops(servers, 2 if quick else 5)
    print_paper(moves, tables, idle, person_bytes, head_us)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    arguments = parser.parse_args()
    allow_many_files(FILES)
    print(f"limits off: {', '.join(UNLIMITED)}")
    began = time.monotonic()
    with shared() as servers:
        uvloop.run(measure(servers, arguments.quick))
        faults = servers.faults()
    said = ", ".join(f"{what} ({times} times)" for what, times in faults.items())
    print(f"\n{time.monotonic() - began:.0f} s; nodes logged {said or 'no warning and no error'}")


if __name__ == "__main__":
    main()
