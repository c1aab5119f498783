"""The data folder: one hall at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamehall.data_folder import DataFolder, StartError
from tests.support.processes import HallProcess


def test_a_folder_is_ours_until_we_close_it(tmp_path: Path) -> None:
    first = DataFolder(tmp_path / "new" / "data")
    with pytest.raises(StartError, match="in use by another hall"):
        DataFolder(tmp_path / "new" / "data")
    first.close()
    DataFolder(tmp_path / "new" / "data").close()


def test_a_second_hall_says_so_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    with HallProcess(tmp_path) as hall:
        with pytest.raises(StartError):
            DataFolder(tmp_path)
        hall.kill()
        DataFolder(tmp_path).close()


def test_secrets_are_made_once(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    token = folder.operator_token()
    folder.draw_key(fresh=True)
    assert folder.operator_token() == token
    folder.close()
    assert (tmp_path / "draw-key").stat().st_mode & 0o777 == 0o600
