"""The doctor, and whoever else reads the database, never stand in the hall's way."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.support.processes import HallProcess, Process
from tests.system.e2e.clients import Client
from tests.system.e2e.logs import get
from tests.system.e2e.play import LONG, UNHURRIED, column, sit_down
from tests.system.e2e.programs import faulty
from tests.system.e2e.traces import strace_program

READ_LOCKS = range(123, 128)
"""The bytes of the log's index that SQLite locks for readers."""


def locked_bytes(pid: int, database: Path) -> set[int]:
    """What the process has locked of the log's index, as the system's list of locks shows."""
    index = Path(f"{database}-shm")
    inode = index.stat().st_ino if index.exists() else None
    locks = re.findall(rf" {pid} \S+:{inode} (\d+) ", Path("/proc/locks").read_text())
    return set(map(int, locks))


def reads(pid: int, database: Path) -> bool:
    """Whether the process is within a read transaction."""
    return not locked_bytes(pid, database).isdisjoint(READ_LOCKS)


@contextmanager
def doctor_at_work(data: Path) -> Iterator[Process]:
    """The doctor, held where it reads: so a database that takes it a minute looks to others."""
    with Process("doctor", f"--data={data}", **faulty("stopped")) as doctor:
        os.waitid(os.P_PID, doctor.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        assert reads(doctor.pid, data / "hall.db"), doctor.report()
        yield doctor


async def test_a_hall_starts_and_plays_while_the_doctor_reads(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=UNHURRIED) as hall:
        async with (
            await Client.enter(hall.ws_url, name="anna") as anna,
            await Client.enter(hall.tcp_url, name="bob") as bob,
        ):
            game = await sit_down(anna, bob, LONG)
            first, second = game.seats
            await first.drop(game.table, column(0))
            hall.kill()
        assert (tmp_path / "hall.db-wal").stat().st_size > 0, "what a killed hall leaves behind"
        with doctor_at_work(tmp_path) as doctor:
            hall.start()
            async with (
                await Client.enter(hall.ws_url, token=first.token) as first,
                await Client.enter(hall.tcp_url, token=second.token) as second,
            ):
                await second.drop(game.table, column(1))
                await first.drop(game.table, column(2))
                assert (await get(f"{hall.web_url}/healthz"))[0] == 200
            assert hall.stop() == 0
            assert reads(doctor.pid, tmp_path / "hall.db")
            os.kill(doctor.pid, signal.SIGCONT)
            assert doctor.wait() == 0, doctor.report()
            assert doctor.stdout[-1] == "Sound."


async def test_a_sync_that_fails_is_recovered_from_while_someone_reads(tmp_path: Path) -> None:
    with HallProcess(tmp_path, settings=UNHURRIED, **faulty("traceable")) as hall:
        async with (
            await Client.enter(hall.ws_url, name="anna") as anna,
            await Client.enter(hall.tcp_url, name="bob") as bob,
        ):
            game = await sit_down(anna, bob, LONG)
            with closing(sqlite3.connect(tmp_path / "hall.db", isolation_level=None)) as reader:
                reader.execute("BEGIN")
                seen = reader.execute("SELECT count(*) FROM journal").fetchone()
                with first_sync_fails(hall.pid):
                    for move in range(4):
                        await game.seats[move % 2].drop(game.table, column(move))
                assert any("commit_failed" in line for line in hall.stderr), hall.report()
                assert any("store_recovered" in line for line in hall.stderr), hall.report()
                assert reader.execute("SELECT count(*) FROM journal").fetchone() == seen
            await anna.ask("act", table=game.table, command={"type": "resign"})
        assert hall.stop() == 0


@contextmanager
def first_sync_fails(pid: int) -> Iterator[None]:
    """The next sync of each thread is answered with an I/O error by the system."""
    how = ("-f", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO:when=1")
    with Process(*how, f"--attach={pid}", program=(strace_program(),)) as strace:
        strace.wait_until(lambda: any("attached" in line for line in strace.stderr))
        yield
        assert strace.running, strace.report()
        strace.stop(signal.SIGINT)
    assert any("EIO" in line for line in strace.stderr), strace.report()
