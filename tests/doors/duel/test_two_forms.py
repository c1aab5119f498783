"""Players of one match, of whom one says its number and the other the key alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists
from tests.doors.watch.pages import Page
from tests.many_nodes.in_process.tables.told_beats import places
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3",)
PAIRS = 8
_keys = (f"the key {number}" for number in count())


@pytest.fixture
def page(hall: HallProcess) -> Iterator[Page]:
    with Page(f"ws://127.0.0.1:{hall.ports['watch']}/") as page:
        yield page


def are_paired(whole: Client, own: Client) -> None:
    """Who said the number is uid 7, whose key was enough is uid 8, and they play."""
    assert (whole.take(p.ACCEPTED), own.take(p.ACCEPTED)) == ("7", "8")
    boards = whole.take(p.BOARD), own.take(p.BOARD)
    first, second = (whole, own) if own.is_my_turn() else (own, whole)
    second.pick(boards[0][0][0])
    assert first.take(p.PICKED) == boards[0][0][0]


@pytest.mark.parametrize("own_first", [False, True])
def test_two_who_come_at_the_same_moment(at: Duelists, own_first: bool) -> None:
    for _ in range(PAIRS):
        key = next(_keys)
        whole, own = at.client(), at.client()
        hellos = [(whole, f"7:8:{at.new_match()}:{key}:fast"), (own, f"8:{key}:fast")]
        for client, text in reversed(hellos) if own_first else hellos:
            client.hello(text)
        are_paired(whole, own)


async def test_two_who_come_at_the_same_moment_to_two_nodes() -> None:
    async with places("duel") as at:
        here, there = (doors.ports["duel"] for doors in at.doors)
        for number in range(1, PAIRS + 1):
            key = next(_keys)
            whole, own = Client(here), Client(there)
            try:
                whole.hello(f"7:8:{number}:{key}:fast")
                own.hello(f"8:{key}:fast")
                await asyncio.to_thread(are_paired, whole, own)
            finally:
                whole.close()
                own.close()


@pytest.mark.parametrize(("waits", "joins"), [(8, 7), (7, 8)])
def test_the_key_alone_comes_first(at: Duelists, page: Page, waits: int, joins: int) -> None:
    key, match = next(_keys), at.new_match()
    own = at.enters(f"{waits}:{key}:fast", waits)
    whole = at.enters(f"7:8:{match}:{key}:fast", joins)
    own.take(p.BOARD)
    whole.take(p.BOARD)
    at.refused(f"7:8:{match}:{key}")
    whole.pick(5)
    own.take(p.PICKED, p.YOURS)
    assert [str(waits), str(joins)] in [
        room["players"] for room in page.ping()["game_state"].values()
    ]


def test_who_joined_with_the_number_comes_back(at: Duelists, hall: HallProcess) -> None:
    key, match = next(_keys), at.new_match()
    texts = f"7:{key}:fast", f"7:8:{match}:{key}:fast"
    own, whole = at.enters(texts[0], 7), at.enters(texts[1], 8)
    boards = own.take(p.BOARD), whole.take(p.BOARD)
    whole.pick(5)
    own.take(p.PICKED, p.YOURS)
    whole.close()
    at.enters(f"5:6:{match}:another key", 5)  # Under this number others may play meanwhile.
    at.comes_back(texts[1], 8, boards[1], [5])
    hall.restart()
    # Both have dropped, and each is who it was, whoever is first.
    whole = at.comes_back(texts[1], 8, boards[1], [5])
    own = at.comes_back(texts[0], 7, boards[0], [5])
    own.pick(6)
    whole.take(p.PICKED, p.YOURS)


def test_a_match_of_others_is_not_joined(at: Duelists) -> None:
    key = next(_keys)
    waits = at.enters(f"9:{key}:fast", 9)
    whole = f"7:8:{at.new_match()}:{key}:fast"
    first, second = at.enters(whole, 7), at.enters(whole, 8)
    first.take(p.BOARD)
    second.take(p.BOARD)
    assert not waits.is_my_turn()
    assert at.enters(f"6:{key}:fast", 6).take(p.BOARD)
    waits.take(p.BOARD)


def test_a_number_that_others_play_is_refused_though_the_opponent_waits(at: Duelists) -> None:
    key, match = next(_keys), at.new_match()
    at.enters(f"5:6:{match}:another key", 5)
    waits = at.enters(f"8:{key}:fast", 8)
    at.refused(f"7:8:{match}:{key}")
    at.enters(f"7:8:{at.new_match()}:{key}:fast", 7).take(p.BOARD)
    waits.take(p.BOARD)


def test_a_match_with_oneself_is_one_of_its_own(at: Duelists) -> None:
    key = next(_keys)
    at.enters(f"7:{key}:fast", 7)
    whole = f"7:7:{at.new_match()}:{key}:fast"
    first, second = at.enters(whole, 7), at.enters(whole, 7)
    first.take(p.BOARD)
    second.take(p.BOARD)
