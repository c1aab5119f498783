"""The suite of buses on Redis; how little it sends, and what it says if it cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import msgspec
import pytest
import redis
from structlog.testing import capture_logs

from gamehall.bus import redis_bus, redis_outbox, redis_traffic
from gamehall.bus.bus import CannotJoin
from gamehall.bus.redis_bus import RedisBus
from gamehall.errors import Unavailable
from tests.bus.redis_server import RedisServer, new_prefix, server
from tests.contract.bus_contract import ManyNodesContract, NewBus, joined
from tests.store.stores import until

SECRET = "open-sesame"


class TestContract(ManyNodesContract):
    @pytest.fixture
    def new_bus(self, new_redis_bus: NewBus) -> NewBus:
        return new_redis_bus


@pytest.fixture
def new_redis_bus() -> Callable[[], RedisBus]:
    return partial(RedisBus, server().url, prefix=new_prefix())


@contextmanager
def another_server(*settings: str) -> Iterator[RedisServer]:
    started = RedisServer(*settings)
    try:
        started.start()
        yield started
    finally:
        started.remove()


def publish(prefix: str, to: RedisBus, letter: object) -> None:
    """From outside, as a node would."""
    with redis.Redis(port=server().port) as client:
        client.publish(f"{prefix}:node:{to.node}", msgspec.msgpack.encode(letter))


# What it costs Redis


async def test_messages_of_one_moment_go_together(new_redis_bus: NewBus) -> None:
    async with joined(*(new_redis_bus() for _ in range(3))) as [ada, bob, eve]:
        server().ask("CONFIG", "RESETSTAT")
        for number in range(500):
            for node in (bob, eve):
                ada.bus.send(node.bus.node, b"%d" % number)
        await until(lambda: len(bob.got) == len(eve.got) == 500)
        calls = server().ask("INFO", "commandstats").split(b"cmdstat_publish:calls=")[1]
        # One for each of the two, and the nodes' own.
        assert int(calls.split(b",")[0]) < 20


async def test_a_node_has_two_connections_and_leaves_nothing_behind(new_redis_bus: NewBus) -> None:
    def connections() -> int:
        return server().ask("CLIENT", "LIST").count(b" addr=") - 1

    await until(lambda: connections() == 0)
    async with joined(new_redis_bus(), new_redis_bus()) as [ada, bob]:
        ada.bus.send(bob.bus.node, b"hello")
        await until(lambda: bob.got)
        assert connections() == 4
        assert server().ask("DBSIZE") == b":0\r\n"
    await until(lambda: connections() == 0)


async def test_halls_that_share_a_redis_do_not_hear_each_other() -> None:
    async with joined(
        RedisBus(server().url, node="a", prefix="one"),
        RedisBus(server().url, node="b", prefix="one"),
        RedisBus(server().url, node="b", prefix="other"),
    ) as [ada, bob, other]:
        ada.bus.send("b", b"hello")
        ada.bus.tell_all(b"hello")
        await until(lambda: len(bob.got) == 2)
        await other.bus.ping()
        assert other.got == []


# What does not come from a node, or not in time


async def test_what_is_overtaken_is_not_heard() -> None:
    bus = RedisBus(server().url, prefix=(prefix := new_prefix()))
    async with joined(bus) as [node]:
        for number in (5, 3, 5, 6):
            publish(prefix, bus, ("far", number, [b"%d" % number, b"0"]))
        publish(prefix, bus, ("near", 1, [b"1"]))
        await until(lambda: len(node.got) == 5)
        await bus.ping()
        assert node.numbers("far") == [5, 0, 6, 0]


async def test_a_sender_that_is_forgotten_is_heard_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_traffic, "SENDERS_MAX", 2)
    bus = RedisBus(server().url, prefix=(prefix := new_prefix()))
    async with joined(bus) as [node]:
        for sender in "abca":
            publish(prefix, bus, (sender, 1, [b"hello"]))
        await until(lambda: len(node.got) == 4)
        assert len(bus._traffic._newest) == 2


async def test_a_letter_of_a_later_release_is_read() -> None:
    bus = RedisBus(server().url, prefix=(prefix := new_prefix()))
    async with joined(bus) as [node]:
        publish(prefix, bus, ("far", 1, [b"hello"], "something new"))
        await until(lambda: node.got == [("far", b"hello")])


async def test_what_is_not_ours_is_skipped() -> None:
    bus = RedisBus(server().url, prefix=(prefix := new_prefix()))
    with capture_logs() as logs:
        async with joined(bus) as [node]:
            for letter in ("nonsense", ("far", 1), ("far", "one", [b""]), None):
                publish(prefix, bus, letter)
            publish(prefix, bus, ("far", 1, [b"hello"]))
            await until(lambda: node.got == [("far", b"hello")])
    assert [line["event"] for line in logs] == ["bus_message_not_ours"]


# Limits


async def test_more_than_may_wait_is_lost_and_said_once(
    new_redis_bus: NewBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_outbox, "BYTES_MAX", 10_000)
    with capture_logs() as logs:
        async with joined(new_redis_bus(), new_redis_bus()) as [ada, bob]:
            for number in range(1000):
                ada.bus.send(bob.bus.node, b"%d" % number)
            await ada.bus.ping()
            ada.bus.send(bob.bus.node, b"2000")
            await until(lambda: (ada.bus.node, b"2000") in bob.got)
            heard = bob.numbers(ada.bus.node)
            assert heard == [*range(len(heard) - 1), 2000]
            assert 50 < len(heard) < 200
    assert [line["event"] for line in logs] == ["bus_overloaded"]


async def test_a_message_that_would_cut_off_its_receiver_is_not_sent(
    new_redis_bus: NewBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_traffic, "MESSAGE_BYTES_MAX", 1000)
    with capture_logs() as logs:
        async with joined(new_redis_bus(), new_redis_bus()) as [ada, bob]:
            for size in (1001, 1000):
                ada.bus.send(bob.bus.node, bytes(size))
            await until(lambda: bob.got)
            assert [len(message) for _, message in bob.got] == [1000]
    assert [line["event"] for line in logs] == ["bus_message_too_large"]


# Addresses


@pytest.mark.parametrize("options", ["", "/3", "?decode_responses=true&protocol=3"])
async def test_an_address_may_name_a_base_and_options(options: str) -> None:
    async with joined(*(RedisBus(server().url + options) for _ in range(2))) as [ada, bob]:
        ada.bus.send(bob.bus.node, b"hello")
        await until(lambda: bob.got)


async def test_it_may_be_a_socket_of_the_system() -> None:
    async with joined(RedisBus(f"unix://{server().socket}")) as [node]:
        await node.bus.ping()


async def test_a_password_is_used() -> None:
    with another_server("--requirepass", SECRET) as locked:
        url = locked.url.replace("redis://", f"redis://:{SECRET}@")
        async with joined(RedisBus(url)) as [node]:
            await node.bus.ping()
        wrong = locked.url.replace("redis://", f"redis://ada:{SECRET}!@")
        for refused in (locked.url, wrong):
            bus = RedisBus(refused)
            with capture_logs() as logs, pytest.raises(CannotJoin) as raised:
                await bus.start(print, print)
            assert f"127.0.0.1:{locked.port} cannot be used: " in str(raised.value)
            assert SECRET not in str(raised.value)
            assert logs == []
            with pytest.raises(Unavailable):
                await bus.ping()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://127.0.0.1",
        f"redis://:{SECRET}@host:port",
        f"redis://:{SECRET}@[host",
        f"redis://127.0.0.1?{SECRET}=1",
        f"redis://127.0.0.1?health_check_interval={SECRET}",
        f"redis://127.0.0.1?password={SECRET}&credential_provider=1",
    ],
)
async def test_what_is_no_address_is_said_without_its_password(url: str) -> None:
    with pytest.raises(CannotJoin, match=r"`bus\.url` is no address of Redis") as raised:
        await RedisBus(url).start(print, print)
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None


async def test_a_server_that_repeats_the_password_does_not_give_it_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redis_bus, "SAY_SECONDS", 0.05)

    async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while words := await reader.read(1000):
            writer.write(b"-ERR unknown command %r\r\n" % words)
        writer.close()

    async with await asyncio.start_server(repeat, "127.0.0.1", 0) as strange:
        port = strange.sockets[0].getsockname()[1]
        bus = RedisBus(f"redis://:{SECRET}@127.0.0.1:{port}")
        with capture_logs() as logs:
            starting = asyncio.create_task(bus.start(print, print))
            await until(lambda: any("unknown command" in line["reason"] for line in logs))
        starting.cancel()
        await asyncio.wait([starting])
    assert SECRET not in str(logs)
