"""Too much, too many and too slow: the others play on all the while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.doors.native.bystanders import undisturbed
from tests.doors.native.clients import Client, Door
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

ADDRESS_MAX = 1100
SETTINGS = (f"limits.connections_per_address={ADDRESS_MAX}",)
doors = pytest.mark.parametrize("door", ["ws", "tcp"])
BURST = 200
PER_SECOND = 50


@pytest.fixture(autouse=True)
async def bystanders(hall: HallProcess, at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(hall):
        yield


async def codes(client: Client, count: int) -> list[str]:
    """What the next answers are: `pong`, or the code of a refusal."""
    answers = [await client.answer() for _ in range(count)]
    return [answer["payload"].get("code", answer["action"]) for answer in answers]


@doors
async def test_over_the_rate_is_refused_and_the_connection_stays(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    too_many = BURST // 2
    client.write(client.framed('{"action": "ping"}') * (BURST + too_many))
    said = await codes(client, BURST + too_many)
    # While the first are answered, the rate allows a few more.
    assert BURST <= said.count("pong") < BURST + too_many
    assert said.count("rate_limited") == len(said) - said.count("pong")
    assert said[:BURST] == ["pong"] * BURST
    client.send("ping")
    while await codes(client, 1) == ["rate_limited"]:
        await asyncio.sleep(1 / PER_SECOND)
        client.send("ping")


@doors
@pytest.mark.parametrize("message", ['{"action": "ping"}', "garbage", '{"action": "balance"}'])
async def test_who_goes_on_is_closed(at: Visitors, door: Door, message: str) -> None:
    client = await at.connect(door)
    client.write(client.framed(message) * 4 * BURST)
    assert await client.closed() == (1008 if door == "ws" else None)
    said = await codes(client, len(client.answers))
    assert said.count("rate_limited") == BURST + 1
    assert BURST <= len(said) - (BURST + 1) < 2 * BURST


@doors
async def test_slow_requests_wait_in_line_and_not_in_memory(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    login = '{"action": "login", "payload": {"name": "nobody", "password": "guess"}}'
    client.write(client.framed(login) * BURST)
    # A guess takes long, so the fifth of them ends it, and the others are never made.
    assert await client.closed() == (1008 if door == "ws" else None)
    assert await codes(client, len(client.answers)) == ["login_failed"] * 5


async def test_a_thousand_connections_that_say_nothing(at: Visitors, hall: HallProcess) -> None:
    doors = [hall.ports["native"], hall.ports["native-tcp"]]
    silent = [await asyncio.open_connection("127.0.0.1", doors[n % 2]) for n in range(1000)]
    for door in ("ws", "tcp"):
        assert await (await at.guest(door=door)).ask("ping") == {}
    for _, writer in silent:
        writer.close()


async def test_more_connections_than_an_address_may_have(at: Visitors, hall: HallProcess) -> None:
    port = hall.ports["native-tcp"]
    silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(ADDRESS_MAX)]
    late = await at.connect("tcp")
    assert await late.error() == "too_many"
    await late.closed()
    for _, writer in silent:
        writer.close()

    async with asyncio.timeout(WAIT_SECONDS):
        while await turned_away(at):
            await asyncio.sleep(0.05)


async def turned_away(at: Visitors) -> bool:
    client = await at.connect("tcp")
    client.send("ping")
    return await codes(client, 1) == ["too_many"]


@doors
async def test_a_hundred_who_send_a_byte_now_and_then(
    at: Visitors, hall: HallProcess, door: Door
) -> None:
    head = b"GET /ws HTTP/1.1\r\nHost: hall\r\n" + b"X-Slow: yes\r\n" * 100
    sent = head if door == "ws" else b'{"action": "ping", "payload": {' + b" " * 1000
    port = hall.ports["native" if door == "ws" else "native-tcp"]
    slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
    for byte in sent[:30]:
        for _, writer in slow:
            writer.write(bytes((byte,)))
        await asyncio.sleep(0.02)
    assert await (await at.guest(door=door)).ask("ping") == {}
    for _, writer in slow:
        writer.close()


async def test_connections_that_come_and_go(at: Visitors, hall: HallProcess) -> None:
    for number in range(300):
        door: Door = "ws" if number % 2 else "tcp"
        client = await Client.connect(hall, door)
        if number % 3:
            client.send("hello", {"name": "Passing by"})
        if number % 5:
            client.reset()
        await client.close()
    assert await (await at.guest()).ask("ping") == {}
