"""A hall that is played at for a long time, and measured all the while."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.soak.crowd import Crowd
from tests.soak.judging import judge
from tests.soak.plot import svg
from tests.soak.samples import Sample, Sampler, write_csv
from tests.support import hall_logs
from tests.support.processes import HallProcess

DOORS = (
    "native-tcp", "rfc", "mario", "caller", "duel", "watch", "four", "practice", "arena",
    "arena-tcp",
)  # fmt: skip
SETTINGS = (
    # Short, so that much happens, and so that what is kept for a while fills up in the warm-up.
    "table.grace_seconds=8",
    "table.drop_seconds=4",
    "table.rematch_seconds=6",
    "lobby.seat_seconds=6",
    "lobby.challenge_seconds=6",
    "bingo.pause_seconds=0.2",
    "bingo.ready_seconds=1",
    "duel.size=4",
    "duel.gap_ms=10",
    "duel.close_seconds=0.4",
    "practice.begin_ms=400",
    "sicbo.betting_seconds=2",
    "sicbo.reveal_seconds=0.3",
    "sicbo.pause_seconds=0.4",
)
SAMPLES = 300
"""Of a short soak; a long one has one every few seconds."""
SAMPLE_SECONDS_MAX = 5.0


def soak(folder: Path, minutes: float, *, program: tuple[str, ...] | None = None) -> list[str]:
    """Plays at a new hall, and leaves `samples.csv`, `soak.svg` and `hall.log` in the folder. A
    sentence for each thing that is not as it should be. `program`: in place of `gamehall`."""
    samples: list[Sample] = []
    hall = HallProcess(folder / "data", settings=SETTINGS, doors=DOORS, program=program)
    with hall:
        try:
            asyncio.run(_play(hall, minutes * 60, samples))
        finally:
            if samples:
                write_csv(folder / "samples.csv", samples)
                (folder / "soak.svg").write_text(svg(samples), encoding="utf-8")
            (folder / "hall.log").write_text("\n".join(hall.stderr), encoding="utf-8")
        assert hall.stop() == 0, hall.report()
        faults = hall_logs.faults(hall.stderr)
    complaints = judge(samples)
    if faults:
        complaints.append(f"the log has {len(faults)} faults, such as {faults[0]}")
    return complaints


async def _play(hall: HallProcess, seconds: float, samples: list[Sample]) -> None:
    sampler, loop = Sampler(hall), asyncio.get_running_loop()
    pause_seconds = min(seconds / SAMPLES, SAMPLE_SECONDS_MAX)
    until = loop.time() + seconds
    async with Crowd(hall, seed=1) as crowd:
        while loop.time() < until:
            await asyncio.sleep(pause_seconds)
            crowd.check()
            samples.append(await asyncio.to_thread(sampler.take))
