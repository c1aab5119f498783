from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import HallProcess

SETTINGS = (
    "sicbo.betting_seconds=15",
    "sicbo.reveal_seconds=0.2",
    "sicbo.pause_seconds=3",
    "bingo.pause_seconds=0.2",
    "bingo.ready_seconds=0.5",
)
NIM = Path(__file__).parents[2] / "examples" / "nim.py"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    """With a game that the terminal knows only by its picture."""
    data = tmp_path_factory.mktemp("hall")
    with HallProcess(data, settings=SETTINGS, more=["--game", str(NIM)]) as hall:
        yield hall
