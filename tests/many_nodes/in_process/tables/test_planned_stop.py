"""A node stops in peace while another is about to follow it: nobody waits for one that has left."""

from __future__ import annotations

import pytest

import gamehall.hall.tables.relay as relay
from gamehall.store.journals import Line
from gamehall.store.nodes import Claim, Owned
from tests.hall.halls import until
from tests.many_nodes.in_process.halls import NodeHall, nodes


@pytest.fixture(autouse=True)
def _heads_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """So late would it be found out otherwise."""
    monkeypatch.setattr(relay, "HEAL_SECONDS", 600.0)


async def stops(node: NodeHall, other: NodeHall) -> None:
    """Returns when the other has heard of it."""
    name = node.hall.rooms.nodes.name
    await node.stop()
    await until(lambda: name not in other.hall.rooms.nodes.live)


async def test_an_owner_that_leaves_before_it_is_asked_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        claim, follow = b.database.claim, b.hall.rooms.tables.relay.follow
        followed: list[str] = []

        async def late_claim(id: int, node: str = "") -> Claim | Owned | None:
            claimed = await claim(id, node)
            if isinstance(claimed, Owned):
                await stops(a, b)
            return claimed

        async def noted_follow(id: int, node: str) -> None:
            followed.append(node)
            await follow(id, node)

        monkeypatch.setattr(b.database, "claim", late_claim)
        monkeypatch.setattr(b.hall.rooms.tables.relay, "follow", noted_follow)
        found = await b.hall.rooms.tables.load(table)
        assert found.owned
        assert not followed


async def test_an_owner_that_leaves_after_it_was_asked_is_not_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as (a, b):
        table = await a.hall.rooms.tables.open("connect-four", {}, drawn=False)
        read = b.database.read

        async def late_read(id: int, after: int, limit: int) -> list[Line]:
            lines = await read(id, after, limit)
            await stops(a, b)
            return lines

        monkeypatch.setattr(b.database, "read", late_read)
        found = await b.hall.rooms.tables.load(table)
        assert found.owned
