"""Moves per second and processor time of a move, by store, bus and number of nodes."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from nodes_load import Load
from nodes_servers import Shared
from nodes_usage import Meter, Usage

WARM_SECONDS = 1.0
ROUNDS = 2
"""All forms in turn, so that what else the machine does falls on all of them."""


class Form(NamedTuple):
    """A hall that is measured."""

    name: str
    nodes: int
    postgres: bool = True
    redis: bool = True
    across: bool = False
    """The opponent is at another node than the table."""


FORMS = (
    Form("1 node, SQLite", 1, postgres=False, redis=False),
    Form("1 node, PostgreSQL", 1, redis=False),
    Form("1 node, PostgreSQL, Redis", 1),
    Form("2 nodes", 2),
    Form("2 nodes, opponents at the other", 2, across=True),
)
ONE_NODE = 2
"""What two nodes are compared with."""


async def measure_moves(shared: Shared, tables: int, seconds: float) -> list[Usage]:
    usages = [await _closed_loop(shared, form, tables, seconds) for form in FORMS]
    for _ in range(ROUNDS - 1):
        for place, form in enumerate(FORMS):
            more = await _closed_loop(shared, form, tables, seconds)
            usages[place] = usages[place].plus(more)
    one = usages[ONE_NODE]
    one_us = one.each_us(one.servers)
    print(f"\nMoves: closed loop, {tables} tables for each node; CPU in µs for each move")
    print(
        f"{'':33}moves/s ÷ SQLite ÷ 1 node | nodes PostgreSQL Redis   all ÷ 1 node |"
        " moves/commit | cores busy, by the load"
    )
    for form, usage in zip(FORMS, usages, strict=True):
        all_us = usage.each_us(usage.servers)
        grouped = f"{usage.moves / max(1, usage.commits):13.1f}" if form.postgres else f"{'':13}"
        print(
            f"{form.name:33}{usage.rate:7.0f}{usage.rate / usages[0].rate:9.2f}"
            f"{usage.rate / one.rate:9.2f} |{usage.each_us(sum(usage.nodes)):6.0f}"
            f"{usage.each_us(usage.postgres):11.0f}{usage.each_us(usage.redis):6.1f}{all_us:6.0f}"
            f"{all_us / one_us:9.2f} |{grouped} |{usage.cores:11.2f}"
            f"{usage.load / usage.seconds:13.2f}"
        )
    return usages


async def _closed_loop(shared: Shared, form: Form, tables: int, seconds: float) -> Usage:
    with await shared.new_hall(postgres=form.postgres, redis=form.redis) as hall:
        nodes = hall.start(form.nodes)
        load = Load()
        for place, node in enumerate(nodes):
            other = nodes[place - 1] if form.across else node
            await load.begin(tables, node.url, (node.url, other.url))
        load.start_all()
        await asyncio.sleep(WARM_SECONDS)
        meter = await Meter.begin(shared, nodes, load)
        await asyncio.sleep(seconds)
        usage = await meter.end()
        load.check()
        return usage
