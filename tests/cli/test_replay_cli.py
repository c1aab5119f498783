from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from gamehall.cli.replay.replay import Screen, replay, show
from gamehall.cli.replay.showing import drawn
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.game import Cell, Game, Picture
from tests.cli.calling import exit_code
from tests.games.verify_toy import DiceGame, Recorder, two_rounds

GAMES: dict[str, Game[Any]] = {"dice": DiceGame(), "connect-four": ConnectFour()}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def connect_four() -> Recorder:
    table = Recorder(ConnectFour(), {"columns": 5, "rows": 4})
    table.sit_both()
    for place, column in enumerate((0, 1, 0, 1, 0, 1, 0)):
        table.act(place % 2, Drop(column))
    return table


def saved(folder: Path, lines: list[bytes]) -> str:
    path = folder / "journal.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return str(path)


def shown(log: str, games: dict[str, Game[Any]] = GAMES) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = show(log, games, Screen(out, io.StringIO()), err)
    return code, out.getvalue(), err.getvalue()


def test_all_at_once_and_plain_where_there_is_no_terminal(tmp_path: Path) -> None:
    code, out, err = shown(saved(tmp_path, connect_four().exported()))
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert "  The draw seats Ana on seat 0, Bo on seat 1.\n" in out
    assert "Row 5 of 10, after 0:00.040\n  Bo: dropped column=1\n" in out
    assert "  Ana won (line). The secret was 0101" in out
    assert out.endswith("● · · · ·\n● ○ · · ·\n● ○ · · ·\n● ○ · · ·\nThe game is over.\n\n")


def test_every_event_of_a_table_has_words(tmp_path: Path) -> None:
    _, out, _ = shown(saved(tmp_path, two_rounds().lines))
    for words in (
        "Round 1 opens. The commitment is 72cd",
        "Ana sits down.",
        "Ana: rolled dice=[3,5]",
        "Bo wants another game.",
        "Round 2 opens.",
        "Ana: too late",
        "Bo won (late).",
        "Bo leaves (left).",
        "The table closes (finished).",
    ):
        assert words in out


def test_a_later_round_alone_and_one_without_an_end(tmp_path: Path) -> None:
    lines = two_rounds().lines
    code, out, _ = shown(saved(tmp_path, lines[6:8]))
    assert code == 0
    assert "Row 7 of 8" in out
    assert "Round 1" not in out
    assert out.endswith("This round has no end in the log.\n")


def test_enter_leads_on_and_q_quits(tmp_path: Path) -> None:
    log = saved(tmp_path, connect_four().exported())
    out = Terminal()
    assert show(log, GAMES, Screen(out, Terminal("\n\nq\n"), plain=True), io.StringIO()) == 0
    assert "Row 3 of 10" in out.getvalue()
    assert "Row 4 of 10" not in out.getvalue()
    out = Terminal()
    assert show(log, GAMES, Screen(out, Terminal("\n" * 20), plain=True), io.StringIO()) == 0
    assert "Row 10 of 10" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_the_end_of_input_quits(tmp_path: Path) -> None:
    out = Terminal()
    log = saved(tmp_path, connect_four().exported())
    assert show(log, GAMES, Screen(out, Terminal(""), plain=True), io.StringIO()) == 0
    assert "Row 2 of 10" not in out.getvalue()


def test_a_pause_leads_on_by_itself(tmp_path: Path) -> None:
    out = Terminal()
    log = saved(tmp_path, connect_four().exported())
    assert show(log, GAMES, Screen(out, Terminal(""), seconds=0.001), io.StringIO()) == 0
    assert "Row 10 of 10" in out.getvalue()


def test_colours_on_a_terminal_unless_unwanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    log = saved(tmp_path, connect_four().exported())
    out = Terminal()
    show(log, GAMES, Screen(out, Terminal(), seconds=0), io.StringIO())
    assert "\x1b[31m●\x1b[0m" in out.getvalue()
    assert "\x1b[1;32m●\x1b[0m" in out.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    show(log, GAMES, Screen(out, Terminal(), seconds=0), io.StringIO())
    assert "\x1b" not in out.getvalue()


def test_wrong_calls_and_logs_that_cannot_be_shown(tmp_path: Path) -> None:
    log = saved(tmp_path, two_rounds().lines)
    assert replay(log, seconds=-1) == 2
    assert exit_code("replay", log, game=(tmp_path / "missing.py",)) == 2
    assert replay(log) == 1
    code, _, err = shown(str(tmp_path / "missing"))
    assert code == 2
    assert "Cannot read" in err
    code, _, err = shown(log, {})
    assert code == 1
    assert "`dice` is not installed here" in err


def test_a_forged_row_is_named(tmp_path: Path) -> None:
    lines = two_rounds().lines
    lines[2] = lines[2].replace(b'"order":[0,1]', b'"order":[0,1,2]')
    code, out, err = shown(saved(tmp_path, lines))
    assert code == 1
    assert "Row 2 of 11" in out
    assert "Row 3 cannot be shown" in err


def test_a_game_without_a_picture_shows_its_view(tmp_path: Path) -> None:
    class Plain(DiceGame):
        def picture(self, view: Any) -> None:  # type: ignore[override]
            return None

    _, out, _ = shown(saved(tmp_path, two_rounds().lines), {"dice": Plain()})
    assert '{"sums":[8,7]}' in out


def test_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    lines = [line.replace(b"Ana", b"A\\u001b[2J\\nna") for line in two_rounds().lines]
    _, out, _ = shown(saved(tmp_path, lines))
    assert "A�[2J�na sits down." in out


def test_cells_stand_in_columns_whatever_they_hold() -> None:
    rows = ((Cell("10"), Cell("")), (Cell("中"), Cell("", "owned")), (Cell("\x1b"), Cell("x")))
    assert list(drawn(Picture(rows, "Cap"), colour=False)) == ["10 ·", "中 O", "�  x", "Cap"]
    assert list(drawn(Picture(((Cell("x", "odd"),),)), colour=True)) == ["\x1b[36mx\x1b[0m"]
    assert list(drawn(Picture(()), colour=False)) == []
