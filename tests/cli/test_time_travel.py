"""`gamehall replay --step` and `--at`: back and forth in a journal, with the eyes of any seat."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from gamehall.cli.replay.replay import Screen, replay, show
from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Game
from tests.cli.test_replay_cli import connect_four, saved
from tests.games.toys import Ante, HighCard
from tests.games.verify_toy import Recorder
from tests.support.processes import Process

GAMES: dict[str, Game[Any]] = {"connect-four": ConnectFour(), "high-card": HighCard()}


def travelled(log: str, *typed: str, at: int | None = None, seat: int | None = None) -> list[str]:
    """What is shown at first and after each thing that is typed."""
    out, err = io.StringIO(), io.StringIO()
    keys = io.StringIO("".join(f"{line}\n" for line in typed))
    code = show(log, GAMES, Screen(out, keys), err, step=True, at=at, seat=seat)
    assert (code, err.getvalue()) == (0, "")
    return out.getvalue().split("q: quit ")


def test_back_and_forth(tmp_path: Path) -> None:
    log = saved(tmp_path, connect_four().exported())
    steps = travelled(log, "n", "7", "p", "", "1", "p", "10", "n", "q")
    numbers = [step.split()[1] for step in steps if step]
    assert numbers == ["1", "2", "7", "6", "7", "1", "1", "10", "10"]
    assert 'seat 1 sent {"type":"drop","column":1}\n' in steps[2]
    assert "  Bo: dropped column=1\n" in steps[2]


def test_what_a_seat_may_do(tmp_path: Path) -> None:
    log = saved(tmp_path, connect_four().exported())
    spectator, waits, moves, over, _ = travelled(log, "s 0", "s 1", "10", "q", at=4)
    assert "as a spectator sees it" in spectator
    assert "legal: nothing" in spectator
    assert "legal: nothing" in waits
    assert 'legal: {"type":"drop","column":0}, ' in moves
    assert '"turn":1' in moves
    assert "legal: nothing" in over


def test_each_seat_has_its_own_secrets(tmp_path: Path) -> None:
    table = Recorder(HighCard(), {})
    table.sit_both()
    table.act(0, Ante(10))
    views = travelled(saved(tmp_path, table.lines), "s 0", "s 1", "q", at=len(table.lines))
    assert '"card":null' in views[0]
    assert '"card":null' not in views[1]
    assert '"card":null' in views[2]


def test_what_cannot_be_wished(tmp_path: Path) -> None:
    log = saved(tmp_path, connect_four().exported())
    for wish in ("11", "0", "x", "s x", "s -1"):
        assert "Type n, p, a row from 1 to 10" in travelled(log, wish, "q")[1]


def test_one_row_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = saved(tmp_path, connect_four().exported())
    assert replay(log, at=5, seat=0) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Row 5 of 10, as seat 0 sees it\n")
    assert 'legal: {"type":"drop","column":0}, ' in shown
    assert replay(log, at=11) == 1
    assert "The log has the rows 1 to 10." in capsys.readouterr().err
    assert replay(str(tmp_path / "none"), at=1) == 2


def test_a_row_is_not_analysed() -> None:
    with Process("replay", "any.jsonl", "--analyse", "--at=3") as process:
        assert process.wait() == 2
    assert process.stderr == ["gamehall: --analyse goes with neither --step nor --at."]
