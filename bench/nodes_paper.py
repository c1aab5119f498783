"""What a hundred nodes would do, reckoned from what two did."""

from __future__ import annotations

from gamehall.hall.nodes.nodes import RENEWALS
from gamehall.hall.tables.relay import HEAL_SECONDS
from nodes_usage import Usage

NODES = 100
PEOPLE = 100_000
CHANGES_EACH_SECOND = 2 * PEOPLE / 3600
"""If everyone comes and goes once an hour."""
LEASE_SECONDS = 3
FOLLOWED = 1000
"""Tables that each node follows."""


def print_paper(
    moves: list[Usage],
    tables: dict[int, Usage],
    idle: dict[int, Usage],
    person_bytes: float,
    head_us: float,
) -> None:
    near, across = moves[-2:]
    print(f"\nOn paper, {NODES} nodes of one core each, with the figures of two:")

    def cores(usage: Usage, where: str) -> None:
        node_us = usage.each_us(sum(usage.nodes))
        rate = NODES * 1e6 / node_us
        print(
            f"{where}: {rate:,.0f} moves/s if nothing else limits it; that takes "
            f"{rate * usage.each_us(usage.postgres) / 1e6:.1f} cores of PostgreSQL and "
            f"{rate * usage.each_us(usage.redis) / 1e6:.2f} of Redis (which has one)"
        )

    cores(near, "everyone at the table's node")
    cores(across, "every opponent at another node")
    single = tables[min(tables)]
    group = near.moves / max(1, near.commits)
    one_us = single.each_us(single.postgres) * single.moves / max(1, single.commits)
    group_us = near.each_us(near.postgres) * group
    print(
        f"commits: one of {single.moves / max(1, single.commits):.1f} moves takes PostgreSQL "
        f"{one_us:.0f} µs, one of {group:.0f} {group_us:.0f} µs: "
        f"a core does {1e6 / one_us:,.0f} or {1e6 / group_us:,.0f} a second"
    )
    in_each = idle[0].redis_in_bytes / idle[0].seconds / 2
    renewals = NODES * RENEWALS / LEASE_SECONDS
    print(
        f"idle: {renewals:.0f} renewals/s; {NODES * in_each / 1000:.0f} KB/s into Redis, and of "
        f"its reminders at most {NODES * NODES * in_each / 1e6:.1f} MB/s out, "
        f"{NODES * NODES:,} deliveries/s"
    )
    print(
        f"presence: {PEOPLE:,} people who come and go once an hour are "
        f"{CHANGES_EACH_SECOND:.0f} changes/s × {person_bytes:.0f} B × {NODES} nodes = "
        f"{CHANGES_EACH_SECOND * person_bytes * NODES / 1e6:.2f} MB/s out of Redis, and "
        f"{PEOPLE * person_bytes / 1e6:.0f} MB to each node that joins"
    )
    compared = NODES * FOLLOWED / HEAL_SECONDS
    print(
        f"heads: {NODES} × {FOLLOWED:,} followed tables, compared every {HEAL_SECONDS:.0f} s, are "
        f"{NODES / HEAL_SECONDS:.0f} queries/s and {compared * head_us / 1e6:.2f} cores of "
        "PostgreSQL"
    )
    published = across.redis_in_bytes / max(1, across.moves)
    print(
        f"one table that all {NODES} nodes follow: {NODES - 1} publications for each move, "
        f"{(NODES - 1) * single.redis_in_bytes / max(1, single.moves) / 1000:.0f} KB; "
        f"a game across two takes {published:.0f} B a move"
    )
