"""What operators do by mistake is explained, and costs nobody a chip."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gamehall.data_folder import DataFolder
from gamehall.store.sqlite.store import SqliteStore
from tests.cli.refusals import AS_ANYONE, refused
from tests.support.processes import GAMEHALL, HallProcess, Process


async def make_database(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    await store.stop()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("used", [False, True])
def test_a_folder_that_cannot_be_written(tmp_path: Path, used: bool) -> None:
    if used:
        folder = DataFolder(tmp_path)
        folder.draw_key(fresh=True)
        folder.close()
        asyncio.run(make_database(tmp_path / "hall.db"))
    with read_only(tmp_path):
        said = refused(tmp_path, program=(*AS_ANYONE, *GAMEHALL))
    assert f"The data folder {tmp_path} cannot be used" in said
    assert "--data" in said


def test_a_database_that_cannot_be_written(tmp_path: Path) -> None:
    volume = tmp_path / "volume"
    volume.mkdir()
    asyncio.run(make_database(volume / "hall.db"))
    with read_only(volume):
        url = f"--set=store.url=sqlite:///{volume / 'hall.db'}"
        said = refused(tmp_path / "data", url, program=(*AS_ANYONE, *GAMEHALL))
    assert f"{volume / 'hall.db'} cannot be opened" in said
    assert "may this user write there?" in said


def test_a_database_file_that_cannot_be_written(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.draw_key(fresh=True)
    folder.close()
    asyncio.run(make_database(tmp_path / "hall.db"))
    (tmp_path / "hall.db").chmod(0o444)
    said = refused(tmp_path, program=(*AS_ANYONE, *GAMEHALL))
    assert f"{tmp_path / 'hall.db'} is read-only for this user" in said


def test_a_database_whose_folder_is_locked_up(tmp_path: Path) -> None:
    volume = tmp_path / "volume"
    volume.mkdir()
    url = f"--set=store.url=sqlite:///{volume / 'hall.db'}"
    volume.chmod(0o000)
    try:
        said = [refused(tmp_path / "data", url, program=(*AS_ANYONE, *GAMEHALL))]
        with Process("doctor", url, program=(*AS_ANYONE, *GAMEHALL)) as doctor:
            assert doctor.wait() == 1, doctor.report()
        said += doctor.stderr
    finally:
        volume.chmod(0o755)
    assert len(said) == 2
    for sentence in said:
        assert f"{volume / 'hall.db'} cannot be opened" in sentence


@pytest.mark.parametrize("empty", [False, True])
def test_a_hall_whose_database_is_lost_does_not_begin_anew(tmp_path: Path, empty: bool) -> None:
    key = tmp_path / "draw-key"
    key.write_text("0" * 64 + "\n")
    if empty:
        (tmp_path / "hall.db").touch()
    said = refused(tmp_path)
    for words in (
        str(tmp_path / "hall.db"),
        "Mount its volume",
        "backup",
        "move the file draw-key",
    ):
        assert words in said
    assert not empty or (tmp_path / "hall.db").stat().st_size == 0
    assert empty or not (tmp_path / "hall.db").exists()
    if empty:
        # The way out that it names.
        key.rename(tmp_path / "draw-key.old")
        with HallProcess(tmp_path) as hall:
            assert hall.stop() == 0
        assert key.read_text() != (tmp_path / "draw-key.old").read_text()


def test_a_database_elsewhere_that_is_not_mounted(tmp_path: Path) -> None:
    (tmp_path / "draw-key").write_text("0" * 64 + "\n")
    (tmp_path / "volume").mkdir()
    place = tmp_path / "volume" / "hall.db"
    said = refused(tmp_path, f"--set=store.url=sqlite:///{place}")
    assert f"{place} is missing or empty" in said
    assert not place.exists()


def test_a_first_start_that_was_interrupted_is_finished(tmp_path: Path) -> None:
    asyncio.run(make_database(tmp_path / "hall.db"))
    assert not (tmp_path / "draw-key").exists()
    with HallProcess(tmp_path) as hall:
        assert hall.stop() == 0
    assert (tmp_path / "draw-key").exists()


def test_two_halls_with_one_database(tmp_path: Path) -> None:
    database = tmp_path / "one" / "hall.db"
    same = f"store.url=sqlite:///{database}"
    with HallProcess(tmp_path / "one") as one:
        (tmp_path / "two").mkdir()
        shutil.copy(tmp_path / "one" / "draw-key", tmp_path / "two")
        said = refused(tmp_path / "two", f"--set={same}")
        assert f"{database} is in use by another hall" in said
        assert "store.url" in said
        one.kill()
        # What a killed hall leaves behind is no lock.
        with HallProcess(tmp_path / "two", settings=[same]) as two:
            assert two.stop() == 0
