"""Whatever an operator does by mistake: the hall says in a sentence why it does not start, and
leaves every file as it was. Above all `hall.db-wal`, which holds what was written last."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.refusals import AS_ANYONE, refused
from tests.support.processes import GAMEHALL, HallProcess
from tests.system.e2e.clients import Client
from tests.system.e2e.play import LONG, UNHURRIED, column, sit_down

MOVES = 40
NO_BYTE_MORE = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh")


class Kept(NamedTuple):
    """What is there: two halls that were killed, and a backup of the first."""

    hall: Path
    other: Path
    backup: Path


async def play(hall: HallProcess, moves: int) -> None:
    async with (
        await Client.enter(hall.tcp_url, name="anna") as anna,
        await Client.enter(hall.tcp_url, name="bob") as bob,
    ):
        game = await sit_down(anna, bob, LONG)
        for move in range(moves):
            await game.seats[move % 2].drop(game.table, column(move))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("kept")
    kept = Kept(folder / "hall", folder / "other", folder / "hall-backup.db")
    with HallProcess(kept.hall, settings=UNHURRIED) as hall:
        asyncio.run(play(hall, MOVES))
        # As docs/operate.md has it.
        with closing(sqlite3.connect(kept.hall / "hall.db")) as connection:
            connection.execute(f"VACUUM INTO '{kept.backup}'")
        with closing(sqlite3.connect(kept.backup)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        asyncio.run(play(hall, 2 * MOVES))
        hall.kill()
    with HallProcess(kept.other, settings=UNHURRIED) as hall:
        asyncio.run(play(hall, MOVES))
        assert hall.stop() == 0
    assert (kept.hall / "hall.db-wal").stat().st_size > 0
    assert not (kept.other / "hall.db-wal").exists()
    return kept


class Mistake(NamedTuple):
    what: str
    make: Callable[[Path, Kept], object]
    """Done to a copy of the killed hall's folder."""
    says: Sequence[str]
    arguments: Sequence[str] = ()
    program: Sequence[str] | None = None
    code: int = 1


def nothing(data: Path, kept: Kept) -> None:
    """The mistake is on the command line."""


def text(name: str, content: str) -> Callable[[Path, Kept], object]:
    return lambda data, kept: (data / name).write_text(content)


def gone(*names: str) -> Callable[[Path, Kept], object]:
    def remove(data: Path, _: Kept) -> None:
        for name in names:
            (data / name).unlink()

    return remove


def others_database(data: Path, kept: Kept) -> None:
    gone("hall.db-wal", "hall.db-shm")(data, kept)
    shutil.copy(kept.other / "hall.db", data / "hall.db")


def no_database(data: Path, kept: Kept) -> None:
    gone("hall.db-wal", "hall.db-shm")(data, kept)
    (data / "hall.db").write_text("x" * 5000)


def restored(data: Path, kept: Kept) -> None:
    """The log stays, of the database before."""
    shutil.copy(kept.backup, data / "hall.db")


def others_key(data: Path, kept: Kept) -> None:
    shutil.copy(kept.other / "draw-key", data / "draw-key")


def folder_for_a_file(data: Path, kept: Kept) -> None:
    gone("hall.db", "hall.db-wal", "hall.db-shm")(data, kept)
    (data / "hall.db").mkdir()


def newer(data: Path, kept: Kept) -> None:
    with closing(sqlite3.connect(data / "hall.db")) as connection:
        connection.execute("PRAGMA user_version = 99")


def of_another_program(data: Path, kept: Kept) -> None:
    gone("hall.db", "hall.db-wal", "hall.db-shm")(data, kept)
    with closing(sqlite3.connect(data / "hall.db")) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")


def two_names(data: Path, kept: Kept) -> None:
    os.link(data / "hall.db", data / "copy.db")


def mode(name: str, bits: int) -> Callable[[Path, Kept], object]:
    return lambda data, kept: (data / name).chmod(bits)


