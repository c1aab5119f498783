"""Whole games through the `duel` door, packet by packet and byte by byte."""

from __future__ import annotations

import json

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Duelists
from tests.doors.duel.judge import DRAWN, LOST, WON, marks, match_that_ends, turns

SETTINGS = ("duel.size=3", "duel.close_seconds=0.2")
RESULTS = {WON: (p.WON, p.LOST), LOST: (p.LOST, p.WON), DRAWN: (p.DRAWN, p.DRAWN)}


def test_each_has_a_board_of_its_own_with_all_numbers(at: Duelists) -> None:
    first, second, _ = at.pair()
    for board in (first.board, second.board):
        assert sorted(number for row in board for number in row) == list(range(1, 10))
    assert first.board != second.board


@pytest.mark.parametrize("ends", [WON, LOST, DRAWN])
def test_a_whole_game(at: Duelists, ends: str) -> None:
    first, second, picks = match_that_ends(at, ends)
    for picker, other, number in turns(first, second, picks[:-1]):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        other.take(p.YOURS)
    picker, other, number = turns(first, second, picks)[-1]
    picker.pick(number)
    assert other.take(p.PICKED) == number
    for client, opponent, code in zip((first, second), (second, first), RESULTS[ends], strict=True):
        client.take(code)
        board, marked = client.take(p.OTHER_BOARD)
        assert board == opponent.board
        assert marked == marks(opponent.board, picks)
        assert list(marked) == [str(number) for number in picks]
        client.ended()


def test_the_end_byte_by_byte(at: Duelists) -> None:
    first, second, picks = match_that_ends(at, WON)
    for picker, other, number in turns(first, second, picks[:-1]):
        picker.pick(number)
        other.take(p.PICKED, p.YOURS)
    picker, _, number = turns(first, second, picks)[-1]
    picker.pick(number)
    told = first.read_all()
    numbers = [number for row in second.board for number in row]
    matrix = b"int32" + p.ints(3, 36, *numbers)
    marked = json.dumps(marks(second.board, picks), separators=(",", ":")).encode()
    expected = p.ints(999, 222, len(matrix)) + matrix + p.ints(len(marked)) + marked
    if picker is second:
        expected = p.ints(205, number) + expected
    assert told == expected


def test_who_comes_second_begins_and_only_asking_tells_so(at: Duelists) -> None:
    first, second, _ = at.pair()
    assert not first.is_my_turn()
    assert second.is_my_turn()
    second.pick(5)
    assert first.take(p.PICKED) == 5
    first.take(p.YOURS)
    assert first.is_my_turn()
    assert not second.is_my_turn()


def test_asking_right_after_a_pick_is_answered_for_the_game_after_it(at: Duelists) -> None:
    _, second, _ = at.pair()
    second.write(p.pick(5) + p.ints(p.TURN))
    second.take(p.NOT_YOURS)


def test_picks_that_are_refused_change_nothing(at: Duelists) -> None:
    first, second, _ = at.pair()
    first.pick(1)
    first.take(p.NOT_YOURS)
    for number in (0, 10, -1, 2**31 - 1, -(2**31)):
        second.pick(number)
        second.take(p.ILLEGAL)
    second.pick(4)
    first.take(p.PICKED, p.YOURS)
    first.pick(4)
    first.take(p.ILLEGAL)
    second.pick(4)
    second.take(p.NOT_YOURS)
    first.pick(5)
    assert second.take(p.PICKED) == 5
    second.take(p.YOURS)


def test_nothing_can_be_picked_alone(at: Duelists) -> None:
    client = at.client()
    client.pick(1)
    client.take(p.NOT_YOURS)
    assert not client.is_my_turn()
    client.hello(f"7:8:{at.new_match()}:the key")
    client.take(p.ACCEPTED)
    client.pick(1)
    client.take(p.NOT_YOURS)
    assert not client.is_my_turn()


def test_nothing_can_be_picked_after_the_end(at: Duelists) -> None:
    first, second, picks = match_that_ends(at, WON)
    for picker, other, number in turns(first, second, picks[:-1]):
        picker.pick(number)
        other.take(p.PICKED, p.YOURS)
    picker, other, number = turns(first, second, picks)[-1]
    rest = next(n for n in range(1, 10) if n not in picks)
    picker.write(p.pick(number) + p.pick(rest) + p.ints(p.TURN))
    kinds = [picker.read().kind for _ in range(4)]
    assert sorted(kinds) == sorted([p.NOT_YOURS] * 2 + [p.WON if picker is first else p.LOST, 222])
    other.take(p.PICKED)


def test_two_matches_of_the_same_players_do_not_touch(at: Duelists) -> None:
    one, two = at.pair(), at.pair()
    one[1].pick(3)
    assert one[0].take(p.PICKED) == 3
    assert two[1].is_my_turn()
    assert not two[0].is_my_turn()


def test_a_player_may_play_against_itself(at: Duelists) -> None:
    text = f"7:7:{at.new_match()}:the key:fast"
    first, second = at.enters(text, 7), at.enters(text, 7)
    first.take(p.BOARD)
    second.take(p.BOARD)
    assert second.is_my_turn()
