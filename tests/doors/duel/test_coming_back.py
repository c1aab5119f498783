"""Players who drop and come back: to their seat, with their board and every pick so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client, Duelists, open_hall
from tests.doors.duel.judge import DRAWN, LOST, WON, marks, played_out, turns
from tests.doors.duel.packets import Board
from tests.doors.native.clients import Client as NativeClient
from tests.support.processes import HallProcess, Process

SETTINGS = ("duel.size=4",)
OTHER, THIRD = "127.0.0.2", "127.0.0.3"
RESULTS = {WON: (p.WON, p.LOST), LOST: (p.LOST, p.WON), DRAWN: (p.DRAWN, p.DRAWN)}


def play(first: Client, second: Client, picks: list[int]) -> None:
    """Up to here, and not to the end."""
    for picker, other, number in turns(first, second, picks):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        other.take(p.YOURS)


def pair_from(at: Duelists, text: str, first: str, second: str) -> tuple[Board, Board]:
    """The boards of two who came from these addresses, and are gone again."""
    one, other = at.enters(text, 7, first), at.enters(text, 8, second)
    boards = one.take(p.BOARD), other.take(p.BOARD)
    one.close()
    other.close()
    return boards


@pytest.mark.parametrize("ending", ["close", "reset", "shut_down"])
@pytest.mark.parametrize("leaver", [0, 1])
def test_one_who_dropped_has_its_seat_again(at: Duelists, ending: str, leaver: int) -> None:
    first, second, text = at.pair()
    play(first, second, [16, 3, 9])
    players = [first, second]
    getattr(players[leaver], ending)()
    players[leaver] = at.comes_back(text, 7 + leaver, players[leaver].board, [16, 3, 9])
    assert [player.is_my_turn() for player in players] == [True, False]
    players[0].pick(1)
    players[1].take(p.PICKED, p.YOURS)


def test_what_was_picked_meanwhile_is_told_too(at: Duelists) -> None:
    first, second, text = at.pair()
    first.close()
    second.pick(7)
    assert not second.is_my_turn()
    back = at.comes_back(text, 7, first.board, [7])
    assert back.is_my_turn()


def test_who_waits_may_drop_and_wait_on(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    at.enters(text, 7).close()
    first = at.enters(text, 7)
    assert not first.is_my_turn()
    at.enters(text, 8).take(p.BOARD)
    first.take(p.BOARD)


def test_both_dropped_and_each_address_has_its_seat(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    boards = pair_from(at, text, OTHER, THIRD)
    assert at.enters(text, 8, THIRD).take(p.BOARD) == boards[1]
    assert at.enters(text, 7, OTHER).take(p.BOARD) == boards[0]


def test_both_dropped_and_someone_from_elsewhere_is_the_first(at: Duelists) -> None:
    text = f"7:8:{at.new_match()}:the key:fast"
    boards = pair_from(at, text, OTHER, OTHER)
    assert at.enters(text, 7, THIRD).take(p.BOARD) == boards[0]
    assert at.enters(text, 8, THIRD).take(p.BOARD) == boards[1]
    at.refused(text)


@pytest.mark.parametrize("last", [7, 8])
def test_of_two_at_one_address_the_last_to_speak_comes_first(at: Duelists, last: int) -> None:
    first, second, text = at.pair()
    players = {7: first, 8: second}
    for uid in (15 - last, last):
        players[uid].is_my_turn()
    for player in players.values():
        player.close()
    assert at.enters(text, last).take(p.BOARD) == players[last].board
    assert at.enters(text, 15 - last).take(p.BOARD) == players[15 - last].board


@pytest.mark.slow
def test_who_never_comes_back_has_lost(tmp_path: Path) -> None:
    settings = ("duel.size=3", "table.grace_seconds=0.3", "duel.close_seconds=0")
    with open_hall(tmp_path, *settings) as hall:
        at = Duelists(hall)
        first, second, text = at.pair()
        second.pick(9)
        first.take(p.PICKED, p.YOURS)
        first.reset()
        second.take(p.OTHER_LEFT)
        second.ended()
        # There is nothing to come back to: another match begins.
        assert not at.enters(text, 7).is_my_turn()
        # Of a match that nobody has joined, nothing is left.
        alone = f"7:8:{at.new_match()}:the key:fast"
        at.enters(alone, 7).reset()
        other_key = alone.replace("the key", "another key")
        at.refused(other_key)
        assert at.until_accepted(other_key).log[-1].value == "7"
        at.enters(other_key, 8).take(p.BOARD)
        at.refused(alone)
        at.leave()


@pytest.mark.slow
def test_a_match_goes_on_after_the_hall_was_killed(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Duelists(hall)
        first, second, text = at.pair()
        waits = f"7:8:{at.new_match()}:the key:fast"
        at.enters(waits, 7)
        boards = first.board, second.board
        picks, ended = played_out(*boards, list(range(1, 17)))
        play(first, second, picks[:4])
        hall.restart()
        # Both were at one address, so the first is the first.
        first = at.comes_back(text, 7, boards[0], picks[:4])
        second = at.comes_back(text, 8, boards[1], picks[:4])
        at.refused(text)
        assert [first.is_my_turn(), second.is_my_turn()] == [False, True]
        finish(first, second, picks[4:], picks, RESULTS[ended])
        at.enters(waits, 7)
        at.enters(waits, 8).take(p.BOARD)
        at.leave()
        verify(hall)


def test_after_a_restart_each_address_has_its_seat(tmp_path: Path) -> None:
    with open_hall(tmp_path, *SETTINGS) as hall:
        at = Duelists(hall)
        text = f"7:8:{at.new_match()}:the key:fast"
        boards = pair_from(at, text, OTHER, THIRD)
        hall.kill()
        hall.start()
        assert at.enters(text, 8, THIRD).take(p.BOARD) == boards[1]
        assert at.enters(text, 7, OTHER).take(p.BOARD) == boards[0]
        at.leave()


async def test_what_a_player_says_here_is_no_token_elsewhere(at: Duelists) -> None:
    _, second, text = at.pair()
    native = await NativeClient.connect(at.hall, "ws")
    credential = text.removesuffix(":fast")
    for token in (
        credential,
        *(f"{start}{credential}:{n}" for start in ("", "duel:") for n in (0, 1)),
    ):
        assert await native.refused("hello", token=token) == "bad_token"
        if token != credential:
            await native.close()
            native = await NativeClient.connect(at.hall, "ws")
    await native.close()
    second.ask_turn()
    second.take(p.YOURS)


def finish(
    first: Client, second: Client, rest: list[int], picks: list[int], codes: tuple[int, int]
) -> None:
    for picker, other, number in turns(first, second, rest):
        picker.pick(number)
        assert other.take(p.PICKED) == number
        if number != rest[-1]:
            other.take(p.YOURS)
    for client, opponent, code in zip((first, second), (second, first), codes, strict=True):
        client.take(code)
        assert client.take(p.OTHER_BOARD) == (opponent.board, marks(opponent.board, picks))


def verify(hall: HallProcess) -> None:
    """The first table's log, judged by the rules again."""
    with Process("verify", f"{hall.web_url}/api/tables/1/journal") as process:
        assert process.wait() == 0, process.report()
    assert process.stdout[-1].startswith("Verified"), process.report()
