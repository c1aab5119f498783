"""What every shell keeps to, whatever it runs over: limits, order, slow readers, the end."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest

from gamehall.limits import Limits
from tests.support.waiting import WAIT_SECONDS
from tests.wire.net.doors import Client, Echo, ask, open_doors, request, until

BOTH_LOOPS = True

kinds = pytest.mark.parametrize("kind", ["ws", "tcp"])
# Below the 64 KB at which transports speak up by themselves.
SLOW = Limits(unsent_bytes=40_000)
CHUNK = b"x" * 2_000


@kinds
async def test_what_is_said_in_one_turn_leaves_in_one_write_and_in_order(kind: str) -> None:
    async with open_doors() as doors:
        client = await doors.connect(kind)
        await doors.echo()
        sock = client.writer.get_extra_info("socket")
        before = _data_segments(sock)
        texts = [b"%d" % number for number in range(100)]
        client.send(*texts)
        assert [await client.receive() for _ in texts] == texts
        assert _data_segments(sock) - before == 1


def _data_segments(sock: socket.socket) -> int:
    """How many segments with data have come in: one for each write, if they are small."""
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 160)
    segments: int = struct.unpack_from("I", info, 152)[0]
    return segments


@kinds
async def test_over_the_rate_messages_are_refused_and_who_goes_on_is_closed(kind: str) -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=5)
    async with open_doors(limits) as doors:
        client, other = await doors.connect(kind), await doors.connect(kind)
        client.send(*[b"%d" % number for number in range(20)])
        assert [await client.receive() for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
        assert [await client.receive() for _ in range(6)] == [b"error rate_limited"] * 6
        await _receive_end(client, 1008)
        other.send(b"unharmed")
        assert await other.receive() == b"unharmed"
        assert (await doors.echo()).messages == [b"0", b"1", b"2", b"3", b"4"]


@kinds
async def test_the_rate_comes_back_with_time(kind: str) -> None:
    # A second for each, so that no pause of a busy machine lets the last one through.
    async with open_doors(Limits(messages_per_second=1, messages_burst=10)) as doors:
        client = await doors.connect(kind)
        texts = [b"%d" % number for number in range(10)]
        client.send(*texts, b"too many")
        assert [await client.receive() for _ in texts] == texts
        answer = await client.receive()
        assert answer == b"error rate_limited"
        async with asyncio.timeout(WAIT_SECONDS):
            while answer == b"error rate_limited":
                # So seldom that it is not closed for going on.
                await asyncio.sleep(0.2)
                client.send(b"again")
                answer = await client.receive()
        assert answer == b"again"


@kinds
async def test_garbled_messages_count_for_the_rate_too(kind: str) -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=1, message_bytes=100)
    async with open_doors(limits) as doors:
        client = await doors.connect(kind)
        client.send(b"1", b"2", b"3")
        assert await client.receive() == b"1"
        assert [await client.receive() for _ in range(2)] == [b"error rate_limited"] * 2
        await _receive_end(client, 1008)


@kinds
async def test_who_does_not_say_hello_in_time_is_told_and_closed(kind: str) -> None:
    async with open_doors(Limits(hello_seconds=1.5)) as doors:
        client, named = await doors.connect(kind), await doors.connect(kind)
        (await doors.echo(1)).channel.hello_done()
        assert await client.receive() == b"error not_logged_in"
        await _receive_end(client, 1008)
        named.send(b"still here")
        assert await named.receive() == b"still here"


@kinds
async def test_who_leaves_without_a_name_is_forgotten(kind: str) -> None:
    async with open_doors() as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        assert len(doors.keeper.unnamed) == 1
        client.writer.close()
        await until(lambda: "lost" in echo.events)
        assert len(doors.keeper.unnamed) == 0


@kinds
async def test_a_slow_reader_is_skipped_over_and_told_when_it_has_caught_up(kind: str) -> None:
    async with open_doors(SLOW) as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        _stop_reading(client)
        chunks = 0
        while echo.channel.offer(echo.channel.frame(CHUNK)):
            chunks += 1
            await asyncio.sleep(0)
        assert not echo.channel.offer(echo.channel.frame(b"skipped"))
        assert echo.say(b"owed"), "what is owed is still sent while there is room"
        assert echo.events == []
        _go_on_reading(client)
        for _ in range(chunks):
            assert await client.receive() == CHUNK
        assert await client.receive() == b"owed"
        await until(lambda: echo.events == ["drained"])
        assert echo.channel.offer(echo.channel.frame(b"fresh"))
        assert await client.receive() == b"fresh"


@kinds
async def test_offers_of_one_turn_are_bounded_too(kind: str) -> None:
    async with open_doors(SLOW) as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        offered = [echo.channel.offer(echo.channel.frame(CHUNK)) for _ in range(100)]
        assert offered == sorted(offered, reverse=True)
        assert sum(offered) == 10
        for _ in range(10):
            assert await client.receive() == CHUNK
        await until(lambda: echo.events == ["drained"])


@kinds
async def test_a_reader_that_is_too_slow_is_dropped_and_memory_stays_bounded(kind: str) -> None:
    async with open_doors(SLOW) as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        _stop_reading(client)
        most_unsent = 0
        while echo.say(CHUNK):
            most_unsent = max(most_unsent, echo.channel._unsent_bytes())
            await asyncio.sleep(0)
        assert SLOW.unsent_bytes // 2 < most_unsent <= SLOW.unsent_bytes
        assert not echo.say(b"more")
        await until(lambda: echo.events == ["lost"])


@kinds
async def test_too_much_in_one_turn_drops_as_well(kind: str) -> None:
    async with open_doors(SLOW) as doors:
        _client = await doors.connect(kind)
        echo = await doors.echo()
        sent = [echo.say(CHUNK) for _ in range(30)]
        assert sent.count(True) < 21
        assert not sent[-1]
        await until(lambda: echo.events == ["lost"])


@kinds
async def test_a_close_ends_though_the_peer_never_reads(kind: str) -> None:
    async with open_doors(SLOW, close_seconds=0.2) as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        _stop_reading(client)
        while echo.channel.offer(echo.channel.frame(CHUNK)):
            await asyncio.sleep(0)
        echo.channel.close()
        await until(lambda: echo.events == ["lost"])
        assert len(doors.keeper.gate) == 0


@kinds
async def test_a_fault_in_a_conversation_ends_only_that_one(kind: str) -> None:
    async with open_doors() as doors:
        client, other = await doors.connect(kind), await doors.connect(kind)
        client.send(b"before", b"fail", b"after")
        assert await client.receive() == b"before"
        await _receive_end(client, 1011)
        other.send(b"unharmed")
        assert await other.receive() == b"unharmed"
        assert (await doors.echo()).messages == [b"before", b"fail"]
        client.writer.close()
        await until(lambda: len(doors.keeper.gate) == 1)
        assert len(doors.keeper._partings) == 0


@kinds
async def test_what_cannot_be_written_harms_only_its_own_connection(kind: str) -> None:
    async with open_doors() as doors:
        client, other = await doors.connect(kind), await doors.connect(kind)
        echo, unharmed = await doors.echo(), await doors.echo(1)
        echo.channel.send("text")  # type: ignore[arg-type]
        unharmed.say(b"unharmed")
        assert await other.receive() == b"unharmed"
        await client.receive_end()
        assert echo.events == ["lost"]


@kinds
async def test_a_conversation_that_cannot_begin_is_closed_and_leaves_no_trace(kind: str) -> None:
    async with open_doors() as doors:
        doors.fail_to_begin = True
        client = await doors.connect(kind)
        await _receive_end(client, 1011)
        client.writer.close()
        await until(lambda: len(doors.keeper.gate) == 0)


@kinds
async def test_reading_can_be_paused(kind: str) -> None:
    async with open_doors() as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        echo.channel.pause()
        client.send(b"later")
        # A whole round trip of another connection, during which nothing may come.
        other = await doors.connect(kind)
        other.send(b"now")
        assert await other.receive() == b"now"
        assert echo.messages == []
        echo.channel.resume()
        assert await client.receive() == b"later"


@kinds
async def test_a_planned_stop_is_announced_and_then_closes_everyone(kind: str) -> None:
    async with open_doors(close_seconds=0.5) as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        doors.keeper.announce(1.5)
        assert await client.receive() == b"going away in 1.5"
        closing = asyncio.create_task(doors.keeper.close())
        await _receive_end(client, 1001)
        # Not even this one, which does not close its side, holds up the stop.
        await closing
        assert echo.events == ["lost"]


@kinds
async def test_too_many_connections_from_one_address_are_turned_away(kind: str) -> None:
    async with open_doors(Limits(connections_per_address=2)) as doors:
        first, _second = await doors.connect(kind), await doors.connect(kind)
        await doors.echo(1)
        if kind == "ws":
            answer = await ask(doors.web_port, request("/ws"))
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b'"code":"too_many"' in answer
        else:
            third = await doors.connect(kind)
            assert await third.receive() == b"error too_many"
            await third.receive_end()
        first.writer.close()
        await until(lambda: len(doors.keeper.gate) == 1)
        again = await doors.connect(kind)
        again.send(b"in")
        assert await again.receive() == b"in"


async def test_the_limit_of_all_connections_holds_across_doors() -> None:
    async with open_doors(Limits(connections=2)) as doors:
        _inside = await doors.connect("ws"), await doors.connect("tcp")
        await doors.echo(1)
        third = await doors.connect("tcp")
        assert await third.receive() == b"error too_many"


@kinds
async def test_a_reset_in_the_middle_of_everything_loses_the_conversation_once(kind: str) -> None:
    async with open_doors() as doors:
        client = await doors.connect(kind)
        echo = await doors.echo()
        sock = client.writer.get_extra_info("socket")
        # Without lingering, closing is a reset.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.send(b"x")
        await client.writer.drain()
        client.writer.transport.abort()
        await until(lambda: _speaks_until_lost(echo))
        assert echo.events == ["lost"]
        assert len(doors.keeper.gate) == 0


def _speaks_until_lost(echo: Echo) -> bool:
    echo.say(b"are you there")
    return "lost" in echo.events


async def _receive_end(client: Client, close_code: int) -> None:
    if client.kind == "ws":
        assert await client.receive_close() == close_code
    else:
        await client.receive_end()


def _stop_reading(client: Client) -> None:
    client.writer.transport.pause_reading()  # type: ignore[attr-defined]


def _go_on_reading(client: Client) -> None:
    client.writer.transport.resume_reading()  # type: ignore[attr-defined]
