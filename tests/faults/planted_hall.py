"""`gamehall` with one of the bugs that are planted for the simulator.

python -m tests.faults.planted_hall request_forgotten serve …
"""

from __future__ import annotations

import sys

from gamehall.__main__ import main
from tests.simulation import planted as bugs
from tests.system.e2e.programs import ROOT, Program


def planted(bug: str) -> Program:
    """A hall that has it."""
    program = (sys.executable, "-m", "tests.faults.planted_hall", bug)
    return Program(program=program, folder=ROOT)


if __name__ == "__main__":
    with getattr(bugs, sys.argv[1])():
        main(sys.argv[2:])
