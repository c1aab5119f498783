"""The AI as a process, against a hall of which every word is the test's."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from random import Random

import pytest

from tests.player.fake_hall import EMPTY, Board, FakeHall, Visitor, dropped, has_won, played
from tests.player.programs import Ai


@pytest.fixture
def hall() -> Iterator[FakeHall]:
    with FakeHall() as hall:
        yield hall.open()


def _play_game(visitor: Visitor, number: int, chance: Random) -> None:
    """A whole game against chance, in which the AI is player `number`, judged move by move."""
    board: Board = EMPTY
    current = 1
    visitor.update(board, current)
    while True:
        if current == number:
            column = visitor.expect_move()
        else:
            column = chance.choice([c for c in range(7) if board[0][c] == 0])
        board = dropped(board, column, current)
        if has_won(board, current):
            visitor.update(board, current, winner=current)
            visitor.over(current == number)
            return
        current = 3 - current
        visitor.update(board, current)


def test_whole_games_after_challenges_of_both_sides(hall: FakeHall) -> None:
    with Ai(hall.port, "--games=2") as ai:
        visitor = hall.registered()
        visitor.list("Bob")
        assert visitor.expect("CHALLENGE") == {"opponent_id": "player_1"}
        visitor.start("Ada", "Bob", number=1)
        _play_game(visitor, 1, Random(1))
        visitor.challenge(2, "Cleo")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_2"}
        visitor.start("Ada", "Cleo", number=2, game=18)
        _play_game(visitor, 2, Random(2))
        assert visitor.expect("DISCONNECT") is None
        visitor.close()
        assert ai.wait() == 0
    assert ai.stdout == [
        "registered as player_7",
        "challenging Bob",
        "game 17: started against Bob, we begin",
        "game 17: won against Bob (Four in a row)",
        "accepting the challenge of Cleo",
        "game 18: started against Cleo, they begin",
        "game 18: won against Cleo (Four in a row)",
    ]
    assert ai.stderr == []


@pytest.mark.parametrize(
    ("won", "line"),
    [
        (False, "game 17: lost to Bob (Ada has lost: left the game)"),
        (None, "game 17: no winner against Bob (Ada has lost: left the game)"),
    ],
)
def test_a_game_may_end_at_any_time(hall: FakeHall, won: bool | None, line: str) -> None:
    with Ai(hall.port, "--games=1") as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob", number=2)
        visitor.update(EMPTY, 1)
        visitor.over(won, "Ada has lost: left the game.")
        visitor.expect("DISCONNECT")
        visitor.close()
        assert ai.wait() == 0
    assert ai.stdout[-1] == line


def test_after_a_refusal_it_looks_further(hall: FakeHall) -> None:
    with Ai(hall.port) as ai:
        visitor = hall.registered()
        visitor.list("Bob")
        visitor.expect("CHALLENGE")
        visitor.send("CHALLENGE_REFUSED", message="Bob has refused.")
        visitor.list("Bob", "Cleo")
        visitor.expect("CHALLENGE")
        visitor.send("ERROR", message="Cleo is not free.")
        visitor.list("Bob", "Cleo", "Dan")
        visitor.expect("CHALLENGE")
        visitor.start("Ada", "Dan")
        visitor.update(EMPTY, 1)
        visitor.expect_move()
        ai.wait_for("no game: Bob has refused.")
        ai.wait_for("error: Cleo is not free.")


def test_it_accepts_although_it_waits_for_an_answer(hall: FakeHall) -> None:
    with Ai(hall.port):
        visitor = hall.registered()
        visitor.list("Bob")
        visitor.expect("CHALLENGE")
        visitor.challenge(2, "Cleo")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_2"}
        visitor.challenge(3, "Dan")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_3"}
        visitor.start("Ada", "Cleo", number=2)
        visitor.send("ERROR", message="Finish your game first.")
        visitor.update(EMPTY, 1)
        visitor.update(played(3), 2)
        visitor.expect_move()


def test_a_challenge_that_was_over_does_not_hold_it_up(hall: FakeHall) -> None:
    with Ai(hall.port):
        visitor = hall.registered()
        visitor.challenge(2, "Cleo")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_2"}
        visitor.send("ERROR", message="This challenge is over.")
        visitor.list("Bob")
        assert visitor.expect("CHALLENGE") == {"opponent_id": "player_1"}


def test_a_move_that_is_refused_is_sent_again_and_then_another(hall: FakeHall) -> None:
    two_columns_are_open = played(*[0] * 6, *[1] * 6, *[2] * 6, *[3] * 6, *[4] * 6)
    with Ai(hall.port, "--games=1") as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(two_columns_are_open, 1)
        tried = []
        for _ in range(7):
            tried.append(visitor.expect_move())
            visitor.send("ERROR", message="The hall cannot save right now.")
        first, other = tried[0], 11 - tried[0]
        # It never gives up, however long the hall is in trouble.
        assert tried[:6] == [first] * 3 + [other] * 3
        visitor.update(dropped(two_columns_are_open, visitor.expect_move(), 1), 2)
        visitor.over(True)
        assert ai.wait() == 0


def test_an_error_about_something_else_is_no_reason_to_move_twice(hall: FakeHall) -> None:
    with Ai(hall.port) as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        board = dropped(EMPTY, visitor.expect_move(), 1)
        visitor.send("ERROR", message="The hall stops in 5 seconds.")
        visitor.update(board, 2)
        visitor.update(dropped(board, 6, 2), 1)
        visitor.expect_move()
        visitor.over(True)
        # The next that it says is no move: nothing else was under way.
        visitor.list()
        assert ai.says("game 17: won")


def test_it_comes_back_and_goes_on_with_its_game(hall: FakeHall) -> None:
    with Ai(hall.port, "--games=1") as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        board = dropped(EMPTY, visitor.expect_move(), 1)
        visitor.close()
        # The move was written, but the hall went down before it could tell.
        back = hall.registered()
        back.start("Ada", "Bob")
        back.update(dropped(board, 0, 2), 1)
        back.expect_move()
        back.over(True)
        back.expect("DISCONNECT")
        back.close()
        assert ai.wait() == 0
    assert ai.says("connection lost: ")
    assert ai.stdout[-2:] == ["game 17: goes on", "game 17: won against Bob (Four in a row)"]


def test_to_lose_the_connection_is_not_to_give_up(hall: FakeHall) -> None:
    with Ai(hall.port):
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        visitor.expect_move()
        visitor.fall_silent()
        visitor.expect_end()
        hall.registered()


def test_a_game_may_be_over_when_it_comes_back(hall: FakeHall) -> None:
    with Ai(hall.port, "--games=1") as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        visitor.close()
        back = hall.registered()
        back.list("Bob")
        back.expect("DISCONNECT")
        back.close()
        assert ai.wait() == 0
    assert ai.stdout[-1] == "game 17: over while we were away"


def test_it_leaves_when_nobody_is_left(hall: FakeHall) -> None:
    with Ai(hall.port, "--lonely=0.5") as ai:
        visitor = hall.registered()
        visitor.list()
        visitor.list("Bob")
        visitor.expect("CHALLENGE")
        visitor.send("CHALLENGE_REFUSED", message="Bob has left.")
        visitor.expect("DISCONNECT")
        visitor.close()
        assert ai.wait() == 0
    assert ai.stdout[-1] == "nobody is left to play with"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_makes_it_leave_its_game(hall: FakeHall, number: int) -> None:
    with Ai(hall.port) as ai:
        visitor = hall.registered()
        visitor.start("Ada", "Bob", number=2)
        visitor.update(EMPTY, 1)
        ai.wait_for("game 17: started")
        assert ai.stop(number) == 0
        visitor.expect("DISCONNECT")
        visitor.expect_end()
    assert ai.stderr == []
