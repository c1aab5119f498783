"""Line by line: through a pipe to the end of a game, and calls that cannot work."""

from __future__ import annotations

import os
import socket
import subprocess

import pytest

from tests.support.processes import GAMEHALL, HallProcess, Process
from tests.web.guests import Guest, drop, match

SECONDS = 90.0


def gamehall(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [*GAMEHALL, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def refused(*arguments: str) -> tuple[int, str]:
    """The exit code of a call that reads and prints nothing, and the one sentence that it says."""
    with Process(*arguments) as process:
        code = process.wait()
    assert process.stdout == []
    (sentence,) = process.stderr
    return code, sentence


def play(hall: HallProcess, *lines: str, more: tuple[str, ...] = ()) -> str:
    """What is read out, when these lines come through a pipe."""
    port = str(hall.ports["native"])
    typed = "".join(f"{line}\n" for line in lines)
    code, out, err = gamehall("play", "--plain", "--port", port, *more, typed=typed)
    assert (code, err) == (0, "")
    return out


def test_a_game_through_a_pipe_waits_for_every_turn(hall: HallProcess) -> None:
    # Enough for any game: what is left over is refused in words.
    columns = [str(1 + n % 7) for n in range(42)]
    out = play(hall, "bot connect-four random", *columns, more=("--name", "Pia"))
    assert " as Pia.\n" in out
    assert "Your turn.\nType a column, 1 to 7.\n" in out
    assert out.count("Random bot drops into column") in range(3, 22)
    results = ("You have won: the line", "You have lost: the line", "A draw: the board")
    assert sum(f"\n{result}" in out for result in results) == 1
    assert "It is not your turn" not in out
    assert "\x1b" not in out
    assert out.isascii()


@pytest.mark.slow
def test_the_size_of_the_boards_is_asked_for(hall: HallProcess) -> None:
    numbers = [str(n) for n in range(1, 10)]
    out = play(hall, "bot bingo-duel random", "3", "x", "10", *numbers)
    assert "How many rows and columns have the boards, 3 to 20? Enter: 7\n" in out
    assert "of 3 lines" in out
    assert "What is 'x'? Type a number, 1 to 9, or help.\n" in out
    assert "The numbers run from 1 to 9.\n" in out
    assert "Score: " in out


def test_refusals_are_read_out_and_it_goes_on(hall: HallProcess) -> None:
    out = play(
        hall,
        "dance",
        "bot chess",
        "sit 999999",
        "open connect-four columns=99",
        "open connect-four columns",
        "challenge Nobody connect-four",
        "accept",
        "chips",
        "bot four-stone nobody",
        f"sit {'1' * 5000}",
        "games",
    )
    assert "What is 'dance'? Type help for what can be said in the hall.\n" in out
    assert "Which game is 'chess'? There are connect-four" in out
    assert "There is no such table." in out
    assert "What is 'columns'? Options are typed as columns=8.\n" in out
    assert "Nobody here is called 'Nobody'.\n" in out
    assert "There is no such challenge.\n" in out
    assert "A line has 1000 characters at most.\n" in out
    assert out.count("four-stone: Four Stone; bots: ") == 2


@pytest.mark.slow
def test_a_game_known_only_by_its_picture_is_played(hall: HallProcess) -> None:
    out = play(hall, "bot nim random", "help", "z9", *["take 1", "take 2", "take 3"] * 6)
    assert "There is no spot z9.\n" in out
    assert "sticks are left." in out
    assert "\nYou have won: " in out or "\nYou have lost: " in out


@pytest.mark.slow
def test_signs_of_another_encoding_do_no_harm(hall: HallProcess) -> None:
    ports = ("--port", str(hall.ports["native"]))
    done = subprocess.run(
        [*GAMEHALL, "play", "--plain", *ports, "--name", "Zoë"],
        input=b"bot nim random\nsay caf\xe9\ntake 1\n",
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo?: caf?\n" in done.stdout


@pytest.mark.slow
def test_whoever_reads_may_go(hall: HallProcess) -> None:
    process = subprocess.Popen(
        [*GAMEHALL, "play", "--plain", "--port", str(hall.ports["native"])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Connected to ")
    process.stdout.close()
    _, err = process.communicate(b"games\n" * 20, timeout=SECONDS)
    assert (process.returncode, err) == (1, b"")


@pytest.mark.slow
def test_watch_tells_a_game_to_its_end(hall: HallProcess) -> None:
    with Guest(hall, "Una") as una, Guest(hall, "Vic") as vic:
        table = match(una, vic)
        port = str(hall.ports["native"])
        with Process("watch", str(table), "--plain", "--port", port) as watching:
            watching.wait_until(lambda: "Una is to move." in watching.stdout)
            drop((una, vic), table, (0, 1, 0, 1, 0, 1, 0))
            assert watching.wait() == 0
        assert "Una won: the line is complete." in watching.stdout
        assert "*X* O  .  .  .  .  ." in watching.stdout


def test_a_wrong_key_is_refused_with_exit_code_1(hall: HallProcess) -> None:
    with Guest(hall, "Wim") as wim:
        opened = wim.ask("open_table", game="connect-four", private=True)
        port, table = str(hall.ports["native"]), str(opened["table"])
        where = ("--plain", "--port", port, "--table", table)
        code, _, err = gamehall("play", *where, "--key", "wrong")
        assert (code, err.count("\n")) == (1, 1)
        assert "key" in err
        wim.ask("sit", table=opened["table"])
        with Process("play", *where, "--key", opened["key"]) as guest:
            guest.wait_until(lambda: "The game begins." in guest.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "--plain", "--host", "no-such-hall.invalid"), "Cannot reach"),
        (("play", "--plain", "--port", "{closed}"), "Cannot reach"),
        (("play", "--port", "{closed}", "--plain", "--tls"), "Cannot reach wss://"),
        (
            ("play", "--plain", "--table", "7", "--key", "-U", "--port", "{closed}"),
            "Cannot reach",
        ),
        (("watch", "7", "--plain", "--key", "--x", "--port", "{closed}"), "Cannot reach"),
        (("watch", "7", "--plain", "--url", "tcp://127.0.0.1:{closed}"), "Cannot reach tcp://"),
    ],
)
def test_a_hall_that_is_not_there(arguments: tuple[str, ...], sentence: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = str(closed.getsockname()[1])
        code, said = refused(*(each.replace("{closed}", port) for each in arguments))
    assert code == 1
    assert said.startswith(f"gamehall: {sentence}")


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "--url", "http://x"),
        ("play", "--url", "ws://x/ws", "--host", "y"),
        ("play", "--key", "k"),
        ("play", "--uid", "7"),
        ("play", "--uid", "7", "--key", "k", "--table", "3"),
    ],
)
def test_wrong_calls_end_with_2_and_a_sentence(arguments: tuple[str, ...]) -> None:
    code, said = refused(*arguments)
    assert code == 2
    assert said.startswith("gamehall: ")


def test_the_screen_is_for_terminals(hall: HallProcess) -> None:
    code, _, err = gamehall("play", "--port", str(hall.ports["native"]))
    assert code == 2
    assert err == "gamehall: This is no terminal. Use --plain to play line by line.\n"


def test_other_commands_start_without_the_screen() -> None:
    program = "import sys, gamehall.__main__; sys.exit('textual' in sys.modules)"
    subprocess.run([GAMEHALL[0], "-c", program], check=True, timeout=SECONDS)
