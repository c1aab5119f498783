from __future__ import annotations
import asyncio
from tests.cluster import playing
from tests.cluster.hall_nodes import HallNodes
from tests.cluster.runs import running
from tests.cluster.traffic import Traffic

async def test_b(halls: HallNodes) -> None:
    for i in range(15):
        async with running(halls) as run, Traffic(run) as traffic:
            b = await traffic.bettor(i % 3)
            await traffic.goes_on()
        n=(i*2) % 3
        if i % 3 == 0:
            await halls[n].kill(); await asyncio.sleep((i % 4) * 0.7); await halls[n].start()
        elif i % 3 == 1:
            halls[n].postgres.refuse(); await asyncio.sleep(1+(i % 4) * 0.5); halls[n].postgres.heal()
        else:
            halls[n].freeze(); await asyncio.sleep(1+(i % 4) * 0.5); halls[n].thaw()
        await asyncio.sleep((i % 2) * 0.7)
