"""A person at a terminal, against a hall of which every word is the test's."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.player.fake_hall import EMPTY, FakeHall, dropped, played
from tests.player.programs import PLAYER
from tests.player.terminal import COLUMNS, END_OF_FILE, LINES, Terminal
from tests.support.waiting import WAIT_SECONDS

THREE_TO_THREE = played(3, 4, 3, 4, 3, 4)
WON = dropped(THREE_TO_THREE, 3, 1)
DRAWN_WON = """\
    1  2  3  4  5  6  7
  | .  .  .  .  .  .  . |
  | .  .  .  .  .  .  . |
  | .  .  . [X] .  .  . |
  | .  .  . [X] O  .  . |
  | .  .  . [X] O  .  . |
  | .  .  . [X] O  .  . |
  +---------------------+
"""


@pytest.fixture
def hall() -> Iterator[FakeHall]:
    with FakeHall() as hall:
        yield hall.open()


def test_a_whole_game(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list("Bob", "Cleo")
        person.wait_for("   1  Bob\n   2  Cleo\nlobby> ")
        person.enter("challenge 2")
        assert visitor.expect("CHALLENGE") == {"opponent_id": "player_2"}
        person.wait_for("You challenge Cleo, and wait for an answer.")
        visitor.start("Ada", "Cleo")
        visitor.update(EMPTY, 1)
        person.wait_for("You play against Cleo.\nYour stones are X. You begin.")
        person.wait_for("your column, 1 to 7> ")
        person.enter("4")
        assert visitor.expect_move() == 3
        visitor.update(played(3), 2)
        person.wait_for("  | .  .  . [X] .  .  . |\n  +---------------------+\nCleo thinks> ")
        visitor.update(THREE_TO_THREE, 1)
        person.wait_for("your column, 1 to 7> ")
        person.enter("4")
        assert visitor.expect_move() == 3
        visitor.update(WON, 1, winner=1)
        visitor.over(True, "Ada has four in a row.")
        person.wait_for(DRAWN_WON)
        person.wait_for("You have won. Ada has four in a row.")
        visitor.list("Bob")
        person.wait_for("   1  Bob\nlobby> ")
        person.enter("quit")
        assert visitor.expect("DISCONNECT") is None
        visitor.close()
        assert person.wait() == 0


@pytest.mark.parametrize(
    ("won", "result"),
    [(False, "You have lost. So it goes."), (None, "Nobody has won. So it goes.")],
)
def test_a_game_that_is_not_won(hall: FakeHall, won: bool | None, result: str) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.start("Ada", "Bob", number=2)
        visitor.update(EMPTY, 1)
        visitor.over(won, "So it goes.")
        person.wait_for("You play against Bob.\nYour stones are O. Bob begins.")
        person.wait_for(result)


def test_challenges_are_accepted_and_refused(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list()
        person.wait_for("Nobody else is free.")
        person.enter("accept")
        person.wait_for("There is no challenge by anybody.")
        visitor.challenge(1, "Bob")
        person.wait_for("Bob challenges you: accept, or refuse?")
        person.enter("refuse")
        assert visitor.expect("CHALLENGE_REFUSED") == {"challenger_id": "player_1"}
        visitor.challenge(1, "Bob")
        visitor.challenge(2, "Cleo Lee")
        person.wait_for("Cleo Lee challenges you")
        person.enter("accept")
        person.wait_for("Several challenge you. Add a name:\n   1  Bob\n   2  Cleo Lee\n")
        person.enter("accept cleo lee")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_2"}


def test_challenges_of_those_who_play_are_forgotten(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.challenge(1, "Bob")
        visitor.challenge(9, "Cleo")
        visitor.list("Bob")
        person.wait_for("   1  Bob\nlobby> ")
        person.enter("accept")
        assert visitor.expect("CHALLENGE_ACCEPTED") == {"challenger_id": "player_1"}


def test_what_the_hall_refuses_is_shown(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list("Bob")
        person.wait_for("   1  Bob\nlobby> ")
        person.enter("challenge bob")
        visitor.expect("CHALLENGE")
        visitor.send("CHALLENGE_REFUSED", message="Bob has refused.")
        person.wait_for("No game: Bob has refused.")
        person.enter("c 1")
        visitor.expect("CHALLENGE")
        visitor.send("ERROR", message="Bob is not free.")
        person.wait_for("Bob is not free.\nlobby> ")


def test_what_cannot_be_done_is_told_at_once(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list("Bob", "bob")
        person.wait_for("   2  bob")
        for typed, told in (
            ("challenge Dan", "There is no Dan in the list."),
            ("challenge 3", "There is no 3 in the list."),
            ("challenge bob", "There are several: type the number that bob has in the list."),
            ("challenge", "You can type:\n  list "),
            ("dance", "You can type:\n  list "),
            ("help", "challenge NAME"),
            ("refuse Dan", "There is no challenge by Dan."),
        ):
            person.enter(typed)
            person.wait_for(told)
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        person.wait_for("your column, 1 to 7> ")
        for typed in ("0", "8", "-1", "²", "list"):
            person.enter(typed)
            person.wait_for("You can type:\n  1 to 7 ")
        person.enter("7")
        assert visitor.expect_move() == 6
        visitor.send("ERROR", message="This column is full.")
        person.wait_for("This column is full.\nyour column, 1 to 7> ")


def test_the_person_comes_back_to_the_game(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        visitor.update(EMPTY, 1)
        person.wait_for("your column, 1 to 7> ")
        visitor.close()
        person.wait_for("The connection is lost: ")
        back = hall.registered()
        back.start("Ada", "Bob")
        back.update(played(2, 2), 1)
        person.wait_for("Your game against Bob goes on.")
        person.wait_for("your column, 1 to 7> ")
        person.enter("1")
        assert back.expect_move() == 0


def test_the_game_may_be_over_when_the_person_comes_back(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.start("Ada", "Bob")
        person.wait_for("You play against Bob.")
        visitor.close()
        hall.registered().list("Bob")
        person.wait_for("Your game was over before you came back.")
        person.wait_for("   1  Bob\nlobby> ")


def test_a_hall_that_is_not_there_yet() -> None:
    with FakeHall() as hall, Terminal(hall.port) as person:
        person.wait_for("Waiting for the hall (Connection refused). Ctrl-C gives up.")
        hall.open().registered().list()
        person.wait_for("You are in the hall.")


@pytest.mark.parametrize("how", ["end of file", "Ctrl-C", "SIGTERM"])
def test_every_way_out_is_a_goodbye(hall: FakeHall, how: str) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list()
        person.wait_for("lobby> ")
        if how == "end of file":
            person.press(END_OF_FILE)
        else:
            person.send_signal(signal.SIGINT if how == "Ctrl-C" else signal.SIGTERM)
        visitor.expect("DISCONNECT")
        visitor.close()
        assert person.wait() == 0
    assert "Traceback" not in person.text


def test_colours_are_for_terminals_whose_owner_does_not_mind(hall: FakeHall) -> None:
    for environment, colourful in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(hall.port, environment=environment) as person:
            visitor = hall.registered()
            visitor.start("Ada", "Bob")
            visitor.update(played(3, 3), 1)
            person.wait_for("your column, 1 to 7> ")
        assert ("\x1b[1;31m" in person.raw) == colourful


def test_it_fits_on_a_small_screen(hall: FakeHall) -> None:
    with Terminal(hall.port) as person:
        visitor = hall.registered()
        visitor.list(*(f"Player {n} " + "x" * 20 for n in range(100)))
        seen = person.wait_for("  and 85 more\nlobby> ")
        assert len(seen.splitlines()) < LINES
        person.enter("help")
        person.wait_for("leave the hall")
        visitor.start("Ada", "x" * 32, number=2)
        visitor.update(EMPTY, 1)
        visitor.update(played(3), 2)
        two_boards = person.wait_for("your column, 1 to 7> ")
        assert len(two_boards.splitlines()) < LINES
    assert max(map(len, person.shown.splitlines())) < COLUMNS


def test_piped_it_writes_plain_lines_and_leaves_at_the_end(hall: FakeHall) -> None:
    program = subprocess.Popen(
        [sys.executable, str(PLAYER), "--human", f"--port={hall.port}", "--name=Ada"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        visitor = hall.registered()
        visitor.list()
        assert program.stdin is not None
        program.stdin.write("help\nlist")
        program.stdin.close()
        visitor.expect("DISCONNECT")
        visitor.close()
        assert program.stdout is not None
        text = program.stdout.read()
        assert program.wait(WAIT_SECONDS) == 0
    finally:
        program.kill()
        program.wait()
    assert "see who is free" in text
    assert "\x1b" not in text
    assert "lobby>" not in text
