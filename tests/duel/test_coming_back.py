"""Players who drop and come back: to their seat, with their board and every pick so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.duel import packets as p
from tests.duel.clients import Client, Duelists, open_hall
from tests.duel.judge import played_out, turns
from tests.duel.packets import Board
from tests.processes import Process

SETTINGS = ("duel.size=4",)
OTHER, THIRD = "127.0.0.2", "127.0.0.3"


def both_play(first: Client, second: Client, picks: list[int]) -> None:
    for picker, other, number in turns(first, second, picks):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        other.take(p.YOURS)


@pytest.mark.parametrize("ending", ["close", "reset", "shut_down"])
@pytest.mark.parametrize("leaver", [0, 1])
def test_one_who_dropped_has_its_seat_again(at: Duelists, ending: str, leaver: int) -> None:
    first, second, text = at.pair()
    both_play(first, second, [16, 3, 9])
    players = [first, second]
    getattr(players[leaver], ending)()
    back = at.comes_back(text, 7 + leaver, players[leaver].board, [16, 3, 9])
    players[leaver] = back
    assert [player.is_my_turn() for player in players] == [True, False]
    players[0].pick(1)
    players[1].take(p.PICKED, p.YOURS)


def test_what_was_picked_meanwhile_is_told_too(at: Duelists) -> None:
    first, second, text = at.pair()
    first.close()
    second.pick(7)
    back = at.until_accepted(text)
    back.take(p.BOARD)
    assert back.take(p.PICKED) == 7
    assert back.is_my_turn()


def test_who_waits_may_drop_and_wait_on(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    at.enters(text, 7).close()
    first = at.until_accepted(text)
    while first.log[-1].value == "8":
        # The hall had not noticed yet, and took it for the second to come: a match has begun.
        raise AssertionError("taken for the opponent")
    at.enters(text, 8).take(p.BOARD)
    first.take(p.BOARD)


def test_both_dropped_and_each_address_has_its_seat(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    boards = pair_from(at, text, OTHER, THIRD)
    second = at.until_accepted(text, THIRD)
    assert (second.log[-1].value, second.take(p.BOARD)) == ("8", boards[1])
    first = at.until_accepted(text, OTHER)
    assert (first.log[-1].value, first.take(p.BOARD)) == ("7", boards[0])


def test_both_dropped_and_a_stranger_to_the_hall_is_the_first(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    boards = pair_from(at, text, OTHER, OTHER)
    first = at.until_accepted(text, THIRD)
    assert (first.log[-1].value, first.take(p.BOARD)) == ("7", boards[0])
    assert at.until_accepted(text, THIRD).log[-1].value == "8"


def test_of_two_from_one_address_the_last_comes_back_first(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    for last in (8, 7):
        players = dict(zip((7, 8), (at.until_accepted(text), at.until_accepted(text)), strict=True))
        if last == 7:
            # They came back in the other order.
            players = {7: players[8], 8: players[7]}
        for uid, player in players.items():
            assert player.log[-1].value == str(uid)
            player.take(p.BOARD)
        players[15 - last].close()
        # So the hall knows of the one before the other goes.
        probe = at.until_accepted(text)
        assert probe.log[-1].value == str(15 - last)
        probe.close()
        at.until_accepted(text).close()
        players[last].pick(1)
        at.refused(text) if False else None
        players[last].close()


def pair_from(at: Duelists, text: str, first: str, second: str) -> tuple[Board, Board]:
    """The boards of two who came from these addresses, and are gone again."""
    one, other = at.enters(text, 7, first), at.enters(text, 8, second)
    boards = one.take(p.BOARD), other.take(p.BOARD)
    one.close()
    other.close()
    return boards
