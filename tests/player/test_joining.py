"""How a player gets into a hall, or does not: what both programs share."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator

import pytest

from tests.player.fake_hall import FakeHall
from tests.player.programs import PLAYER, Ai
from tests.support.processes import Process


@pytest.fixture
def hall() -> Iterator[FakeHall]:
    with FakeHall() as hall:
        yield hall


def test_it_waits_for_a_hall_that_is_not_there_yet(hall: FakeHall) -> None:
    with Ai(hall.port) as ai:
        ai.wait_for("waiting for the hall: Connection refused")
        hall.open().registered().list()
    assert ai.stdout[:2] == [
        "waiting for the hall: Connection refused",
        "registered as player_7",
    ]


def test_its_patience_has_an_end(hall: FakeHall) -> None:
    with Ai(hall.port, "--patience=0.5") as ai:
        assert ai.wait() == 1
    assert ai.stderr == [f"player: no hall at 127.0.0.1:{hall.port}: Connection refused"]


def test_a_host_that_has_no_address_is_told_so() -> None:
    with Ai(1, "--host=not..one", "--patience=0.5") as ai:
        assert ai.wait() == 1
    assert ai.stderr[0].startswith("player: no hall at not..one:1: ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_can_be_stopped_while_it_waits(hall: FakeHall, number: int) -> None:
    with Ai(hall.port) as ai:
        ai.wait_for("waiting")
        assert ai.stop(number) == 0
    assert ai.stderr == []


def test_a_name_that_is_not_taken_is_the_end_of_it(hall: FakeHall) -> None:
    with Ai(hall.open().port, name=" ") as ai:
        visitor = hall.visitor()
        for _ in range(5):
            assert visitor.expect("REGISTER") == {"name": " "}
            visitor.send("ERROR", message="A name has 1 to 32 printable characters.")
        assert ai.wait() == 1
    assert ai.stderr == [
        "player: the hall does not take ' ': A name has 1 to 32 printable characters."
    ]


def test_a_hall_in_trouble_is_asked_again(hall: FakeHall) -> None:
    with Ai(hall.open().port, name="Ada") as ai:
        visitor = hall.visitor()
        visitor.expect("REGISTER")
        visitor.send("ERROR", message="The hall cannot save right now.")
        assert visitor.expect("REGISTER") == {"name": "Ada"}
        visitor.send("REGISTER_OK", player_id="player_7")
        ai.wait_for("registered as player_7")


def test_a_hall_that_says_why_and_closes_is_tried_again(hall: FakeHall) -> None:
    with Ai(hall.open().port) as ai:
        visitor = hall.visitor()
        visitor.send("ERROR", message="Too many connections.")
        visitor.expect("REGISTER")
        visitor.close()
        hall.visitor().close()
        hall.registered().list()
        ai.wait_for("registered as player_7")


def test_it_comes_back_as_often_as_it_is_lost(hall: FakeHall) -> None:
    with Ai(hall.open().port) as ai:
        for _ in range(3):
            hall.registered().close()
        hall.registered().list()
        ai.wait_for("connection lost: ")


def test_what_is_no_hall_is_told_from_one(hall: FakeHall) -> None:
    with Ai(hall.open().port) as ai:
        visitor = hall.visitor()
        visitor.send_bytes(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        assert ai.wait() == 1
    assert ai.stderr == ["player: not a message: b'HTTP/1.1 400 Bad Request\\r'"]


def test_nonsense_later_on_ends_it_too(hall: FakeHall) -> None:
    with Ai(hall.open().port) as ai:
        visitor = hall.registered()
        visitor.send("GAME_OVER")
        visitor.expect("DISCONNECT")
        visitor.close()
        assert ai.wait() == 1
    assert ai.stderr[0].startswith("player: not as it should be: ")


def test_the_environment_says_where_the_hall_is_and_who_comes(hall: FakeHall) -> None:
    environment = {
        "GAMEHALL_HOST": "127.0.0.1",
        "GAMEHALL_PORT": str(hall.open().port),
        "PLAYER_NAME": "Zoë",
    }
    with Process(program=(sys.executable, str(PLAYER)), environment=environment):
        hall.registered("Zoë").list()


def test_without_a_name_it_has_that_of_its_machine(hall: FakeHall) -> None:
    environment = {"PLAYER_NAME": "", "GAMEHALL_HOST": ""}
    port = f"--port={hall.open().port}"
    with Process(port, program=(sys.executable, str(PLAYER)), environment=environment):
        hall.registered(socket.gethostname()[:32]).list()


@pytest.mark.parametrize(
    "option",
    [
        "--port=0",
        "--port=65536",
        "--port=x",
        "--depth=0",
        "--games=-1",
        "--lonely=-1",
        "--patience=nan",
        "--humane",
        "--gam=3",
    ],
)
def test_a_wrong_call_is_told_so(option: str) -> None:
    with Process(option, program=(sys.executable, str(PLAYER))) as program:
        assert program.wait() == 2
    assert option.partition("=")[0] in program.stderr[-1]


@pytest.mark.parametrize("who", [(), ("--human",)])
def test_help_has_an_example(who: tuple[str, ...]) -> None:
    with Process(*who, "--help", program=(sys.executable, str(PLAYER))) as program:
        assert program.wait() == 0
    text = "\n".join(program.stdout)
    assert "Example: python3 player" in text
    assert "--human" in text
