"""Moves per second and processor time of a move, by store, bus and number of nodes."""

from __future__ import annotations

import asyncio

from nodes_load import Load
from nodes_servers import Shared
from nodes_usage import Meter, Usage

HALLS = (
    ("1 node, SQLite", 1, False, False),
    ("1 node, PostgreSQL", 1, True, False),
    ("1 node, PostgreSQL, Redis", 1, True, True),
    ("2 nodes, PostgreSQL, Redis", 2, True, True),
)


async def measure_moves(shared: Shared, tables: int, seconds: float) -> None:
    print(f"\nMoves: {tables} tables at each node, both players there, closed loop")
    print(
        f"{'':28}moves/s  ÷ first  ÷ third | CPU µs of a move: nodes PostgreSQL Redis   all"
        "  ÷ third | moves/commit, cores busy, of them the load"
    )
    rows: list[Usage] = []
    for name, number, postgres, redis in HALLS:
        usage = await _closed_loop(shared, number, postgres, redis, tables, seconds)
        rows.append(usage)
        whole = [
            each.each_us(sum(each.nodes) + each.postgres * (i > 0) + each.redis * (i > 1))
            for i, each in enumerate(rows)
        ]
        third = rows[min(2, len(rows) - 1)]
        print(
            f"{name:28}{usage.rate:7.0f}{usage.rate / rows[0].rate:9.2f}"
            f"{usage.rate / third.rate if len(rows) > 2 else 0:9.2f} |"
            f"{usage.each_us(sum(usage.nodes)):24.0f}"
            f"{usage.each_us(usage.postgres) * postgres:11.0f}"
            f"{usage.each_us(usage.redis) * redis:6.0f}{whole[-1]:6.0f}"
            f"{whole[-1] / whole[2] if len(rows) > 2 else 0:9.2f} |"
            f"{usage.moves / max(1, usage.transactions) * postgres:8.1f}"
            f"{usage.cores:10.2f}{usage.load / usage.seconds:10.2f}"
        )


async def _closed_loop(
    shared: Shared, number: int, postgres: bool, redis: bool, tables: int, seconds: float
) -> Usage:
    with await shared.new_hall(postgres=postgres, redis=redis) as hall:
        nodes = hall.start(number)
        load = Load()
        for node in nodes:
            await load.begin(tables, node.url, (node.url, node.url))
        load.start_all()
        await asyncio.sleep(1)
        meter = await Meter.begin(shared, nodes, load)
        await asyncio.sleep(seconds)
        usage = await meter.end()
        load.check()
        return usage
