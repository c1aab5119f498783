"""`gamehall check`, as its users call it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gamehall.__main__ import main
from tests.support.processes import Process

NIM = Path(__file__).parents[2] / "examples" / "nim.py"
SECONDS = 100.0


def checked(*arguments: str) -> tuple[int, str, str]:
    with Process("check", *arguments, environment={"PYTHONHASHSEED": "0"}) as process:
        code = process.wait(SECONDS)
        return code, "\n".join(process.stdout), "\n".join(process.stderr)


def changed(folder: Path, old: str, new: str) -> str:
    """A file with Nim, but for one thing."""
    source = NIM.read_text()
    assert source.count(old) == 1
    file = folder / "changed.py"
    file.write_text(source.replace(old, new))
    return str(file)


def test_a_sound_file() -> None:
    code, out, _ = checked(str(NIM), "--tables=2")
    assert code == 0
    assert out.startswith("Nim (nim): 2 tables were played")
    assert "BROKEN" not in out
    assert out.count("  holds   ") == 11


def test_a_game_of_the_house_with_options() -> None:
    code, out, _ = checked("bingo-duel", "--tables=1", '--options={"size": 3}')
    assert code == 0, out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "return (Took(seat, command.sticks),)",
            "return (Took(seat, command.sticks), *[Took(seat, 0)] * (hash('nim') % 97))",
            "has caused",
        ),
        (
            "def view(self, state, seat):\n        return state",
            "def view(self, state, seat):\n        return {**state, 'mark': hash('nim')}",
            "the views after the same events are others",
        ),
    ],
    ids=["events", "views"],
)
def test_a_game_that_depends_on_hashes_is_found(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    """In one process it is as determined as can be."""
    code, out, _ = checked(changed(tmp_path, old, new), "--tables=1")
    assert code == 1
    assert "BROKEN  Determinism: In another process" in out
    assert words in out


def test_the_counter_example_is_shown(tmp_path: Path) -> None:
    view = "def view(self, state, seat):\n        return"
    file = changed(tmp_path, f"{view} state", f"{view} [state]")
    code, out, _ = checked(file, "--seed=7", "--tables=1")
    assert code == 1
    assert "The first counter-example: seed 7, after 0 steps." in out
    assert "table = Playout(Nim(), {}, seed=7" in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("chess",), 1, "There is no game 'chess'"),
        (("nowhere.py",), 1, "There is no file nowhere.py"),
        (("connect-four", "--options={"), 2, "gamehall:"),
        (("connect-four", '--options={"colour": 1}'), 2, "these options"),
        (("connect-four", "--tables=0"), 2, "--tables is 1"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_wrong_call(
    arguments: tuple[str, ...],
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", *arguments])
    assert ended.value.code == code
    assert words in capsys.readouterr().err


def test_a_file_of_this_folder_is_named_with_the_line(tmp_path: Path) -> None:
    changed(tmp_path, 'raise IllegalCommand("Take', 'raise ValueError("Take')
    with Process("check", "changed.py", "--tables=4", folder=tmp_path) as process:
        assert process.wait(SECONDS) == 1, process.report()
    assert any("`decide` (line 37) fails: ValueError" in line for line in process.stdout)


def test_files_of_this_folder_do_not_hide_modules(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(NIM.read_text())
    # As the installed command does, which does not look for modules in this folder.
    program = (sys.executable, "-P", "-m", "gamehall")
    with Process("check", "json.py", "--tables=1", program=program, folder=tmp_path) as process:
        assert process.wait(SECONDS) == 0, process.report()
