"""kill -9 leaves what the kernel holds; a power cut does not. So nothing may be told of before the
sync of its commit has returned, which the system calls show."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.processes import HallProcess
from tests.system.e2e.clients import Client
from tests.system.e2e.logs import Log, fetch_log
from tests.system.e2e.play import LONG, UNHURRIED, column, sit_down
from tests.system.e2e.programs import Program, faulty, healthy
from tests.system.e2e.traces import SYNCS, Call, read_trace, told_unsynced, under_strace

PAIRS = 3
MOVES = 20


@contextmanager
def traced(hall: HallProcess, trace: Path) -> Iterator[HallProcess]:
    """A hall that runs under strace, and does not outlive the test."""
    with hall:
        # strace lets signals pass by, so they are sent to the hall itself.
        pid = int(trace.read_text().split(maxsplit=1)[0])
        try:
            yield hall
            os.kill(pid, signal.SIGTERM)
            assert hall.wait() == 0
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


async def play_pair(hall: HallProcess, number: int) -> Log:
    """The log of a game between doors, of which a spectator heard too."""
    async with (
        await Client.enter(hall.ws_url, name=f"anna{number}") as anna,
        await Client.enter(hall.tcp_url, name=f"bob{number}") as bob,
        await Client.enter(hall.tcp_url, name=f"carl{number}") as carl,
    ):
        game = await sit_down(anna, bob, LONG)
        await carl.ask("watch", table=game.table)
        for move in range(MOVES):
            mover = game.seats[move % 2]
            # Two at once, so that some beats have several rows.
            asks = [mover.drop(game.table, column(move))]
            if move % 3 == 0:
                asks.append(mover.ask("offer_draw", table=game.table))
            await asyncio.gather(*asks)
        await anna.ask("act", table=game.table, command={"type": "resign"})
        for client in (anna, bob, carl):
            await client.notice("table_over", game.table)
        return await fetch_log(hall.web_url, game.table)


async def play_traced(tmp_path: Path, program: Program) -> tuple[list[Call], list[Log]]:
    trace = tmp_path / "trace"
    process = HallProcess(tmp_path / "data", settings=UNHURRIED, **program)
    with traced(process, trace) as hall:
        logs = await asyncio.gather(*(play_pair(hall, number) for number in range(PAIRS)))
    return read_trace(trace.read_text().splitlines()), logs


def all_rows(logs: list[Log]) -> dict[tuple[int, int], bytes]:
    return {
        (row["table"], row["seq"]): line
        for log in logs
        for row, line in zip(log.rows, log.lines, strict=True)
    }


async def test_nothing_is_told_before_its_sync_has_returned(tmp_path: Path) -> None:
    program = healthy(*under_strace(tmp_path / "trace"))
    calls, logs = await play_traced(tmp_path, program)
    rows = all_rows(logs)
    assert len(rows) > PAIRS * MOVES
    assert told_unsynced(calls, rows) == []
    # With every sync later by a breath, failed or left out, it would have been noticed.
    late = [call._replace(ended=call.ended + 10**9) if _is_sync(call) else call for call in calls]
    failed = [call._replace(result="-1 EIO") if _is_sync(call) else call for call in calls]
    for doctored in (late, failed, [call for call in calls if not _is_sync(call)]):
        assert len(told_unsynced(doctored, rows)) >= len(rows)


def _is_sync(call: Call) -> bool:
    return call.name in SYNCS


@pytest.mark.slow
async def test_a_hall_that_does_not_sync_is_found_out(tmp_path: Path) -> None:
    program = faulty("unsynced", *under_strace(tmp_path / "trace"))
    calls, logs = await play_traced(tmp_path, program)
    rows = all_rows(logs)
    assert len(told_unsynced(calls, rows)) >= len(rows)


WRITTEN = r'7 pwrite64(9</d/hall.db-wal>, "\0\1{\"table\":1,\"seq\":4}\377", 4096, 56) = 4096'
SYNCED = "7 fdatasync(9</d/hall.db-wal>) = 0"
TOLD = (
    r'6 writev(5<TCP:[a->b]>, [{iov_base="\201\5", iov_len=2}, '
    r'{iov_base="{\"action\":\"act\",\"payload\":{\"table\":1,\"seq\":4}}\n", iov_len=9}], 2) = 11'
)
TOLD_LATER = "6 <... writev resumed>) = 11"
BEGUN = "7 fdatasync(9</d/hall.db-wal> <unfinished ...>"
RETURNED = "7 <... fdatasync resumed>) = 0"
OTHER = '6 write(2<pipe:[3]>, "ready\\n", 6) = 6'
NO_CALLS = ["6 --- SIGTERM {si_signo=SIGTERM} ---", "6 +++ exited with 0 +++"]


@pytest.mark.parametrize(
    ("lines", "problems"),
    [
        ([WRITTEN, SYNCED, OTHER, TOLD, *NO_CALLS], 0),
        ([WRITTEN, BEGUN, OTHER, RETURNED, TOLD], 0),
        ([WRITTEN, BEGUN, OTHER, TOLD, RETURNED], 1),
        ([WRITTEN, BEGUN, TOLD.replace(") = 11", " <unfinished ...>"), RETURNED, TOLD_LATER], 1),
        ([SYNCED, WRITTEN, TOLD, SYNCED], 1),
        ([BEGUN, WRITTEN.replace("7 ", "8 ", 1), RETURNED, TOLD], 1),
        ([WRITTEN, SYNCED.replace("= 0", "= -1 EIO (Input/output error)"), TOLD], 1),
        ([WRITTEN, SYNCED.replace("-wal", ""), TOLD], 1),
        ([WRITTEN, TOLD], 1),
        ([WRITTEN, TOLD, SYNCED, TOLD], 1),
    ],
)  # fmt: skip
def test_how_a_trace_is_read(lines: list[str], problems: int) -> None:
    found = told_unsynced(read_trace(lines), {(1, 4): b'{"table":1,"seq":4}'})
    assert len(found) == problems, found


@pytest.mark.parametrize("lines", [[SYNCED, TOLD], [WRITTEN, SYNCED, OTHER]])
def test_a_trace_that_proves_nothing(lines: list[str]) -> None:
    with pytest.raises(AssertionError, match=r"never written|nothing is proved"):
        told_unsynced(read_trace(lines), {(1, 4): b'{"table":1,"seq":4}'})
