"""Many nodes: what they cost and what they bring.

    python bench/nodes.py [--quick]
"""

from __future__ import annotations

import argparse
import time

import uvloop

from nodes_moves import measure_moves
from nodes_servers import Shared, shared


async def measure(servers: Shared, quick: bool) -> None:
    await measure_moves(servers, 100, 2 if quick else 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    arguments = parser.parse_args()
    began = time.monotonic()
    with shared() as servers:
        uvloop.run(measure(servers, arguments.quick))
        faults = servers.faults()
    print(f"\nwhole run {time.monotonic() - began:.0f} s; nodes logged {dict(faults) or 'no fault'}")


if __name__ == "__main__":
    main()
