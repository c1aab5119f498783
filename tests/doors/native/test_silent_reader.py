"""Who never reads, and so shows no life, is dropped when `limits.idle_seconds` are over."""

from __future__ import annotations

import asyncio

from tests.doors.native.bystanders import undisturbed
from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import match
from tests.doors.native.test_slow_reader import LARGEST, ask_for_views, doors, spectator
from tests.doors.native.visitors import Visitors

SETTINGS = ("limits.messages_per_second=0", "limits.idle_seconds=2")


@doors
async def test_one_that_never_reads_is_dropped(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob, **LARGEST)
    slow = await spectator(at, table, door)
    ask_for_views(slow, table)
    async with undisturbed(at.hall), asyncio.timeout(60):
        while slow.id in await ids_here(anna):
            await asyncio.sleep(0.1)
    slow.answers.clear()


async def ids_here(client: Client) -> set[int]:
    players = (await client.ask("list_players", limit=200))["players"]
    return {player["id"] for player in players}