def setting(text: str, *says: str) -> Mistake:
    return Mistake(f"--set={text}", nothing, says, [f"--set={text}"], code=2)


ANYONE = (*AS_ANYONE, *GAMEHALL)
MISTAKES = (
    Mistake("another's key", others_key, ["draw-key is not the one", "backup"]),
    Mistake("no key", gone("draw-key"), ["draw-key is missing", "backup"]),
    Mistake("a damaged key", text("draw-key", "xyz\n"), ["draw-key is damaged", "64 digits"]),
    Mistake("an empty key", text("draw-key", ""), ["draw-key is empty", "backup"]),
    Mistake("a key for other eyes", mode("draw-key", 0), ["draw-key cannot be read"], (), ANYONE),
    Mistake("no database", gone("hall.db"), ["hall.db is missing or empty", "Mount its volume"]),
    Mistake("an empty database", text("hall.db", ""), ["hall.db is missing or empty", "backup"]),
    Mistake("another's database", others_database, ["draw-key is not the one"]),
    Mistake("a backup beside the old log", restored, ["hall.db-wal", "move", "away"]),
    Mistake("no database at all", no_database, ["is not a database"]),
    Mistake("a folder for a file", folder_for_a_file, ["hall.db"]),
    Mistake("another program's", of_another_program, ["holds the data of another program"]),
    Mistake("a newer hall's", newer, ["was written by a newer Gamehall"]),
    Mistake("a second name", two_names, ["has other names (hard links)"]),
    Mistake("a read-only file", mode("hall.db", 0o444), ["hall.db is read-only"], (), ANYONE),
    Mistake("a locked file", mode("hall.db", 0), ["hall.db cannot be opened"], (), ANYONE),
    Mistake("a full disk", nothing, ["hall.db cannot be opened"], (), (*NO_BYTE_MORE, *GAMEHALL)),
    setting("tabel.grace_seconds=3", "tabel"),
    setting("table.grace=3", "grace"),
    setting("table.grace_seconds=soon", "grace_seconds"),
    setting("table.grace_seconds", "section.key=value"),
    Mistake("no such file", nothing, ["hall.toml"], ["--config=/nowhere/hall.toml"], code=2),
)  # fmt: skip


def contents(data: Path) -> dict[str, bytes]:
    """Of all that is kept: not of locks, nor of SQLite's index of its log, which it makes anew, nor
    of a log that is empty."""
    found = {
        path.name: path.read_bytes()
        for path in data.iterdir()
        if path.is_file() and not path.name.endswith(("in-use", "-shm"))
    }
    return {name: content for name, content in found.items() if content or name != "hall.db-wal"}


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.what for mistake in MISTAKES])
def test_a_mistake(tmp_path: Path, kept: Kept, mistake: Mistake) -> None:
    data = tmp_path / "hall"
    shutil.copytree(kept.hall, data)
    mistake.make(data, kept)
    before = contents(data)
    said = refused(data, *mistake.arguments, program=mistake.program, code=mistake.code)
    data.chmod(0o755)
    for words in mistake.says:
        assert words in said
    assert contents(data) == before


def test_two_halls_in_one_folder(tmp_path: Path, kept: Kept) -> None:
    data = tmp_path / "hall"
    shutil.copytree(kept.hall, data)
    with HallProcess(data, settings=UNHURRIED) as hall:
        before = contents(data)
        assert "is in use by another hall" in refused(data)
        assert contents(data) == before
        asyncio.run(play(hall, MOVES))


def test_the_right_files_after_all(tmp_path: Path, kept: Kept) -> None:
    """A start with another's key was refused; with its own key the hall goes on with all it had."""
    data = tmp_path / "hall"
    shutil.copytree(kept.hall, data)
    others_key(data, kept)
    refused(data)
    shutil.copy(kept.hall / "draw-key", data)
    with HallProcess(data, settings=UNHURRIED) as hall:
        assert hall.stop() == 0
    with closing(sqlite3.connect(data / "hall.db")) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM journal").fetchone()
    assert rows >= 3 * MOVES
