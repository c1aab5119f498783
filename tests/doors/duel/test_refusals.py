"""What the `duel` door does not take: answered, and no match suffers from it."""

from __future__ import annotations

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists, open_hall

SETTINGS = ("duel.size=3", "limits.message_bytes=1000")


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "7",
        "hello",
        "7:8:9",
        "7:8:9:",
        "7:8:9::fast",
        "7:8:9:key:slow",
        "7:8:9:key:fast:more",
        "7:8:9:key:fast:",
        "a:8:9:key",
        "7:b:9:key",
        "7:8:c:key",
        "7.0:8:9:key",
        "-7:8:9:key",
        "+7:8:9:key",
        " 7:8:9:key",
        "7:8:2147483648:key",
        "7:8:99999999999999999999:key",
        "٧:8:9:key",
        "²:8:9:key",
        "7:",
        "7::fast",
        ":keymatch",
        "x" * 1000,
        "7:8:9:key\0:more",
    ],
)
def test_hellos_that_are_none(at: Duelists, text: str) -> None:
    at.refused(text)


def test_any_text_without_a_colon_is_a_key(at: Duelists) -> None:
    for key in ("fast", "ключ 🗝", "a\nb\0c", " ", "k" * 900):
        text = f"7:8:{at.new_match()}:{key}"
        at.enters(text, 7)
        at.enters(text, 8)


def test_numbers_may_have_leading_zeros(at: Duelists) -> None:
    match = at.new_match()
    at.enters(f"007:8:{match}:the key", 7)
    at.enters(f"7:08:0{match}:the key", 8)


@pytest.mark.parametrize("waiting", [True, False])
def test_a_match_is_for_its_two_players_with_its_key(at: Duelists, waiting: bool) -> None:
    match = at.new_match()
    text = f"7:8:{match}:the key:fast"
    first = at.enters(text, 7)
    if not waiting:
        at.enters(text, 8)
    for other in ("7:8:{}:a key", "8:7:{}:the key", "7:9:{}:the key", "6:8:{}:the key"):
        at.refused(other.format(match))
    if waiting:
        at.enters(text, 8)
    first.take(p.BOARD)
    at.refused(text)


def test_who_is_in_says_hello_only_once(at: Duelists) -> None:
    first, second, text = at.pair()
    second.hello(text)
    second.take(p.REFUSED)
    second.ended()
    # It has dropped, and comes back.
    at.enters(text, 8).take(p.BOARD)
    assert not first.is_my_turn()


def test_a_refused_hello_is_not_followed_by_another(at: Duelists) -> None:
    match = at.new_match()
    client = at.client()
    client.write(p.hello("nonsense") + p.hello(f"7:8:{match}:the key"))
    client.take(p.REFUSED)
    client.ended()
    at.enters(f"7:8:{match}:another", 7)


def test_many_at_once_fill_two_seats(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    clients = [at.says(text) for _ in range(12)]
    kinds = [client.read().kind for client in clients]
    assert sorted(kinds) == [p.ACCEPTED] * 2 + [p.REFUSED] * 10
    for client, kind in zip(clients, kinds, strict=True):
        if kind == p.REFUSED:
            client.ended()
        else:
            client.take(p.BOARD)


GARBAGE = [
    p.ints(1),
    p.ints(-1),
    p.ints(205, 3),
    p.ints(2**31 - 1),
    p.ints(p.HELLO, -1),
    p.ints(p.HELLO, -(2**31)),
    p.ints(p.HELLO, 2**31 - 1),
    p.ints(p.HELLO, 1001),
    p.ints(p.HELLO, 3) + b"7\xff8",
    b"GET / HTTP/1.1\r\n\r\n",
    b'{"action": "ping"}\n',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda data: data.hex()[:24])
def test_garbage_is_answered_and_closed_and_the_match_goes_on(at: Duelists, garbage: bytes) -> None:
    first, second, text = at.pair()
    stranger = at.client()
    stranger.write(garbage)
    stranger.take(p.REFUSED)
    stranger.ended()
    # Also from within, behind what is in order, which still counts.
    second.write(p.pick(5) + garbage + p.pick(6))
    second.take(p.REFUSED)
    second.ended()
    assert first.take(p.PICKED) == 5
    first.take(p.YOURS)
    first.pick(6)
    back = at.enters(text, 8)
    back.take(p.BOARD)
    assert [back.take(p.PICKED), back.take(p.PICKED)] == [5, 6]


def test_garbage_behind_a_hello_is_answered_after_it(at: Duelists) -> None:
    client = at.client()
    client.write(p.hello(f"7:8:{at.new_match()}:the key") + p.ints(7))
    client.take(p.ACCEPTED, p.REFUSED)
    client.ended()


def test_half_packets_wait_for_the_rest(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    first, second = at.client(), at.client()
    for byte in p.hello(text):
        first.write(bytes((byte,)))
    first.take(p.ACCEPTED)
    second.write(p.hello(text)[:9])
    assert not first.is_my_turn()
    second.write(p.hello(text)[9:] + p.pick(3)[:5])
    second.take(p.ACCEPTED, p.BOARD)
    second.write(p.pick(3)[5:])
    first.take(p.BOARD, p.PICKED, p.YOURS)


def test_a_half_packet_and_gone(at: Duelists) -> None:
    client = at.client()
    client.write(p.ints(p.HELLO, 900) + b"7:8")
    client.close()
    at.pair()


def test_who_sends_no_more_is_still_answered(at: Duelists) -> None:
    client = at.client()
    client.write(p.hello(f"7:8:{at.new_match()}:the key"))
    client.shut_down()
    client.take(p.ACCEPTED)
    client.ended()


def test_a_flood_of_questions_is_slowed_down_and_then_cut(at: Duelists) -> None:
    first, second, _ = at.pair()
    first.write(p.ints(p.TURN) * 1000)
    kinds: list[int] = []
    while not kinds or kinds[-1] != p.REFUSED:
        kinds.append(first.read().kind)
    assert set(kinds) == {p.NOT_YOURS, p.MESSAGE, p.REFUSED}
    assert "Too many" in next(each.value for each in first.log if each.kind == p.MESSAGE)
    first.ended()
    assert second.is_my_turn()


def test_without_casual_matches_nobody_is_let_in(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with open_hall(tmp_path_factory.mktemp("hall"), "duel.casual=false") as hall:
        at = Duelists(hall)
        at.refused("7:8:9:the key")
        at.refused("7:the key")
        at.leave()


def test_strangers_have_their_limits(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = ("limits.hello_seconds=3", "limits.connections_per_address=3")
    with open_hall(tmp_path_factory.mktemp("hall"), "duel.size=3", *limits) as hall:
        at = Duelists(hall)
        first, second, _ = at.pair()
        silent = at.client()
        one_too_many = at.client()
        one_too_many.take(p.REFUSED)
        one_too_many.ended()
        silent.take(p.REFUSED)
        silent.ended()
        second.pick(1)
        first.take(p.PICKED, p.YOURS)
        at.leave()
