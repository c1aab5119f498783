"""The packets of portals and game servers: byte by byte, in any cut, and those that are none."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.wire.arena.codec import (
    Accepted,
    AskStatus,
    Create,
    FromPortal,
    FromServer,
    Packet,
    Rejected,
    Result,
    Started,
    Status,
    encode,
)
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.packets import PacketReader
from tests.doors.arena.game_server import ints, text
from tests.doors.arena.portal import create

MAX_BYTES = 200
Side = Callable[[int], PacketReader[Packet]]

REGISTER = Offer("10.0.0.1", 27004, "bingo-duel", "Luật chơi", "ai đó")
REGISTER_BYTES = (
    ints(1)
    + text("10.0.0.1")
    + ints(27004)
    + text("bingo-duel")
    + text("Luật chơi")
    + text("ai đó")
)
FROM_SERVER: list[tuple[Packet, bytes]] = [
    (REGISTER, REGISTER_BYTES),
    (Accepted(), b"\x01\x00\x00\x00"),
    (Rejected("đầy"), ints(0, 6) + "đầy".encode()),
    (Rejected(""), ints(0, 0)),
    (Started(1000), ints(3, 1000, 1)),
    (Started(2**31 - 1), ints(3, 2**31 - 1, 1)),
    (Result(1000, 7, -1), ints(2, 1000, 7, -1)),
    (Status(0), ints(3, 0)),
    (Status(1, (3, 1)), ints(3, 1, 3, 1)),
    (Status(2, (1000, 0)), ints(3, 2, 1000, 0)),
]
ASKED: list[tuple[Packet, bytes]] = [
    (AskStatus(1000), b"\x03\x00\x00\x00\xe8\x03\x00\x00"),
    (AskStatus(0), ints(3, 0)),
    (AskStatus(-1), ints(3, -1)),
]
FROM_PORTAL: list[tuple[Packet, bytes]] = [
    (AskStatus(7), ints(3, 7)),
    (Accepted(), ints(1)),
    (Create(1000, 7, 8, "khoá"), create(1000, 7, 8, "khoá")),
    (AskStatus(1000), ints(3, 1000)),
    (Create(-1, 0, 2**31 - 1, ""), create(-1, 0, 2**31 - 1, "")),
    (Rejected("no"), ints(0) + text("no")),
]
STREAMS: dict[str, tuple[Side, list[tuple[Packet, bytes]]]] = {
    "a game server": (FromServer, FROM_SERVER),
    "who asks": (FromServer, ASKED),
    "a portal": (FromPortal, FROM_PORTAL),
    "a portal that refuses": (FromPortal, [(Rejected("x"), ints(0) + text("x"))]),
}


def fed(side: Side, data: bytes, cuts: list[int]) -> list[Packet | Garbled]:
    reader = side(MAX_BYTES)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges)]
    return [packet for piece in pieces for packet in reader.read(piece)]


@pytest.mark.parametrize("name", STREAMS)
def test_packets_are_written_as_described_and_read_in_any_cut(name: str) -> None:
    side, stream = STREAMS[name]
    packets = [packet for packet, _ in stream]
    data = b"".join(written for _, written in stream)
    assert [encode(packet) for packet in packets] == [written for _, written in stream]
    assert fed(side, data, []) == packets
    assert fed(side, data, list(range(len(data)))) == packets
    for cut in range(len(data)):
        assert fed(side, data, [cut]) == packets
    reader = side(MAX_BYTES)
    assert [reader.message(written) for _, written in stream] == packets


@given(st.data(), st.sampled_from(sorted(STREAMS)))
def test_the_result_does_not_depend_on_the_cut(data: st.DataObject, name: str) -> None:
    side, stream = STREAMS[name]
    good = b"".join(written for _, written in stream[: data.draw(st.integers(0, len(stream)))])
    sent = good + data.draw(st.binary(max_size=40))
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=8))
    whole = fed(side, sent, [])
    assert fed(side, sent, cuts) == whole
    assert all(isinstance(packet, Garbled) for packet in whole[-1:]) or not any(
        isinstance(packet, Garbled) for packet in whole
    )


def test_a_door_cuts_what_its_link_then_reads() -> None:
    data = b"".join(written for _, written in FROM_SERVER)
    cutter, reader = FromServer(MAX_BYTES), FromServer(MAX_BYTES)
    cut = [piece for byte in data for piece in cutter.feed(bytes([byte]))]
    assert cut == [written for _, written in FROM_SERVER]
    assert [reader.message(piece) for piece in cut if isinstance(piece, bytes)] == [
        packet for packet, _ in FROM_SERVER
    ]
    assert [type(piece) for piece in cutter.feed(ints(9) + ints(1))] == [Garbled]
    assert cutter.feed(ints(1)) == []


NOT_TEXT = ints(2) + b"\xff\xfe"
BAD_REGISTERS = {
    "no ip": ints(1, -1),
    "a long ip": ints(1, MAX_BYTES),
    "no name": ints(1) + text("a") + ints(5, -2),
    "absurd name": ints(1) + text("a") + ints(5, 2**31 - 1),
    "long in all": ints(1) + text("a" * 100) + ints(5) + text("b" * 60) + ints(60),
    "ip no text": ints(1) + NOT_TEXT + ints(5) + text("n") + text("r") + text("a"),
    "author no text": ints(1) + text("a") + ints(5) + text("n") + text("r") + NOT_TEXT,
}
BAD: dict[str, tuple[Side, bytes, bytes]] = {
    **{name: (FromServer, b"", bad) for name, bad in BAD_REGISTERS.items()},
    "first a result": (FromServer, b"", ints(2, 1000, 1, 0)),
    "first an answer": (FromServer, b"", ints(0) + text("no")),
    "first unknown": (FromServer, b"", ints(77)),
    "first negative": (FromServer, b"", ints(-1)),
    "unknown": (FromServer, REGISTER_BYTES, ints(4)),
    "negative": (FromServer, REGISTER_BYTES, ints(-(2**31))),
    "negative error": (FromServer, REGISTER_BYTES, ints(0, -1)),
    "absurd error": (FromServer, REGISTER_BYTES, ints(0, 2**30)),
    "error no text": (FromServer, REGISTER_BYTES, ints(0) + NOT_TEXT),
    "no status": (FromServer, REGISTER_BYTES, ints(3, 3)),
    "negative status": (FromServer, REGISTER_BYTES, ints(3, -1)),
    "no match": (FromServer, REGISTER_BYTES, ints(3, 999)),
    "not started": (FromServer, REGISTER_BYTES, ints(3, 1000, 0)),
    "asker answers": (FromServer, ints(3, 1000), ints(1)),
    "asker registers": (FromServer, ints(3, 1000), REGISTER_BYTES),
    "answer unknown": (FromPortal, b"", ints(2)),
    "answer negative": (FromPortal, b"", ints(-1)),
    "refusal negative": (FromPortal, b"", ints(0, -5)),
    "refusal absurd": (FromPortal, b"", ints(0, 10**9)),
    "refusal no text": (FromPortal, b"", ints(0) + NOT_TEXT),
    "portal unknown": (FromPortal, ints(1), ints(2)),
    "key negative": (FromPortal, ints(1), ints(1, 1000, 7, 8, -1)),
    "key absurd": (FromPortal, ints(1), ints(1, 1000, 7, 8, MAX_BYTES)),
    "key no text": (FromPortal, ints(1), ints(1, 1000, 7, 8) + NOT_TEXT),
    "error after it": (FromPortal, ints(1), ints(0, -1)),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_packet_ends_the_reading_and_leaves_what_came_before(name: str) -> None:
    side, before, bad = BAD[name]
    data = before + bad + REGISTER_BYTES + ints(1, 3, 1000)
    good = side(MAX_BYTES).read(before)
    for cuts in ([], list(range(len(data))), [len(before)], [len(before) + 1]):
        found = fed(side, data, cuts)
        assert found[:-1] == good
        garbled = found[-1]
        assert isinstance(garbled, Garbled)
        assert garbled.fatal
        assert garbled.reason.endswith(".")
    reader = side(MAX_BYTES)
    assert reader.message(before) == (good[0] if good else None)
    assert isinstance(reader.message(bad), Garbled)
    assert reader.message(ints(1)) is None


@pytest.mark.parametrize(
    "message",
    [REGISTER_BYTES[:-1], REGISTER_BYTES + b"\0", REGISTER_BYTES + ints(1), ints(1), b"\x01"],
)
def test_a_message_is_one_packet(message: bytes) -> None:
    reader = FromServer(MAX_BYTES)
    assert isinstance(reader.message(message), Garbled)
    assert reader.message(REGISTER_BYTES) is None


def test_the_longest_packet() -> None:
    key = "k" * 80
    for most, reads in ((100, True), (99, False)):
        reader = FromPortal(most)
        (_, found) = reader.read(ints(1) + create(1000, 7, 8, key))
        assert isinstance(found, Create) == reads
        reader = FromPortal(most)
        reader.message(ints(1))
        assert isinstance(reader.message(create(1000, 7, 8, key)), Create) == reads
    unlimited = FromPortal(0)
    assert len(unlimited.read(ints(1) + create(1000, 7, 8, "k" * 10**6))) == 2


def test_blank_messages_are_ignored() -> None:
    reader = FromServer(MAX_BYTES)
    assert reader.message(b"") is None
    assert reader.message(REGISTER_BYTES) == REGISTER


def test_a_number_that_does_not_fit_is_not_cut_off() -> None:
    with pytest.raises(struct.error):
        encode(Result(1000, 2**31, 0))
