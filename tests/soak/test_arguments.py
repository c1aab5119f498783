"""What is typed wrong is told, and nothing is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.__main__ import arguments


@pytest.mark.parametrize("given", [[], ["x"], ["0"], ["nan"], ["1", "folder", "more"]])
def test_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        arguments(given)
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        arguments(["--help"])
    assert ended.value.code == 0
    assert "MINUTES" in capsys.readouterr().out


def test_taken() -> None:
    taken = arguments(["1.5", "elsewhere"])
    assert (taken.minutes, taken.folder) == (1.5, Path("elsewhere"))
    assert arguments(["60"]).folder == Path("build/soak")
