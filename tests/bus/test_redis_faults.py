"""When Redis dies, freezes or is out of reach: it heals, and nothing comes twice or in disorder."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gamehall.bus import redis_bus, redis_outbox, redis_traffic
from gamehall.bus.redis_bus import RedisBus
from tests.bus import silent_proxy
from tests.bus.redis_server import new_prefix, server
from tests.bus.waiting import gone, heard, returned, talk
from tests.contract.bus_contract import NewBus, Node, joined
from tests.store import cutting_proxy
from tests.store.stores import until
from tests.support.waiting import WAIT_SECONDS

pytestmark = pytest.mark.usefixtures("short_pauses", "running")

ROOT = Path(__file__).parents[2]
BusAt = Callable[[int], RedisBus]


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "PAUSE_SECONDS", 0.005)
    monkeypatch.setattr(redis_bus, "PAUSE_SECONDS_MAX", 0.02)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(redis_traffic, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(redis_traffic, "ECHO_SECONDS", 0.1)
    monkeypatch.setattr(redis_traffic, "SILENCE_SECONDS", 0.7)


@pytest.fixture
def running() -> Iterator[None]:
    """The server runs again afterwards, whatever happened."""
    server()
    yield
    server().kill()
    server().start()


@pytest.fixture
def bus_at() -> BusAt:
    prefix = new_prefix()
    return lambda port: RedisBus(f"redis://127.0.0.1:{port}", prefix=prefix)


@pytest.fixture
def new_bus(bus_at: BusAt) -> NewBus:
    return partial(bus_at, server().port)


# Redis itself


async def test_a_redis_that_was_killed_is_joined_again(new_bus: NewBus) -> None:
    with capture_logs() as logs:
        async with joined(new_bus(), new_bus()) as [ada, bob]:
            for times in (1, 2):
                await talk(ada, bob, times)
                server().kill()
                await gone(ada, bob)
                server().start()
                await returned(ada, bob, times + 1)
                await ada.bus.ping()
                await talk(bob, ada, times)
    events = [line["event"] for line in logs]
    assert sorted(events) == ["bus_away"] * 4 + ["bus_back"] * 4


@pytest.mark.usefixtures("impatient")
async def test_a_redis_that_freezes_is_noticed_and_joined_again(new_bus: NewBus) -> None:
    async with joined(new_bus(), new_bus()) as [ada, bob]:
        await talk(ada, bob, 1)
        server().freeze()
        await gone(ada, bob)
        backs = ada.backs, bob.backs
        for number in range(2, 200):
            ada.bus.send(bob.bus.node, b"%d" % number)
        server().go_on()
        await until(lambda: ada.backs > backs[0] and bob.backs > backs[1])
        await talk(ada, bob, 1000)
        heard = [number for number in bob.numbers(ada.bus.node) if number not in (1, 1000)]
        assert heard == sorted(set(heard))


async def test_it_waits_for_a_redis_that_starts_later(new_bus: NewBus) -> None:
    server().kill()
    node = Node(new_bus())
    starting = asyncio.create_task(node.bus.start(node.receive, node.back))
    await gone(node)
    assert not starting.done()
    server().start()
    await starting
    assert node.backs == 1
    await node.bus.ping()
    await node.bus.close()


@pytest.mark.parametrize("frozen", [False, True])
async def test_it_says_what_it_waits_for_and_can_be_told_to_end(
    new_bus: NewBus, frozen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "SAY_SECONDS", 0.1)
    if frozen:
        server().freeze()
    else:
        server().kill()
    node = Node(new_bus())
    with capture_logs() as logs:
        starting = asyncio.create_task(node.bus.start(node.receive, node.back))
        await until(lambda: logs)
    assert (logs[0]["event"], logs[0]["at"]) == ("waiting_for_redis", f"127.0.0.1:{server().port}")
    starting.cancel()
    await asyncio.wait([starting])
    assert starting.cancelled()
    assert node.backs == 0
    assert len(asyncio.all_tasks()) == 1


@pytest.mark.usefixtures("impatient")
async def test_a_redis_that_is_away_holds_up_nobody_who_closes(new_bus: NewBus) -> None:
    async with joined(new_bus()) as [node]:
        server().freeze()
        node.bus.send("nobody", b"hello")
    assert len(asyncio.all_tasks()) == 1


# What is sent meanwhile


async def test_what_is_sent_in_a_short_break_arrives(bus_at: BusAt, new_bus: NewBus) -> None:
    async with (
        cutting_proxy.proxied(server().port) as proxy,
        joined(bus_at(proxy.port), new_bus()) as [ada, bob],
    ):
        await talk(ada, bob, 1)
        proxy.go_away()
        await gone(ada)
        for number in range(2, 50):
            ada.bus.send(bob.bus.node, b"%d" % number)
        proxy.open = True
        await talk(ada, bob, 50)
        heard = bob.numbers(ada.bus.node)
        assert heard[: heard.index(50)] == [1] * heard.count(1) + list(range(2, 50))


async def test_what_could_not_be_sent_in_time_is_lost(
    bus_at: BusAt, new_bus: NewBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_outbox, "WAIT_SECONDS_MAX", 0.05)
    with capture_logs() as logs:
        async with (
            cutting_proxy.proxied(server().port) as proxy,
            joined(ada_bus := bus_at(proxy.port), new_bus()) as [ada, bob],
        ):
            await ada.bus.ping()
            proxy.go_away()
            await gone(ada)
            for _ in range(7):
                ada.bus.send(bob.bus.node, b"2")
            await until(lambda: not ada_bus._traffic._outbox)
            proxy.open = True
            await until(lambda: ada.backs == 2)
            await talk(ada, bob, 3)
            assert set(bob.numbers(ada.bus.node)) == {3}
    assert [line["lost"] for line in logs if line["event"] == "bus_back"] == [7]


async def test_a_redis_that_is_away_costs_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_outbox, "WAIT_SECONDS_MAX", 1000)
    async with joined(bus := RedisBus(server().url, prefix=new_prefix())) as [node]:
        server().kill()
        await gone(node)
        message = bytes(2**20)
        for _ in range(100):
            node.bus.send("nobody", message)
        outbox = bus._traffic._outbox
        assert (
            sum(len(parcel.messages) for parcel in outbox._parcels) == outbox._size // 2**20 == 63
        )
        assert outbox.lost == 100 - 63


# Connections


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("listening", [False, True])
async def test_a_connection_that_falls_silent_is_noticed(
    bus_at: BusAt, new_bus: NewBus, listening: bool
) -> None:
    async with (
        silent_proxy.proxied(server().port) as proxy,
        joined(bus_at(proxy.port), new_bus()) as [ada, bob],
    ):

        def is_back() -> bool:
            # What comes on the one must not hide that nothing goes on the other.
            bob.bus.send(ada.bus.node, b"0")
            return ada.backs > 1

        await talk(ada, bob, 1)
        proxy.silence(listening=listening)
        await until(is_back)
        await talk(ada, bob, 2)
        await talk(bob, ada, 2)


async def test_a_storm_of_cuts_brings_nothing_twice_or_in_disorder(bus_at: BusAt) -> None:
    cuts = 24
    async with (
        cutting_proxy.proxied(server().port) as proxy,
        joined(bus_at(proxy.port), bus_at(proxy.port)) as [ada, bob],
    ):
        number = 0
        for cut in range(cuts):
            # At each of the steps of joining and talking, from either side.
            proxy.cut = cutting_proxy.CutAt("client" if cut % 2 else "server", cut)
            async with asyncio.timeout(WAIT_SECONDS):
                while proxy.cut is not None:
                    number += 1
                    ada.bus.send(bob.bus.node, b"%d" % number)
                    ada.bus.tell_all(b"%d" % (number := number + 1))
                    await asyncio.sleep(0)
        heard_in_storm = len(bob.got)
        ada.bus.send(bob.bus.node, b"%d" % (number := number + 1))
        await talk(bob, ada, 1)
        await talk(ada, bob, last := number + 1)
        heard = bob.numbers(ada.bus.node)
        heard = heard[: heard.index(last)]
        assert heard == sorted(set(heard))
        assert heard_in_storm > cuts


async def test_a_node_that_does_not_listen_holds_up_nobody() -> None:
    prefix = new_prefix()
    slow = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bus.receiver", server().url, prefix, "slow",
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert slow.stdout is not None
    try:
        assert await slow.stdout.readline() == b"back\n"
        buses = [RedisBus(server().url, prefix=prefix) for _ in range(2)]
        async with joined(*buses) as [ada, bob]:
            slow.send_signal(signal.SIGSTOP)
            for number in range(60):
                ada.bus.send("slow", b"%d" % number + b"x" * 2**20)
                ada.bus.send(bob.bus.node, b"%d" % number)
                await heard(bob, number + 1)
            assert ada.backs == bob.backs == 1
            slow.send_signal(signal.SIGCONT)
            async with asyncio.timeout(WAIT_SECONDS):
                while await slow.stdout.readline() != b"back\n":
                    pass
            ada.bus.send("slow", b"100")
            async with asyncio.timeout(WAIT_SECONDS):
                assert await slow.stdout.readline() == b"100\n"
    finally:
        slow.kill()
        await slow.wait()


@pytest.mark.usefixtures("impatient")
async def test_a_fault_of_our_own_does_not_end_it(
    new_bus: NewBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    with capture_logs() as logs:
        async with joined(new_bus()) as [node]:
            monkeypatch.setattr(redis_traffic, "_Letter", None)
            await gone(node)
            monkeypatch.undo()
            await until(lambda: node.backs > 1)
    assert "bus_failed" in {line["event"] for line in logs}
