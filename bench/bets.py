"""Durable bets per second at one table, beside the store's own ceiling for the same rows.

    python bench/bets.py --seconds 5 --profile

The hall: 200 connections at the `rfc` door, closed loop; each bets again when its last bet was
accepted, which is when it is durable. The server has one core, this load the other.

The ceiling, in the same run: the rows that the hall has just written (journal, transfers, balances,
in beats of the very sizes that it made) are appended to a new store by a second thread of a process
that does nothing else, on the core that the hall had. They are built beforehand, and some always
wait. So the ratio says what is left of the store when people are served with it.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from threading import Semaphore, Thread
from time import perf_counter, process_time
from typing import NamedTuple

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from gamehall.store.appends import Answer, Append, Durable, NewRow, Opening, Request, Transfer
from gamehall.store.sqlite.store import SqliteStore
from profiled import Profile
from servers import UNLIMITED, Started, pin, started

SETTINGS = ("sicbo.betting_seconds=86400",)
CHIPS = 1_000_000
WARM_SECONDS = 1.0
BETS = 90_000
"""After so many the measuring ends early: all of it is one round, which takes 100,000."""
IN_FLIGHT = 8
"""Appends that wait in the ceiling's queue: enough that the store never waits for the feeder."""
CEILINGS = 3
"""Times that the same rows are written; the median counts."""


class Bettor(WSListener):
    """Reads as little as it can: this process must not be the limit."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._transport: WSTransport
        self._number = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        data = frame.get_payload_as_bytes()
        if b'"bet_accepted"' in data:
            self._load.bets += 1
            if self._load.running:
                self.bet()
        elif b'"error"' in data:
            self._load.errors.append(data)

    def bet(self) -> None:
        self._number += 1
        side = b"BIG" if self._number % 2 else b"SMALL"
        self._transport.send(
            WSMsgType.TEXT,
            b'{"action":"place_bet","requestId":"%d","payload":{"side":"%b","amount":%d}}'
            % (self._number, side, 1 + self._number % 100),
        )


class Result(NamedTuple):
    rate: float
    cpu_us: float
    """Of the server, for each bet."""
    first: int
    """How many bets came before those that were counted."""
    bets: int


class Load:
    def __init__(self) -> None:
        self.running = True
        self.bets = 0
        self.errors: list[bytes] = []

    async def run(
        self, server: Started, connections: int, seconds: float, profile: Profile | None
    ) -> Result:
        host, port = server.doors["native"]
        bettors = []
        for _ in range(connections):
            _, bettor = await ws_connect(lambda: Bettor(self), f"ws://{host}:{port}/rfc")
            assert isinstance(bettor, Bettor)
            bettors.append(bettor)
        for bettor in bettors:
            bettor.bet()
        await asyncio.sleep(WARM_SECONDS)
        if profile is not None:
            profile.begin(server.process.pid)
        first, began, cpu = self.bets, perf_counter(), server.cpu_seconds()
        while perf_counter() - began < seconds and self.bets < BETS:
            await asyncio.sleep(0.02)
        bets = self.bets - first
        rate = bets / (perf_counter() - began)
        cpu_us = (server.cpu_seconds() - cpu) / max(1, bets) * 1e6
        if profile is not None:
            await profile.end(server.process.pid)
        self.running = False
        if self.errors:
            raise SystemExit(f"refused: {self.errors[0].decode()}")
        return Result(rate, cpu_us, first, bets)


# The ceiling


def beats(data: Path, result: Result) -> list[tuple[NewRow, ...]]:
    """The steps of the beats that the hall made in the time that was measured."""
    with closing(sqlite3.connect(f"file:{data / 'hall.db'}?mode=ro", uri=True)) as connection:
        transfers: dict[int, list[Transfer]] = {}
        for seq, *transfer in connection.execute(
            "SELECT seq, source, target, chips FROM transfers WHERE table_id <> 0 ORDER BY seq, n"
        ):
            transfers.setdefault(seq, []).append(Transfer(*transfer))
        rows = connection.execute(
            "SELECT seq, line, beat_id, player, request, digest FROM journal ORDER BY seq"
        ).fetchall()
    found = []
    skipped = 0
    for _, beat in groupby(rows, key=lambda row: row[2]):
        steps = tuple(
            NewRow(line, Request(player, id, digest), tuple(transfers[seq]))
            for seq, line, _, player, id, digest in beat
            if seq in transfers
        )
        if skipped < result.first:
            skipped += len(steps)
        elif steps:
            found.append(steps)
    return found


def appends(steps: list[tuple[NewRow, ...]]) -> list[Append]:
    """As one table would make them, one after the other."""
    head = 1
    made = []
    for number, beat in enumerate(steps):
        made.append(
            Append(
                table=1,
                epoch=1,
                after=head,
                beat_id=number + 2,
                rows=beat,
                hash="0" * 64,
                at_ms=1_762_000_000_000 + number,
                due_ms=1_762_086_400_000,
            )
        )
        head += len(beat)
    return made


async def ceiling(path: Path, steps: list[tuple[NewRow, ...]]) -> tuple[float, float]:
    """Bets per second of the store alone, and its CPU µs for each."""
    store = SqliteStore(path)
    await store.start()
    loop = asyncio.get_running_loop()
    players = {step.request.player for beat in steps for step in beat if step.request}
    for number in range(max(players)):
        await store.add_player(f"guest {number}", "guest", chips=CHIPS, at_ms=1_762_000_000_000)
    opened: asyncio.Future[Answer] = loop.create_future()
    opening = Opening("sicbo", False, False, "house:sicbo")
    store.append(
        Append(1, 1, 0, 1, (NewRow(b"{}"),), "0" * 64, 1_762_000_000_000, None, opening),
        opened.set_result,
    )
    assert isinstance(await opened, Durable)
    to_feed = appends(steps)
    room = Semaphore(IN_FLIGHT)
    left = len(to_feed)
    all_written = asyncio.Event()

    def written(answer: Answer) -> None:
        nonlocal left
        assert isinstance(answer, Durable), answer
        left -= 1
        room.release()
        if left == 0:
            all_written.set()

    def feed() -> None:
        for append in to_feed:
            room.acquire()
            loop.call_soon_threadsafe(store.append, append, written)

    feeder = Thread(target=feed)
    bets = sum(map(len, steps))
    began, cpu = perf_counter(), process_time()
    feeder.start()
    await all_written.wait()
    rate = bets / (perf_counter() - began)
    cpu_us = (process_time() - cpu) / bets * 1e6
    feeder.join()
    await store.stop()
    return rate, cpu_us


@contextmanager
def sicbo_hall(data: Path, program: Sequence[str]) -> Iterator[Started]:
    limits = [f"limits.{name}=0" for name in UNLIMITED]
    sets = [f"--set={setting}" for setting in (*SETTINGS, *limits)]
    command = [*program, "serve", f"--data={data}", "--port=0", "--doors=none", *sets]
    with started(command) as server:
        yield server


class Run(NamedTuple):
    hall: Result
    ceiling: float
    ceiling_us: float
    beat: float
    """The median size of the hall's beats."""

    @property
    def ratio(self) -> float:
        return self.hall.rate / self.ceiling


