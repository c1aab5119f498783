"""Those who look at the ledger of several nodes while servers fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from tests.many_nodes.processes.hall_nodes import HallNode
from tests.support.processes import Process


class Doctors:
    def __init__(self, data: Path) -> None:
        self._data = data
        self._at_work: list[Process] = []

    async def begin(self, node: HallNode) -> None:
        """One that reaches the database as that node does."""
        doctor = Process("doctor", f"--data={self._data}", f"--set={node.store_setting}")
        self._at_work.append(doctor)
        await asyncio.to_thread(doctor.start)

    async def finish(self) -> Counter[str]:
        """What they found, when all have ended. Raises AssertionError unless each has found the
        ledger sound, or says why it could not look at it."""
        return Counter([await asyncio.to_thread(_found, doctor) for doctor in self._at_work])

    def end(self) -> None:
        for doctor in self._at_work:
            if doctor.running:
                doctor.kill()


def _found(doctor: Process) -> str:
    if doctor.wait() == 0:
        assert doctor.stdout[-1] == "Sound.", doctor.report()
        return "a doctor found all sound"
    assert not doctor.stdout, doctor.report()
    assert len(doctor.stderr) == 1, doctor.report()
    assert doctor.stderr[0].startswith("gamehall: "), doctor.report()
    return "a doctor could not reach the database"
