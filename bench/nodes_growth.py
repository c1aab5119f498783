"""What a move costs the owner and a node that follows, as spectators and tables become more."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from gamehall.store.postgres.store import PostgresStore
from nodes_connection import Connection, connected
from nodes_load import TOGETHER, Load
from nodes_processes import Hall, Node
from nodes_servers import Shared
from nodes_usage import Usage, paced

SPECTATOR_RATE = 50.0
"""Moves a second of the one table that is watched."""
TABLES_RATE = 200.0
"""Moves a second of all tables together, however many they are."""
WATCHED = 25
"""Tables that one connection watches; 32 are allowed."""
COMPARISONS = 100
GATHER_SECONDS = 0.5
"""After which every change is told: who came, and how many watch."""


async def measure_spectators(shared: Shared, numbers: Sequence[int], seconds: float) -> float:
    """Prints a row for each; the bytes that are published for each who comes."""
    usages: dict[int, Usage] = {}
    crowd: list[Connection] = []
    person_bytes = lost = 0.0
    with await shared.new_hall() as hall:
        owner, other = hall.start(2)
        load = Load(careful=True)
        await load.begin(1, owner.url, (owner.url, owner.url))
        idle = await paced(shared, hall.nodes, load, 0, seconds)
        for number in numbers:
            before = shared.redis_stats()
            came = await _come(other, number - len(crowd))
            await asyncio.sleep(GATHER_SECONDS)
            published = shared.redis_stats().in_bytes - before.in_bytes
            person_bytes = published / max(1, len(came))
            await _watch(came, [load.games[0].table])
            crowd += came
            await asyncio.sleep(GATHER_SECONDS)
            seen, moves = sum(one.moves_seen for one in crowd), load.moves
            usage = await paced(shared, hall.nodes, load, SPECTATOR_RATE, seconds)
            await asyncio.sleep(GATHER_SECONDS)
            told = sum(one.moves_seen for one in crowd) - seen
            lost += (load.moves - moves) * number - told
            usages[number] = usage.above(idle)
    print(f"\nSpectators at the other node, of one table with {SPECTATOR_RATE:.0f} moves/s")
    _table("spectators", usages)
    print(f"notices that did not come: {lost:.0f}; each who came was told in {person_bytes:.0f} B")
    return person_bytes


async def measure_tables(
    shared: Shared, numbers: Sequence[int], seconds: float
) -> tuple[dict[int, Usage], dict[int, Usage], float]:
    """By number of tables: while they are played, without the cost of idling, and idle; and the
    processor µs that PostgreSQL takes to tell the head of one."""
    usages: dict[int, Usage] = {}
    idle: dict[int, Usage] = {}
    with await shared.new_hall() as hall:
        owner, other = hall.start(2)
        load = Load(careful=True)
        idle[0] = await paced(shared, hall.nodes, load, 0, seconds)
        for number in numbers:
            known = len(load.games)
            await load.begin(number - known, owner.url, (owner.url, owner.url))
            tables = [game.table for game in load.games[known:]]
            for start in range(0, len(tables), WATCHED):
                one = await connected(Connection(), other.url)
                await _watch([one], tables[start : start + WATCHED])
            await asyncio.sleep(GATHER_SECONDS)
            idle[number] = await paced(shared, hall.nodes, load, 0, seconds)
            usage = await paced(shared, hall.nodes, load, TABLES_RATE, seconds)
            usages[number] = usage.above(idle[number])
        head_us = await _head_us(shared, hall, [game.table for game in load.games])
    print(f"\nTables, all followed at the other node; {TABLES_RATE:.0f} moves/s in all")
    _table("tables", usages)
    print(
        "idle:     | CPU ms/s: owner  follower PostgreSQL Redis | commits/s | B/s into Redis, out"
    )
    for number, usage in idle.items():
        used = (*usage.nodes, usage.postgres, usage.redis)
        owner_ms, follower_ms, postgres_ms, redis_ms = (cpu / usage.seconds * 1000 for cpu in used)
        print(
            f"{number:9} |{owner_ms:16.1f}{follower_ms:10.1f}{postgres_ms:11.1f}{redis_ms:6.1f} |"
            f"{usage.commits / usage.seconds:10.1f} |{usage.redis_in_bytes / usage.seconds:15.0f}"
            f"{usage.redis_out_bytes / usage.seconds:5.0f}"
        )
    print(f"a comparison of heads takes PostgreSQL {head_us:.1f} µs for each table")
    return usages, idle, head_us


async def _head_us(shared: Shared, hall: Hall, tables: Sequence[int]) -> float:
    store = PostgresStore(hall.store_url)
    await store.start()
    try:
        await store.heads(tables)
        before = shared.postgres.cpu_seconds()
        for _ in range(COMPARISONS):
            await store.heads(tables)
        used = shared.postgres.cpu_seconds() - before
    finally:
        await store.stop()
    return used / COMPARISONS / len(tables) * 1e6


async def _come(node: Node, number: int) -> list[Connection]:
    came: list[Connection] = []
    for start in range(0, number, TOGETHER):
        new = [Connection() for _ in range(min(TOGETHER, number - start))]
        came += await asyncio.gather(*(connected(one, node.url) for one in new))
    return came


async def _watch(connections: Sequence[Connection], tables: Sequence[int]) -> None:
    for start in range(0, len(connections), TOGETHER):
        some = connections[start : start + TOGETHER]
        for table in tables:
            await asyncio.gather(*(one.ask("watch", table=table) for one in some))


def _table(what: str, usages: Mapping[int, Usage]) -> None:
    """A row for each number, beside the first at which anything is followed."""
    base = next(usage for number, usage in usages.items() if number)
    print(
        f"{what:10}| CPU µs of a move: owner  follower PostgreSQL Redis | ÷: owner  follower |"
        " B of a move into Redis, out"
    )
    for number, usage in usages.items():
        owner, follower = usage.nodes
        moves = max(1, usage.moves)
        print(
            f"{number:9} |{usage.each_us(owner):24.0f}{usage.each_us(follower):10.0f}"
            f"{usage.each_us(usage.postgres):11.0f}{usage.each_us(usage.redis):6.0f} |"
            f"{usage.each_us(owner) / base.each_us(base.nodes[0]):9.2f}"
            f"{usage.each_us(follower) / base.each_us(base.nodes[1]):10.2f} |"
            f"{usage.redis_in_bytes / moves:23.0f}{usage.redis_out_bytes / moves:5.0f}"
        )
