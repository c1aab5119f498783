"""Codecs give the same whatever way the stream was cut: whole, byte by byte, at random."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gamehall.wire.net.codec import FrameJoiner, Garbled, LineCodec

MAX = 16
TEXT, BINARY, CONTINUATION = 1, 2, 0
Messages = list[bytes | Garbled]

NOT_UTF8 = Garbled("This message is not valid UTF-8.", "bad_request", False, 1007)
TOO_LARGE = Garbled(
    f"This message is larger than the {MAX} bytes that are accepted.", "too_large", True, 1009
)

# Mostly what matters: ends of lines, blanks, broken UTF-8 and lengths around the limit.
pieces = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b" ", b"", b"a", "é".encode(), b"\xff", b"\xc3", b"x" * 15, b"y" * 16]
)
streams = st.one_of(st.lists(pieces, max_size=12).map(b"".join), st.binary(max_size=64))


def feed_all(parts: list[bytes], max_bytes: int = MAX) -> Messages:
    codec = LineCodec(max_bytes)
    return [message for part in parts for message in codec.feed(part)]


def bytewise(stream: bytes) -> list[bytes]:
    return [stream[i : i + 1] for i in range(len(stream))]


def by_the_book(stream: bytes) -> Messages:
    """What the stream means, told the slow and plain way: the lines, then their judgement."""
    found: Messages = []
    *lines, rest = stream.split(b"\n")
    for line in lines:
        text = line[:-1] if line.endswith(b"\r") else line
        if len(text) > MAX:
            return [*found, TOO_LARGE]
        if text.strip(b" \t\n\r\x0b\f"):
            try:
                text.decode()
                found.append(text)
            except UnicodeDecodeError:
                found.append(NOT_UTF8)
    if len(rest) > MAX + 1 or (len(rest) == MAX + 1 and not rest.endswith(b"\r")):
        found.append(TOO_LARGE)
    return found


@given(streams, st.data())
@example(b"y" * 16 + b"\r\n", None)
@example(b"y" * 16 + b"\r" + b"\r\n", None)
@example(b"a\n" + b"y" * 17 + b"\nb\n", None)
def test_lines_are_the_same_however_they_are_cut(stream: bytes, data: st.DataObject | None) -> None:
    expected = by_the_book(stream)
    assert feed_all([stream]) == expected
    assert feed_all(bytewise(stream)) == expected
    if data is not None:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
        parts = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        assert feed_all(parts) == expected


@given(streams)
def test_what_trails_a_line_changes_nothing_before_it(trailing: bytes) -> None:
    assert feed_all([b"one\r\n\n  \ntwo\n" + trailing])[:2] == [b"one", b"two"]


def test_a_line_that_is_too_long_is_told_as_soon_as_it_is_known_and_nothing_after() -> None:
    codec = LineCodec(MAX)
    assert codec.feed(b"before\n" + b"x" * MAX) == [b"before"]
    assert codec.feed(b"x") == [TOO_LARGE]
    assert codec.feed(b"\nafter\n") == []


def test_a_line_of_exactly_the_limit_passes_with_either_end() -> None:
    assert feed_all([b"x" * MAX + b"\r\n" + b"y" * MAX + b"\n"]) == [b"x" * MAX, b"y" * MAX]


def test_without_a_limit_a_line_may_be_of_any_length() -> None:
    assert feed_all([b"x" * 100_000, b"\n"], max_bytes=0) == [b"x" * 100_000]


def frames(opcode: int, *payloads: bytes) -> list[tuple[int, bool, bytes]]:
    last = len(payloads) - 1
    return [(opcode if i == 0 else CONTINUATION, i == last, p) for i, p in enumerate(payloads)]


def join_all(parts: list[tuple[int, bool, bytes]], binary: bool = False) -> Messages:
    joiner = FrameJoiner(MAX, binary)
    found = [joiner.feed(opcode, fin, payload) for opcode, fin, payload in parts]
    return [message for message in found if message is not None]


@given(st.text(max_size=MAX), st.data())
def test_fragments_make_the_message_they_were_cut_from(text: str, data: st.DataObject) -> None:
    whole = text.encode()[:MAX]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=3)))
    payloads = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    # Empty fragments count a little, which this test is not about.
    payloads = [part for part in payloads if part] or [b""]
    assert join_all(frames(TEXT, *payloads)) == join_all(frames(TEXT, whole))
    if whole.isascii() and whole.strip():
        assert join_all(frames(TEXT, *payloads)) == [whole]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([TEXT, BINARY, CONTINUATION]), st.booleans(), st.binary(max_size=20)
        ),
        max_size=20,
    )
)
def test_any_frames_give_messages_within_the_limit_and_at_most_one_fatal_end(
    parts: list[tuple[int, bool, bytes]],
) -> None:
    found = join_all(parts)
    fatal = [isinstance(message, Garbled) and message.fatal for message in found]
    assert not any(fatal[:-1])
    assert all(len(m) <= MAX and m.decode() for m in found if isinstance(m, bytes))


@pytest.mark.parametrize(
    ("parts", "code", "close_code"),
    [
        (frames(CONTINUATION, b"a"), "bad_request", 1002),
        ([(TEXT, False, b"a"), (TEXT, True, b"b")], "bad_request", 1002),
        (frames(TEXT, b"x" * 17), "too_large", 1009),
        (frames(TEXT, b"x" * 9, b"x" * 8), "too_large", 1009),
        (frames(TEXT, b"x", *[b""] * 17, b"x"), "too_large", 1009),
        (frames(BINARY, b"x" * 9, b"x" * 8), "too_large", 1009),
        (frames(TEXT, b"\xc3", b"\x28"), "bad_request", 1007),
        (frames(TEXT, b"\xff"), "bad_request", 1007),
    ],
)
def test_frames_that_end_a_connection(
    parts: list[tuple[int, bool, bytes]], code: str, close_code: int
) -> None:
    (garbled,) = join_all([*parts, (TEXT, True, b"after")])
    assert isinstance(garbled, Garbled)
    assert (garbled.code, garbled.fatal, garbled.close_code) == (code, True, close_code)


def test_a_binary_message_is_refused_once_and_the_next_one_is_read() -> None:
    garbled, after = join_all([*frames(BINARY, b"\xff", b"\xff"), (TEXT, True, b"after")])
    assert isinstance(garbled, Garbled)
    assert (garbled.code, garbled.fatal) == ("bad_request", False)
    assert after == b"after"


def test_a_character_may_be_cut_between_fragments() -> None:
    assert join_all(frames(TEXT, b"\xc3", b"\xa9")) == ["é".encode()]


def test_blank_messages_are_left_out() -> None:
    assert join_all([(TEXT, True, b""), (TEXT, True, b" \r\n"), (TEXT, True, b"a")]) == [b"a"]


def test_where_messages_are_binary_they_may_be_anything_but_empty() -> None:
    parts = [*frames(BINARY, b"\xff", b"\n"), (BINARY, True, b""), (BINARY, True, b"    ")]
    assert join_all(parts, binary=True) == [b"\xff\n", b"    "]
    (garbled,) = join_all(frames(BINARY, b"x" * 9, b"x" * 8), binary=True)
    assert isinstance(garbled, Garbled)
    assert (garbled.code, garbled.fatal) == ("too_large", True)


def test_where_messages_are_binary_text_is_refused_and_the_next_one_is_read() -> None:
    garbled, after = join_all([(TEXT, True, b"text"), (BINARY, True, b"after")], binary=True)
    assert isinstance(garbled, Garbled)
    assert (garbled.code, garbled.fatal) == ("bad_request", False)
    assert after == b"after"
