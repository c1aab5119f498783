"""Packets go out one by one, also from a loop that is held up."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable

import pytest
import uvloop

from gamehall.limits import Limits
from gamehall.wire.bingo.duel_codec import DuelCodec
from gamehall.wire.net.keeper import Doorkeeper
from gamehall.wire.net.outbox import WAITING_MAX, Outbox
from gamehall.wire.net.shell import Channel, Conversation
from gamehall.wire.net.tcp import serve_tcp
from tests.support.waiting import WAIT_SECONDS

GAP_SECONDS = 0.5
"""Within it, the client reads on a busy machine too."""
PACKETS = [b"one", b"two", b"three", b"four"]


class Sender(Conversation):
    """The server's side of a connection, with an outbox."""

    def __init__(self, channel: Channel, gap_seconds: float) -> None:
        self.channel = channel
        self.out = Outbox(channel, gap_seconds)

    def lost(self) -> None:
        self.out.stop()


async def reads_of(send: Callable[[Outbox], None], gap_seconds: float = GAP_SECONDS) -> list[bytes]:
    """What a client gets with each `recv`, until the server closes."""
    senders: list[Sender] = []

    def converse(channel: Channel) -> Sender:
        senders.append(Sender(channel, gap_seconds))
        asyncio.get_running_loop().call_soon(send, senders[0].out)
        return senders[0]

    keeper = Doorkeeper(Limits())
    door = await serve_tcp(keeper, "duel", "127.0.0.1", 0, converse, lambda: DuelCodec(100))

    def read() -> list[bytes]:
        with socket.create_connection(("127.0.0.1", door.port), WAIT_SECONDS) as client:
            found = []
            while data := client.recv(65536):
                found.append(data)
            return found

    try:
        return await asyncio.to_thread(read)
    finally:
        await door.close()
        await keeper.close()


def all_and_end(out: Outbox) -> None:
    for packet in PACKETS:
        out.send(packet)
    out.finish()
    out.send(b"too late")


async def test_each_packet_comes_in_a_read_of_its_own() -> None:
    assert await reads_of(all_and_end) == PACKETS


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_loop_that_is_held_up_does_not_join_them(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    def send(out: Outbox) -> None:
        all_and_end(out)
        # In this turn of the loop, and in the one in which the packet is written.
        hold_up()
        asyncio.get_running_loop().call_soon(hold_up)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(reads_of(send)) == PACKETS


def hold_up() -> None:
    until = time.monotonic() + 1.5 * GAP_SECONDS
    while time.monotonic() < until:
        pass


async def test_without_a_gap_they_come_together() -> None:
    assert await reads_of(all_and_end, gap_seconds=0) == [b"".join(PACKETS)]


async def test_who_is_in_a_hurry_gets_the_rest_at_once() -> None:
    def send(out: Outbox) -> None:
        for packet in PACKETS:
            out.send(packet)
        out.hurry()
        out.finish()

    assert b"".join(await reads_of(send, gap_seconds=3600)) == b"".join(PACKETS)


async def test_too_much_that_waits_ends_the_connection() -> None:
    def send(out: Outbox) -> None:
        for _ in range(WAITING_MAX + 2):
            out.send(b"x")

    assert b"".join(await reads_of(send, gap_seconds=3600)) in (b"", b"x")
