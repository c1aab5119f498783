"""Bad packets at every place: they are answered `0, error` and end their link, and no other one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tests.doors.arena.game_server import (
    Ended,
    GameServer,
    Transport,
    ints,
    registration,
    text,
)
from tests.doors.arena.portals import DOORS, PortalHall, until

HUGE = 2**31 - 1
LENGTHS = (-1, -(2**31), HUGE, 65_537)
OFFER = registration()


def fields_of(packet: bytes) -> list[bytes]:
    """A registration, cut where its fields begin."""
    ip = 8 + int.from_bytes(packet[4:8], "little")
    places = [0, 4, ip, ip + 4]
    for _ in range(3):
        places.append(places[-1] + 4 + int.from_bytes(packet[places[-1] :][:4], "little"))
    return [packet[a:b] for a, b in pairwise(places)]


def first_packets() -> list[bytes]:
    """Whatever can be wrong with the first one."""
    fields = fields_of(OFFER)
    assert b"".join(fields) == OFFER
    wrong = [ints(kind) for kind in (0, 2, 4, -1, HUGE)]
    for at in (1, 3, 4, 5):
        before = b"".join(fields[:at])
        wrong += [before + ints(length) for length in LENGTHS]
        after = b"".join(fields[at + 1 :])
        wrong.append(before + text(b"\xff\xfe") + after)
        wrong.append(before + text(b"\xed\xa0\x80") + after)
    return wrong


LATER = [
    ints(4),
    ints(-1),
    ints(HUGE),
    ints(1),  # Nothing was asked.
    ints(0) + text("no"),
    ints(3, 0),
    ints(3, 1, 5, 5),
    ints(3, 2, 5, 5),
    ints(3, 3),
    ints(3, 999),
    ints(3, -1),
    ints(3, 1000, 0),
    ints(3, 1000, 2),
    *(ints(0, length) for length in LENGTHS),
    ints(0) + text(b"\xff"),
    OFFER,  # A second registration cannot be told from an answer.
]


@pytest.fixture
async def bystander(at: PortalHall) -> AsyncIterator[GameServer]:
    """Someone whom all this does not concern."""
    server, id = await at.registered("tcp", name="Bystander")
    link = server.wire
    yield server
    assert (await at.server(id))["reachable"]
    match = (await at.made(id)).match
    await server.start(match)
    await at.is_so(match, status="running")
    await server.finish(match, 1, 0)
    await at.is_so(match, status="over")
    assert server.wire is link


async def refused(server: GameServer) -> str:
    """What the portal says before it closes."""
    reason = await server.read_answer()
    assert reason
    with pytest.raises(Ended):
        await server.read_answer()
    return reason


@pytest.mark.parametrize("packet", first_packets())
async def test_at_the_beginning(
    at: PortalHall, transport: Transport, bystander: GameServer, packet: bytes
) -> None:
    server = at.game_server(transport)
    await server.connect()
    await server.wire.send(packet)
    await refused(server)
    assert [known["name"] for known in await at.servers()] == ["Bystander"]


@pytest.mark.parametrize("packet", LATER)
async def test_after_the_registration(
    at: PortalHall, transport: Transport, bystander: GameServer, packet: bytes
) -> None:
    server = at.game_server(transport)
    await server.connect()
    await server.wire.send(OFFER)
    assert await server.read_answer() is None
    id = await at.id_of(server)
    await server.wire.send(packet)
    with capture_logs() as logged:
        await refused(server)
        await at.is_reachable(id, False)
    assert not [entry for entry in logged if entry["log_level"] == "error"], logged
    assert await server.register() is None, "it may come back"


@pytest.mark.parametrize(
    "packet",
    [ints(3, 0), ints(3, 2, 1, 1), ints(7), ints(0, -1), ints(0) + text(b"\xff")],
)
async def test_in_place_of_an_answer(
    at: PortalHall, transport: Transport, bystander: GameServer, packet: bytes
) -> None:
    """The match is asked for again when the server is back."""
    server, id = await at.registered(transport)
    server.answers_creates = False
    making = asyncio.create_task(at.made(id))
    await until(server.creates)
    await server.wire.send(packet)
    assert len(await server.read_end()) == 1
    server.answers_creates = True
    await server.come()
    made = await making
    assert server.creates() == [made, made]


@pytest.mark.parametrize("packet", [ints(1), ints(3, 5), ints(3, 3, 1, 1), ints(8), ints(0, HUGE)])
async def test_in_place_of_a_status(
    at: PortalHall, transport: Transport, bystander: GameServer, packet: bytes
) -> None:
    server, id = await at.registered(transport)
    server.answers_statuses = False
    match = (await at.made(id)).match
    await until(server.asked)
    await server.wire.send(packet)
    assert len(await server.read_end()) == 1
    server.answers_statuses = True
    server.has_played(match, 3, 4)
    await server.come()
    await at.is_so(match, status="over", score1=3, score2=4)


@pytest.mark.parametrize(
    "message",
    [
        OFFER + ints(1),
        OFFER[:-1],
        b"\x01\x00\x00",
        "text",
        " ",
        b"    ",
        b"\x00" * 70_000,
    ],
)
async def test_a_websocket_message_that_is_not_one_packet(
    at: PortalHall, bystander: GameServer, message: bytes | str
) -> None:
    server = at.game_server("ws")
    await server.connect()
    await server.wire.send(message)  # type: ignore[arg-type]
    await refused(server)


async def test_an_empty_message_is_none(at: PortalHall) -> None:
    server = at.game_server("ws")
    await server.connect()
    await server.wire.send(b"", OFFER)
    assert await server.read_answer() is None


async def test_a_stream_may_be_cut_anywhere(at: PortalHall) -> None:
    server = at.game_server("tcp")
    await server.connect()
    for byte in OFFER:
        await server.wire.send(bytes((byte,)))
        await asyncio.sleep(0.001)
    assert await server.read_answer() is None
    id = await at.id_of(server)
    making = asyncio.create_task(at.made(id))
    assert await server.wire.number() == 1
    match = await server.wire.number()
    await server.wire.send(ints(1) + ints(3, match, 1) + ints(2, match, 1, 2)[:7])
    await making
    await at.is_so(match, status="running")
    await server.wire.send(ints(2, match, 1, 2)[7:])
    await at.is_so(match, status="over", score1=1, score2=2)


async def test_who_says_nothing_is_sent_away(tmp_path: Path, transport: Transport) -> None:
    at = PortalHall(tmp_path, "limits.hello_seconds=0.3")
    await at.start()
    server = at.game_server(transport)
    await server.connect()
    assert "within 0.3 seconds" in await refused(server)
    registered, id = await at.registered(transport)
    server = at.game_server(transport)
    await server.connect()
    await refused(server)
    # By then the other one would have been sent away, too.
    assert (await at.server(id))["reachable"]
    assert not registered.ended.is_set()
    await at.stop()


async def test_who_says_too_much_is_sent_away(at: PortalHall, transport: Transport) -> None:
    server, id = await at.registered(transport)
    with capture_logs():
        await server.wire.send(*[ints(2, 5, 1, 1)] * 4000)
        (reason,) = await server.read_end()
    assert "Too many messages" in reason
    await at.is_reachable(id, False)
    assert await server.register() is None


@pytest.mark.slow
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    data=st.lists(
        st.one_of(
            st.integers(-3, 5).map(ints),
            st.sampled_from([1000, 1001, HUGE, -(2**31)]).map(ints),
            st.binary(max_size=12).map(text),
            st.binary(max_size=9),
        ),
        max_size=12,
    ).map(b"".join),
    registers=st.booleans(),
)
def test_anything_at_all(data: bytes, registers: bool, tmp_path_factory: object) -> None:
    """No fault of ours, and whoever comes next is served."""

    async def run() -> None:
        assert isinstance(tmp_path_factory, pytest.TempPathFactory)
        at = PortalHall(tmp_path_factory.mktemp("portal"))
        with capture_logs() as logged:
            await at.start()
            for transport in DOORS:
                server = at.game_server(transport)
                await server.connect()
                await server.wire.send(OFFER * registers + data)
                server.wire.cut() if len(data) % 2 else await server.wire.close()
            server, id = await at.registered("tcp")
            await at.made(id)
            await at.stop()
        assert not [entry for entry in logged if entry["log_level"] == "error"], logged

    asyncio.run(run())
