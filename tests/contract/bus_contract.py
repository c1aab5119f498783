"""What holds for every bus, and what holds for every bus between nodes.

Inherit one of them, say how a bus is made, and pytest runs it all:

    class TestMyBus(ManyNodesContract):
        @pytest.fixture
        def new_bus(self) -> Callable[[], Bus]:
            ...
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from gamehall.bus.bus import Bus
from tests.store.stores import until

NewBus = Callable[[], Bus]


class Node:
    """A node that keeps what it gets."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.got: list[tuple[str, bytes]] = []
        self.backs = 0

    def receive(self, sender: str, message: bytes) -> None:
        self.got.append((sender, message))

    def back(self) -> None:
        self.backs += 1

    def numbers(self, sender: str) -> list[int]:
        """What that node sent, if it sent numbers."""
        return [int(message) for whose, message in self.got if whose == sender]


@asynccontextmanager
async def joined(*buses: Bus) -> AsyncIterator[list[Node]]:
    nodes = [Node(bus) for bus in buses]
    try:
        for node in nodes:
            await node.bus.start(node.receive, node.back)
        yield nodes
    finally:
        for node in nodes:
            await node.bus.close()


class BusContract:
    @pytest.fixture
    def new_bus(self) -> NewBus:
        raise NotImplementedError("say how a bus is made")

    async def test_it_says_when_messages_can_first_pass(self, new_bus: NewBus) -> None:
        async with joined(new_bus()) as [node]:
            await until(lambda: node.backs)
            await node.bus.ping()
            assert node.backs == 1

    async def test_nobody_hears_himself(self, new_bus: NewBus) -> None:
        async with joined(new_bus()) as [node]:
            node.bus.tell_all(b"all")
            node.bus.send(node.bus.node, b"me")
            await node.bus.ping()
            assert node.got == []

    async def test_what_goes_to_nobody_is_lost(self, new_bus: NewBus) -> None:
        async with joined(new_bus()) as [node]:
            node.bus.send("nobody", b"hello")
            node.bus.tell_all(b"hello")
            await node.bus.ping()
            assert node.got == []

    async def test_one_that_is_not_started_or_is_closed_does_nothing(self, new_bus: NewBus) -> None:
        bus = new_bus()
        bus.send("nobody", b"too early")
        bus.tell_all(b"too early")
        await bus.close()
        async with joined(bus):
            pass
        bus.send("nobody", b"too late")
        bus.tell_all(b"too late")
        await bus.close()


class ManyNodesContract(BusContract):
    async def test_each_node_has_a_name_of_its_own(self, new_bus: NewBus) -> None:
        buses = [new_bus() for _ in range(10)]
        assert len({bus.node for bus in buses} - {""}) == 10
        assert not any(bus.alone for bus in buses)

    async def test_a_message_reaches_one_node_and_says_from_whom(self, new_bus: NewBus) -> None:
        async with joined(new_bus(), new_bus(), new_bus()) as [ada, bob, eve]:
            ada.bus.send(bob.bus.node, b"hello")
            await until(lambda: bob.got)
            await eve.bus.ping()
            assert bob.got == [(ada.bus.node, b"hello")]
            assert eve.got == []

    async def test_a_message_for_all_reaches_every_other(self, new_bus: NewBus) -> None:
        async with joined(new_bus(), new_bus(), new_bus()) as [ada, bob, eve]:
            ada.bus.tell_all(b"hello")
            await until(lambda: bob.got and eve.got)
            await ada.bus.ping()
            assert bob.got == eve.got == [(ada.bus.node, b"hello")]
            assert ada.got == []

    @pytest.mark.parametrize("size", [0, 1, 5_000_000])
    async def test_a_message_comes_as_it_was_sent(self, new_bus: NewBus, size: int) -> None:
        message = (bytes(range(256)) * (size // 256 + 1))[:size]
        async with joined(new_bus(), new_bus()) as [ada, bob]:
            for text in (b"before", message, b"after"):
                ada.bus.send(bob.bus.node, text)
            await until(lambda: len(bob.got) == 3)
            assert [text for _, text in bob.got] == [b"before", message, b"after"]

    async def test_messages_for_one_and_for_all_keep_their_order(self, new_bus: NewBus) -> None:
        async with joined(new_bus(), new_bus(), new_bus()) as [ada, bob, eve]:
            for number in range(300):
                message = b"%d" % number
                if number % 5 == 1:
                    ada.bus.tell_all(message)
                else:
                    ada.bus.send(bob.bus.node, message)
                    ada.bus.send(eve.bus.node, message)
            await until(lambda: len(bob.got) == len(eve.got) == 300)
            for node in (bob, eve):
                assert node.numbers(ada.bus.node) == list(range(300))

    async def test_each_sender_keeps_its_order_under_load(self, new_bus: NewBus) -> None:
        async def chatter(sender: Node, to: str) -> None:
            for number in range(20_000):
                sender.bus.send(to, b"%d" % number)
                if number % 100 == 0:
                    await asyncio.sleep(0)

        async with joined(new_bus(), new_bus(), new_bus()) as [ada, bob, eve]:
            await asyncio.gather(*(chatter(sender, eve.bus.node) for sender in (ada, bob)))
            await until(lambda: len(eve.got) == 40_000)
            for sender in (ada, bob):
                assert eve.numbers(sender.bus.node) == list(range(20_000))

    async def test_what_was_sent_before_closing_arrives(self, new_bus: NewBus) -> None:
        async with joined(new_bus(), new_bus()) as [ada, bob]:
            for number in range(5000):
                ada.bus.send(bob.bus.node, b"%d" % number * 100)
            await ada.bus.close()
            await until(lambda: len(bob.got) == 5000)

    async def test_nobody_hears_anything_once_closed(self, new_bus: NewBus) -> None:
        async with joined(new_bus(), new_bus(), new_bus()) as [ada, bob, eve]:
            await bob.bus.close()
            ada.bus.send(bob.bus.node, b"hello")
            ada.bus.tell_all(b"hello")
            await until(lambda: eve.got)
            assert bob.got == []

    async def test_a_message_that_cannot_be_handled_stops_no_other(self, new_bus: NewBus) -> None:
        ada, bob = Node(new_bus()), Node(new_bus())

        def receive(sender: str, message: bytes) -> None:
            if message == b"bad":
                raise RuntimeError("our fault")
            bob.receive(sender, message)

        async with joined(ada.bus):
            await bob.bus.start(receive, bob.back)
            for message in (b"bad", b"good"):
                ada.bus.send(bob.bus.node, message)
            await until(lambda: bob.got)
            await bob.bus.close()
        assert bob.got == [(ada.bus.node, b"good")]
        assert bob.backs == 1
