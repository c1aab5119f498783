"""The TCP shell over real sockets."""

from __future__ import annotations

import asyncio
import socket
import struct

from gamehall.limits import Limits
from tests.wire.net.doors import HOST, connect_tcp, open_doors, until

BOTH_LOOPS = True


async def test_lines_come_back_however_they_are_cut() -> None:
    async with open_doors() as doors:
        client = await connect_tcp(doors.tcp_port)
        client.writer.write(b"one\r\ntw")
        assert await client.receive() == b"one"
        client.writer.write(b"o\n\n \nthree\n")
        assert await client.receive() == b"two"
        assert await client.receive() == b"three"


async def test_a_line_that_is_not_utf8_is_refused_and_the_next_one_answered() -> None:
    async with open_doors() as doors:
        client = await connect_tcp(doors.tcp_port)
        client.send(b"before", b"\xff\xfe", b"after")
        assert await client.receive() == b"before"
        assert await client.receive() == b"error bad_request"
        assert await client.receive() == b"after"


async def test_a_huge_line_is_answered_and_closed_though_the_client_goes_on_sending() -> None:
    async with open_doors(Limits(message_bytes=1000)) as doors:
        client = await connect_tcp(doors.tcp_port)
        client.send(b"before", b"x" * 3_000_000)
        assert await client.receive() == b"before"
        assert await client.receive() == b"error too_large"
        await client.receive_end()
        client.writer.close()
        echo = await doors.echo()
        await until(lambda: "lost" in echo.events)
        assert echo.events == ["too_large", "lost"]


async def test_a_client_that_only_stops_sending_still_gets_its_answers() -> None:
    async with open_doors(half_close_seconds=2) as doors:
        client = await connect_tcp(doors.tcp_port)
        client.send(b"one", b"two")
        client.writer.write_eof()
        echo = await doors.echo()
        await until(lambda: echo.events == ["half closed"])
        # An answer that took a while, as one does that has to be written down first.
        echo.say(b"three")
        assert await client.receive_rest() == b"one\ntwo\nthree\n"
        await until(lambda: echo.events == ["half closed", "lost"])
        assert len(doors.keeper.gate) == 0


async def test_a_client_that_goes_while_nothing_is_under_way_is_lost_at_once() -> None:
    async with open_doors(half_close_seconds=3600) as doors:
        client = await connect_tcp(doors.tcp_port)
        echo = await doors.echo()
        # Had it sent anything, the hall would wait for an hour.
        client.writer.close()
        await until(lambda: echo.events == ["half closed", "lost"])


async def test_a_half_closed_client_that_reads_nothing_is_cut_off() -> None:
    async with open_doors(half_close_seconds=0.1, close_seconds=0.1) as doors:
        client = await connect_tcp(doors.tcp_port, limit=1)
        client.send(b"x")
        echo = await doors.echo()
        await until(lambda: echo.messages)
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        while not echo.channel._behind:
            assert echo.say(b"x" * 100_000)
            await asyncio.sleep(0)
        client.writer.write_eof()
        await until(lambda: echo.events == ["half closed", "lost"])


async def test_a_peer_that_the_kernel_gives_up_has_not_hung_up() -> None:
    async with open_doors(Limits(idle_seconds=1, unsent_bytes=0)) as doors:
        client = await connect_tcp(doors.tcp_port, limit=1)
        echo = await doors.echo()
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        # The kernel holds what is unsent for a second, and then takes the peer for dead.
        while not echo.channel._behind:
            assert echo.say(b"x" * 100_000)
            await asyncio.sleep(0)
        await until(lambda: echo.events == ["lost"])
        assert not echo.channel.hung_up


async def test_a_peer_that_resets_the_connection_has_hung_up() -> None:
    async with open_doors() as doors:
        client = await connect_tcp(doors.tcp_port)
        echo = await doors.echo()
        sock = client.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.writer.transport.abort()
        await until(lambda: echo.events == ["lost"])
        assert echo.channel.hung_up


async def test_a_reset_at_the_moment_of_a_stop_keeps_nobody_from_being_closed() -> None:
    async with open_doors() as doors:
        resets = socket.create_connection((HOST, doors.tcp_port))
        resets.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await doors.echo()
        stays = await doors.connect("tcp")
        await doors.echo(1)
        resets.close()
        await doors.keeper.close()
        assert await stays.reader.read() == b""


async def test_the_kernel_is_asked_to_look_after_silent_peers() -> None:
    async with open_doors(Limits(idle_seconds=80)) as doors:
        _client = await connect_tcp(doors.tcp_port)
        echo = await doors.echo()
        sock = echo.channel._transport.get_extra_info("socket")
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 40
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL) == 10
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 80_000
