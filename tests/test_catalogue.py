"""Which games a hall has: its own, and files named at the start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gamehall.catalogue import GROUP, GameFileError, catalogue

COUNTING = """
from gamehall.games.game import Command
from gamehall.games.game import Event
from gamehall.games.game import Game
from gamehall.games.game import Options
from gamehall.games.game import Seats


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

    def fork(self, state):
        return state

    def decide(self, state, seat, command, context):
        return ({event}(command.number),)

    def apply(self, state, event):
        return event.number

    def legal(self, state, seat):
        return (Say(state + 1),)

    def view(self, state, seat):
        return {{"number": state}}

    def outcome(self, state):
        return None

    def leave(self, state, seat):
        return ()
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


@pytest.mark.parametrize(
    "text", ["x = 1", "def broken(", "raise RuntimeError('no')", "raise SystemExit"]
)
def test_a_file_without_a_game_says_why(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.py"
    file.write_text(text)
    with pytest.raises(GameFileError, match=r"other\.py"):
        catalogue([file])


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"missing\.py"):
        catalogue([tmp_path / "missing.py"])


BROKEN = {
    "no name": ('    name = "counting"\n', "", "`name`"),
    "a name in capitals": ('"counting"', '"Counting"', "`name`.*'Counting'"),
    "a name with _": ('"counting"', '"count_ing"', "`name`"),
    "a name of two lines": ('"counting"', '"counting\\n"', "`name`"),
    "a name that is no text": ('"counting"', "7", "`name`"),
    "no title": ('    title = "Counting"\n', "", "`title`"),
    "an empty title": ('title = "Counting"', 'title = " "', "`title`"),
    "aliases that are one text": ("    title", '    aliases = "count"\n    title', "`aliases`"),
    "no commands": ("    commands = (Say,)\n", "", "`commands`"),
    "one command without a comma": ("(Say,)", "(Say)", "`commands`"),
    "an empty tuple of commands": ("(Say,)", "()", "`commands`"),
    "an event among the commands": ("(Say,)", "(Say, Said)", "`commands`"),
    "no events": ("    events = (Said,)\n", "", "`events`"),
    "a list of events": ("(Said,)", "[Said]", "`events`"),
    "timers that are no commands": ("    title", "    timers = (Said,)\n    title", "`timers`"),
    "notes that are no commands": ("    title", "    notes = (1,)\n    title", "`notes`"),
    "two commands of one name": ("(Say,)", "(Say, Say)", "taken"),
    "a field that is no JSON": ("class Said(Event, frozen=True):\n    number: int",
        "class Said(Event, frozen=True):\n    number: int | Seats | Options", "rows"),
    "a field that doors use": ("class Said(Event, frozen=True):\n    number: int",
        "class Said(Event, frozen=True):\n    number: int\n    room: int = 0", "Said.*'room'"),
    "options of another kind": ("    title", "    options = dict\n    title", "`options`"),
    "options without defaults": ("    title",
        "    class options(Options, frozen=True):\n        n: int\n    title", "defaults"),
    "defaults of another type": ("    title",
        "    class options(Options, frozen=True):\n        n: int = 'x'\n    title", "defaults"),
    "no seats": ("def seats", "def chairs", "has no `seats`"),
    "no decide and no apply": ("def decide", "apply = Game.apply\n\n    def judge", "`decide`"),
    "seats that fail": ("return Seats(2, 2)", "return options.n", "`seats`.*AttributeError"),
    "seats that are a number": ("return Seats(2, 2)", "return 2", "`seats`"),
    "more seats at least than at most": ("Seats(2, 2)", "Seats(3, 2)", "`seats`.*least=3"),
    "nobody can sit": ("Seats(2, 2)", "Seats(0, 0)", "`seats`.*most=0"),
    "fewer than nobody": ("Seats(2, 2)", "Seats(-1, 2)", "`seats`.*least=-1"),
    "a constructor that fails": ("    title", "    def __init__(self):\n        1 / 0\n    title",
        "ZeroDivisionError"),
    "a constructor that wants more": ("    title",
        "    def __init__(self, n):\n        0\n    title", "without arguments"),
}  # fmt: skip


@pytest.mark.parametrize(("whole", "broken", "says"), BROKEN.values(), ids=BROKEN)
def test_a_broken_game_is_a_sentence(tmp_path: Path, whole: str, broken: str, says: str) -> None:
    file = game_file(tmp_path)
    text = file.read_text()
    assert whole in text
    file.write_text(text.replace(whole, broken))
    with pytest.raises(GameFileError, match=rf"(?s)my_game\.py: Counting.*{says}"):
        catalogue([file])


# Installed games


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str, text: str = "") -> None:
    """A package with the entry point `counting`, as pip would leave it."""
    (folder / "my_installed_game.py").write_text(
        text or COUNTING.format(name="counting", event="Said")
    )
    metadata = folder / "counting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\ncounting = {value}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "my_installed_game", raising=False)


def test_an_installed_game_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, "my_installed_game:Counting")
    assert catalogue()["counting"].title == "Counting"


@pytest.mark.parametrize(
    ("value", "text", "says"),
    [
        ("no_such_module:Counting", "", "ModuleNotFoundError"),
        ("my_installed_game:Missing", "", "AttributeError"),
        ("my_installed_game:Say", "", "derived from"),
        ("my_installed_game:COUNT", "COUNT = 1", "derived from"),
        ("my_installed_game:Counting", "raise RuntimeError", "RuntimeError"),
        ("my_installed_game:Counting", COUNTING.format(name="Bad Name", event="Said"), "Bad Name"),
        (
            "my_installed_game:Counting",
            COUNTING.format(name="connect-four", event="Said"),
            "already",
        ),
    ],
)
def test_a_broken_entry_point_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, text: str, says: str
) -> None:
    installed(tmp_path, monkeypatch, value, text)
    with pytest.raises(GameFileError, match=f"entry point 'counting' .{value}.*{says}"):
        catalogue()