def one_run(connections: int, seconds: float, with_profile: bool) -> Run:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        profile = Profile(folder / "profile") if with_profile else None
        program = ("-m", "gamehall") if profile is None else profile.program
        with sicbo_hall(folder / "data", program) as server:
            pin(0, 1)
            result = uvloop.run(Load().run(server, connections, seconds, profile))
        if profile is not None:
            profile.show()
        steps = beats(folder / "data", result)
        pin(0, 0)
        ceilings = [
            uvloop.run(ceiling(folder / f"ceiling{number}.db", steps)) for number in range(CEILINGS)
        ]
        rates, costs_us = zip(*ceilings, strict=True)
        beat = statistics.median(map(len, steps))
        return Run(result, statistics.median(rates), statistics.median(costs_us), beat)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="where the hall's loop spends time")
    arguments = parser.parse_args()
    print(f"limits off: {', '.join(UNLIMITED)}; {', '.join(SETTINGS)}")
    runs = []
    for _ in range(arguments.runs):
        run = one_run(arguments.connections, arguments.seconds, arguments.profile)
        runs.append(run)
        print(
            f"hall {run.hall.rate:6.0f} bets/s, {run.hall.cpu_us:3.0f} µs CPU each, in beats of "
            f"{run.beat:3.0f}   store {run.ceiling:6.0f} bets/s, {run.ceiling_us:3.0f} µs   "
            f"ratio {run.ratio:.2f}"
        )
    ratio = statistics.median(run.ratio for run in runs)
    print(f"ratio, median of {len(runs)}: {ratio:.2f} (at least 0.25)")


if __name__ == "__main__":
    main()
