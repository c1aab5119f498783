"""How much later a player hears something when its table is played at another node."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Sequence

from nodes_load import Load, Timed
from nodes_servers import Shared

RATE = 60.0
"""Moves a second of all tables of one kind: few enough that hardly any two meet."""


async def measure_crossing(shared: Shared, tables: int, seconds: float) -> None:
    print(f"\nCrossing nodes: 3 × {tables} tables, {RATE:.0f} moves/s of each kind at a time")
    with await shared.new_hall() as hall:
        owner, other = hall.start(2)
        near, across, away = (Load(careful=True) for _ in range(3))
        await near.begin(tables, owner.url, (owner.url, owner.url))
        await across.begin(tables, owner.url, (owner.url, other.url))
        await away.begin(tables, owner.url, (other.url, other.url))
        loads = (near, across, away)
        await asyncio.gather(*(load.pace(RATE, 1) for load in loads))
        for load in loads:
            load.acts.clear()
            load.notices.clear()
        await asyncio.gather(*(load.pace(RATE, seconds) for load in loads))
        await asyncio.sleep(0.2)
    print(f"{'':60}median    95 %   ÷ at one node: median  95 %")
    base = _row("answer to a move, at the owner's node", near.acts)
    _row("answer to a move, at the other node", [*_of(across.acts, True), *away.acts], base)
    base = _row("notice of it, both at the owner's node", near.notices)
    _row(
        "notice, mover at the owner's node, opponent at the other", _of(across.notices, False), base
    )
    _row(
        "notice, mover at the other node, opponent at the owner's", _of(across.notices, True), base
    )
    _row("notice, both at the other node", away.notices, base)


def _of(times: Sequence[Timed], far: bool) -> list[Timed]:
    return [timed for timed in times if timed.far == far]


def _row(
    name: str, times: Sequence[Timed], base: tuple[float, float] | None = None
) -> tuple[float, float]:
    """The median and the time that 95 % take at the most, printed."""
    every = [timed.seconds * 1000 for timed in times]
    median, most = statistics.median(every), statistics.quantiles(every, n=20)[-1]
    first = base or (median, most)
    print(f"{name:58}{median:5.1f} ms{most:5.1f} ms{median / first[0]:24.2f}{most / first[1]:6.2f}")
    return median, most
