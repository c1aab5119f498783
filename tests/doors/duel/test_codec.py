"""The codec of the `duel` door, fed in every way a stream can be cut, against one made by hand."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamehall.errors import BadRequest
from gamehall.hall.visitors.duel_hello import Hello, OwnHello
from gamehall.wire.bingo import duel_codec as c
from gamehall.wire.net.codec import Garbled
from tests.doors.duel import packets as p
from tests.doors.duel.packets import Packet

MAX_BYTES = 40
NUMBERS = st.integers(-(2**31), 2**31 - 1)
TEXTS = st.text(max_size=MAX_BYTES // 4)


@st.composite
def sound_packets(draw: st.DrawFn) -> bytes:
    kind = draw(st.sampled_from((p.HELLO, p.PICK, p.TURN)))
    if kind == p.HELLO:
        return p.hello(draw(TEXTS))
    return p.pick(draw(NUMBERS)) if kind == p.PICK else p.ints(p.TURN)


STREAMS = st.lists(sound_packets() | st.binary(max_size=12), max_size=8).map(b"".join)


def fed(data: bytes, cuts: list[int]) -> list[bytes | Garbled]:
    codec, found, start = c.DuelCodec(MAX_BYTES), list[bytes | Garbled](), 0
    for end in [*sorted(cut % (len(data) + 1) for cut in cuts), len(data)]:
        found += codec.feed(data[start:end])
        start = end
    return found


def by_hand(data: bytes) -> list[bytes | None]:
    """The packets of a stream, and None for what can be none."""
    found: list[bytes | None] = []
    while len(data) >= 4:
        (kind,) = struct.unpack_from("<i", data)
        length = {p.TURN: 4, p.PICK: 8}.get(kind)
        if kind == p.HELLO:
            if len(data) < 8:
                break
            (text_bytes,) = struct.unpack_from("<i", data, 4)
            length = 8 + text_bytes if 0 <= text_bytes <= MAX_BYTES else None
        if length is None:
            return [*found, None]
        if len(data) < length:
            break
        packet, data = data[:length], data[length:]
        if kind == p.HELLO and not is_text(packet[8:]):
            return [*found, None]
        found.append(packet)
    return found


def is_text(data: bytes) -> bool:
    return data.decode(errors="replace").encode() == data


@given(STREAMS, st.lists(st.integers(0, 1000), max_size=6))
def test_however_the_stream_is_cut(data: bytes, cuts: list[int]) -> None:
    whole = fed(data, [])
    assert fed(data, cuts) == whole
    assert fed(data, list(range(len(data)))) == whole
    assert [each if isinstance(each, bytes) else None for each in whole] == by_hand(data)
    assert all(isinstance(each, bytes) for each in whole[:-1])


@given(STREAMS, st.binary(max_size=40))
def test_after_what_is_no_packet_nothing_comes(data: bytes, more: bytes) -> None:
    codec = c.DuelCodec(MAX_BYTES)
    found = codec.feed(data)
    if found and isinstance(found[-1], Garbled):
        assert codec.feed(more) == []


@given(NUMBERS, TEXTS)
def test_what_packets_say(number: int, text: str) -> None:
    assert c.read_packet(p.pick(number)) == c.NumberPicked(number)
    assert c.read_packet(p.hello(text)) == c.HelloSaid(text)
    assert c.read_packet(p.ints(p.TURN)) == c.TurnAsked()


@pytest.mark.parametrize("length", [-1, -(2**31), MAX_BYTES + 1, 2**31 - 1])
def test_an_absurd_length_is_seen_before_the_text_comes(length: int) -> None:
    (garbled,) = c.DuelCodec(MAX_BYTES).feed(p.ints(p.HELLO, length))
    assert isinstance(garbled, Garbled)


def test_without_a_limit_long_texts_are_taken() -> None:
    data = p.hello("x" * 100_000)
    assert c.DuelCodec(0).feed(data) == [data]


@given(st.integers(3, 20), st.randoms(use_true_random=False), TEXTS, NUMBERS)
def test_what_the_hall_sends_is_what_a_client_reads(
    size: int, rng: object, text: str, number: int
) -> None:
    numbers = list(range(1, size**2 + 1))
    rng.shuffle(numbers)  # type: ignore[attr-defined]
    board = [numbers[row * size : (row + 1) * size] for row in range(size)]
    picked = numbers[: size * 2]
    marked = c.marks_on(board, picked)
    sent = {
        c.packet(c.Said.MESSAGE, text): Packet(100, text),
        c.packet(c.Said.ACCEPTED, text): Packet(200, text),
        c.packet(c.Said.PICKED, number): Packet(205, number),
        c.board_packet(board): Packet(201, board),
        c.other_board_packet(board, marked): Packet(
            222, (board, {number: list(place) for number, place in marked.items()})
        ),
        c.packet(c.Said.OTHER_LEFT): Packet(1000),
    }
    for data, packet in sent.items():
        assert p.read(data) == (packet, len(data))
    assert list(marked) == [str(number) for number in picked]
    assert all(board[row][column] == int(number) for number, (column, row) in marked.items())


@given(NUMBERS, NUMBERS, NUMBERS, st.text(min_size=1).filter(lambda key: ":" not in key))
def test_a_hello_is_read(uid1: int, uid2: int, match: int, key: str) -> None:
    text = f"{uid1}:{uid2}:{match}:{key}"
    if min(uid1, uid2, match) < 0:
        with pytest.raises(BadRequest):
            c.read_hello(text)
        return
    assert c.read_hello(text) == Hello((uid1, uid2), match, key, False)
    assert c.read_hello(f"{text}:fast") == Hello((uid1, uid2), match, key, True)


@given(st.text())
def test_any_text_is_a_hello_or_refused(text: str) -> None:
    try:
        hello = c.read_hello(text)
    except BadRequest:
        return
    numbers = (hello.uid,) if isinstance(hello, OwnHello) else (*hello.uids, hello.match)
    assert text.endswith(f":{hello.key}" + (":fast" if hello.fast else ""))
    assert [int(field) for field in text.split(":")[: len(numbers)]] == list(numbers)
