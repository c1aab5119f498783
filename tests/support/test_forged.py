"""A forked `gamehall` is as one that was started."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.forged import can_forge
from tests.support.processes import GAMEHALL, HallProcess, Process
from tests.support.waiting import eventually

FORKED = None
"""How a test starts it that names no program."""

both_ways = pytest.mark.parametrize("program", [FORKED, GAMEHALL], ids=["forked", "started"])


@contextmanager
def fewer_files(number: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@both_ways
def test_ends(tmp_path: Path, program: Sequence[str] | None) -> None:
    with HallProcess(tmp_path, program=program) as hall:
        os.kill(hall.pid, 0)
        assert hall.stop() == 0
        assert not hall.running
        with pytest.raises(ProcessLookupError):
            os.kill(hall.pid, 0)
        hall.start()
        assert hall.stop(signal.SIGINT) == 0
        hall.start()
        hall.kill()
        assert hall.wait() == -signal.SIGKILL


@both_ways
def test_wrong_calls(program: Sequence[str] | None) -> None:
    with Process("serve", "--speed=9", program=program) as process:
        assert process.wait() == 2
    assert process.stdout == []
    assert any("--speed" in line for line in process.stderr)
    with Process("--version", program=program) as process:
        assert process.wait() == 0
    assert len(process.stdout) == 1
    assert process.stderr == []


@both_ways
def test_surroundings(tmp_path: Path, program: Sequence[str] | None) -> None:
    environment = {"GAMEHALL_DUEL_SIZE": "1000"}
    with Process("serve", environment=environment, program=program) as process:
        assert process.wait() == 2
    assert "GAMEHALL_DUEL_SIZE" in process.stderr[-1]
    with (
        fewer_files(200),
        HallProcess(Path("data"), folder=tmp_path, program=program) as hall,
    ):
        assert (tmp_path / "data" / "hall.db").exists()
        assert Path(f"/proc/{hall.pid}/cwd").readlink() == tmp_path
        assert resource.prlimit(hall.pid, resource.RLIMIT_NOFILE)[0] == 200
        assert os.getpgid(hall.pid) == os.getpgid(0)


async def test_no_file_and_no_signal_of_the_forge_is_left(tmp_path: Path) -> None:
    def state(hall: HallProcess) -> tuple[list[str], list[str]]:
        files = [str(file.readlink()) for file in Path(f"/proc/{hall.pid}/fd").iterdir()]
        status = Path(f"/proc/{hall.pid}/status").read_text().splitlines()
        return (
            sorted(file.partition(":")[0] for file in files if not file.startswith(str(tmp_path))),
            [line for line in status if line.startswith(("SigBlk", "SigIgn", "SigCgt"))],
        )

    with (
        HallProcess(tmp_path / "first"),
        HallProcess(tmp_path / "forked") as forked,
        HallProcess(tmp_path / "started", program=GAMEHALL) as started,
    ):

        async def alike() -> bool:
            return state(forked) == state(started)

        # What answers HTTP is read in from files right after a hall is ready.
        await eventually(alike, "both have the same files and signals")


def test_what_cannot_be_forked() -> None:
    usual = {**os.environ, "PYTHONUNBUFFERED": "1"}
    assert can_forge(["serve"], {**usual, "GAMEHALL_DUEL_SIZE": "5"})
    assert not can_forge(["serve"], {**usual, "PYTHONHASHSEED": "0"})
    assert not can_forge(["serve"], {**usual, "LD_PRELOAD": "some.so"})
    assert not can_forge(["serve", "--workers=2"], usual)
