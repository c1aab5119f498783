"""A lead that asks itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from gamehall.bus.local import LocalBus
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.lead import Lead
from gamehall.hall.nodes.nodes import Nodes


class Wish(Body, frozen=True):
    pass


class LeadingNode:
    """It leads, once the others know it."""

    leads = True

    def __init__(self, name: str) -> None:
        self.name = self.lead = name
        self.settling_seconds = 0.0

    @property
    def decides(self) -> bool:
        return not self.settling_seconds


def make_lead(asked: Callable[[], None] = lambda: None) -> tuple[Lead, LeadingNode]:
    """`asked` is called with each wish."""
    exchange = Exchange(LocalBus())
    node = LeadingNode(exchange.node)
    return Lead(exchange, cast(Nodes, node), asked), node


async def test_a_wish_that_was_given_up_before_the_node_leads_is_not_decided() -> None:
    has_asked = asyncio.Event()
    lead, node = make_lead(has_asked.set)
    node.settling_seconds = 0.05
    decided: list[str] = []

    def decide(_: str, wish: Wish, reply: Answering) -> None:
        decided.append("")
        reply(wish)

    lead.serve("wish", Wish, decide)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(lead.ask("wish", Wish(), Wish, 5), 0.01)
    has_asked.clear()
    asked: asyncio.Task[Any] = asyncio.create_task(lead.ask("wish", Wish(), Wish, 5))
    await has_asked.wait()
    node.settling_seconds = 0.0
    assert await asked == Wish()
    assert len(decided) == 1
