"""Casual matches that are played again, and those that players know by the key alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists
from tests.doors.duel.judge import DRAWN, LOST, WON, played_out, turns
from tests.doors.watch.pages import Page
from tests.support.processes import HallProcess

SETTINGS = ("duel.size=3", "duel.close_seconds=3600")
"""Nobody is closed after the end, so that who comes again may still have an old connection."""
RESULTS = {WON: (p.WON, p.LOST), LOST: (p.LOST, p.WON), DRAWN: (p.DRAWN, p.DRAWN)}
_keys = (f"the key {number}" for number in count())


@pytest.fixture
def page(hall: HallProcess) -> Iterator[Page]:
    with Page(f"ws://127.0.0.1:{hall.ports['watch']}/") as page:
        yield page


def whole_match(first: Client, second: Client) -> None:
    """From the boards to the end."""
    boards = [client.take(p.BOARD) for client in (first, second)]
    picks, ended = played_out(boards[0], boards[1], list(range(1, 10)))
    for picker, other, number in turns(first, second, picks):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        if number != picks[-1]:
            other.take(p.YOURS)
    for client, code in zip((first, second), RESULTS[ended], strict=True):
        client.take(code, p.OTHER_BOARD)


def play_by(at: Duelists, first: str, second: str) -> None:
    """A whole match of uid 7, who comes first, and uid 8, who say this."""
    whole_match(at.enters(first, 7), at.enters(second, 8))


def test_a_number_is_played_again_and_again(at: Duelists, page: Page) -> None:
    match = at.new_match()
    text = f"7:8:{match}:the key:fast"
    for _ in range(4):
        first, second = at.enters(text, 7), at.enters(text, 8)
        at.refused(text)
        whole_match(first, second)
        for client in (first, second):
            client.ask_turn()
            client.take(p.NOT_YOURS)
    shown = [item["data"] for item in page.ping()["game_history"]]
    rooms = [int(data["room_id"]) for data in shown if data["match_id"] == match]
    assert len(rooms) == 4
    assert rooms == sorted(rooms, reverse=True)
    boards = {str(data["game_board_1"]) for data in shown if data["match_id"] == match}
    assert len(boards) > 1, "each match has boards of its own"


@pytest.mark.slow
def test_there_is_no_end_to_it(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    for _ in range(60):
        play_by(at, text, text)


def test_each_time_the_key_is_that_of_the_first_who_comes(at: Duelists) -> None:
    match = at.new_match()
    one, other = f"7:8:{match}:one key:fast", f"7:8:{match}:another key:fast"
    play_by(at, one, one)
    first = at.enters(other, 7)
    at.refused(one)
    whole_match(first, at.enters(other, 8))
    play_by(at, one, one)


def test_it_is_played_again_after_the_hall_was_killed(at: Duelists, hall: HallProcess) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    play_by(at, text, text)
    play_by(at, text, text)
    hall.restart()
    play_by(at, text, text)


def test_two_who_know_the_key_alone(at: Duelists, page: Page) -> None:
    key = next(_keys)
    for _ in range(2):
        first = at.enters(f"7:{key}:fast", 7)
        at.refused(f"7:{key}")
        second = at.enters(f"8:{key}:fast", 8)
        for third in ("7", "8", "9"):
            at.refused(f"{third}:{key}")
        whole_match(first, second)
    latest = page.ping()["game_history"][0]["data"]
    assert (latest["match_id"], latest["uid_1"], latest["uid_2"]) == (None, "7", "8")


def test_who_knows_the_key_alone_comes_back(at: Duelists, hall: HallProcess) -> None:
    key = next(_keys)
    first, second = at.enters(f"7:{key}:fast", 7), at.enters(f"8:{key}:fast", 8)
    boards = first.take(p.BOARD), second.take(p.BOARD)
    second.pick(5)
    first.take(p.PICKED, p.YOURS)
    second.close()
    second = at.comes_back(f"8:{key}:fast", 8, boards[1], [5])
    hall.restart()
    second = at.comes_back(f"8:{key}:fast", 8, boards[1], [5])
    first = at.comes_back(f"7:{key}:fast", 7, boards[0], [5])
    assert first.is_my_turn()
    first.pick(6)
    second.take(p.PICKED, p.YOURS)


def test_who_knows_the_key_finds_the_match_with_a_number(at: Duelists) -> None:
    key, match = next(_keys), at.new_match()
    whole = f"7:8:{match}:{key}:fast"
    for _ in range(2):
        play_by(at, whole, f"8:{key}:fast")
    first = at.enters(whole, 7)
    stranger = at.enters(f"9:{key}:fast", 9)
    assert not stranger.is_my_turn(), "it waits for somebody else who knows the key alone"
    second = at.enters(whole, 8)
    board = second.take(p.BOARD)
    second.close()
    assert at.enters(f"8:{key}:fast", 8).take(p.BOARD) == board
    first.take(p.BOARD)


def test_the_newest_of_several_with_one_key(at: Duelists) -> None:
    key = next(_keys)
    older, newer = (f"7:8:{at.new_match()}:{key}:fast" for _ in range(2))
    waits, first = at.enters(older, 7), at.enters(newer, 7)
    second = at.enters(f"8:{key}:fast", 8)
    whole_match(first, second)
    # That one is over, and the older one is still on.
    whole_match(waits, at.enters(f"8:{key}:fast", 8))


def test_a_match_opened_by_the_key_has_the_number_of_who_joined(at: Duelists, page: Page) -> None:
    key, match = next(_keys), at.new_match()
    for _ in range(2):
        play_by(at, f"7:{key}:fast", f"7:8:{match}:{key}:fast")
        latest = page.ping()["game_history"][0]["data"]
        assert (latest["match_id"], latest["uid_1"], latest["uid_2"]) == (match, "7", "8")
    whole = f"7:8:{match}:{key}:fast"
    play_by(at, whole, whole)
