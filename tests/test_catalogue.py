"""Which games a hall has: its own, and files named at the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamehall.catalogue import GameFileError, catalogue

COUNTING = """
from gamehall.games.game import Command, Event, Game, Outcome, Seats, Start


class Say(Command, frozen=True):
    number: int


class {event}(Event, frozen=True):
    number: int


class Counting(Game[int]):
    name = "{name}"
    title = "Counting"
    commands = (Say,)
    events = ({event},)

    def seats(self, options):
        return Seats(2, 2)

    def start(self, start):
        return 0
"""


def game_file(folder: Path, name: str = "counting", event: str = "Said") -> Path:
    file = folder / "my_game.py"
    file.write_text(COUNTING.format(name=name, event=event))
    return file


def test_the_house_has_its_games() -> None:
    assert "connect-four" in catalogue()


def test_a_file_adds_a_game(tmp_path: Path) -> None:
    games = catalogue([game_file(tmp_path)])
    assert games["counting"].title == "Counting"


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="connect-four"):
        catalogue([game_file(tmp_path, name="connect-four")])


def test_an_event_of_the_house_cannot_be_used_again(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="seated"):
        catalogue([game_file(tmp_path, event="Seated")])


@pytest.mark.parametrize("text", ["x = 1", "def broken(", "raise RuntimeError('no')"])
def test_a_file_without_a_game_says_why(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.py"
    file.write_text(text)
    with pytest.raises(GameFileError, match=r"other\.py"):
        catalogue([file])


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"missing\.py"):
        catalogue([tmp_path / "missing.py"])
