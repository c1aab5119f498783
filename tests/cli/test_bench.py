"""`gamehall bench`: a running hall, measured beside a bare echo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.calling import exit_code
from tests.support.processes import HallProcess

MEASURED = r"\d+ moves/s, 50 % within [\d.]+ ms, 95 % within [\d.]+ ms, 99 % within [\d.]+ ms\n"


def test_a_hall_is_measured_beside_an_echo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with HallProcess(tmp_path) as hall:
        assert exit_code("bench", url=hall.ws_url, seconds=0.5, tables=2) == 0
    ratio = r"ratio: [\d.]+ of the echo's moves, [\d.]+ times its median\n"
    said = capsys.readouterr().out
    assert re.fullmatch(f"hall: {MEASURED}echo: {MEASURED}{ratio}", said), said


@pytest.mark.parametrize(
    "options",
    [{"seconds": 0}, {"tables": 0}, {"tables": 101}, {"url": "http://there"}],
)
def test_what_cannot_be_measured_is_a_wrong_call(options: dict[str, object]) -> None:
    assert exit_code("bench", **options) == 2


def test_a_hall_that_is_not_there_is_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("bench", url="tcp://127.0.0.1:1") == 1
    assert "Cannot reach tcp://127.0.0.1:1" in capsys.readouterr().err
