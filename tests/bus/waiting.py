"""What tests of buses wait for."""

from __future__ import annotations

import asyncio

from gamehall.errors import Unavailable
from tests.contract.bus_contract import Node
from tests.store.stores import until
from tests.support.waiting import WAIT_SECONDS


async def is_away(node: Node) -> bool:
    try:
        await node.bus.ping()
    except Unavailable:
        return True
    return False


async def gone(*nodes: Node) -> None:
    """Returns when each has noticed."""
    async with asyncio.timeout(WAIT_SECONDS):
        for node in nodes:
            while not await is_away(node):
                await asyncio.sleep(0.002)


async def heard(node: Node, messages: int) -> None:
    await until(lambda: len(node.got) == messages)


async def returned(ada: Node, bob: Node, times: int) -> None:
    await until(lambda: ada.backs == bob.backs == times)


async def talk(sender: Node, receiver: Node, number: int) -> None:
    """Returns when a message has passed; it may be said again, as the receiver may not yet be back
    when the sender is."""
    async with asyncio.timeout(WAIT_SECONDS):
        while (sender.bus.node, b"%d" % number) not in receiver.got:
            sender.bus.send(receiver.bus.node, b"%d" % number)
            await asyncio.sleep(0.02)
