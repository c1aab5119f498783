"""Where the loop's thread of a hall spends its time: `gamehall`, sampled while it is under load.

    python bench/profiled.py FILE serve …

Every few milliseconds of processor time the stack of the loop's thread is looked at, from SIGUSR1
until SIGUSR2; then FILE is written, one stack a line, innermost first. What C code does counts for
the Python function that called it. bench/bets.py --profile uses this.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

SAMPLE_SECONDS = 0.001
"""What is asked for; the kernel makes it a tick, which is 1 to 10 ms."""
SHOWN = 25
WRITE_SECONDS_MAX = 10.0


class Profile:
    """The other side: begins and ends the sampling of a hall, and shows what was found."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.program = (str(Path(__file__)), str(file))

    def begin(self, pid: int) -> None:
        os.kill(pid, signal.SIGUSR1)

    async def end(self, pid: int) -> None:
        os.kill(pid, signal.SIGUSR2)
        async with asyncio.timeout(WRITE_SECONDS_MAX):
            while not self._file.exists():
                await asyncio.sleep(0.05)

    def show(self) -> None:
        stacks = [line.split(";") for line in self._file.read_text().splitlines()]
        print(f"{len(stacks)} samples of the loop's thread; share of each")
        modules = Counter(stack[0].partition(":")[0] for stack in stacks)
        _table("in a module itself", modules, len(stacks))
        _table("in a function itself", Counter(stack[0] for stack in stacks), len(stacks))
        within = Counter(name for stack in stacks for name in set(stack))
        within = Counter({name: n for name, n in within.items() if n < len(stacks)})
        _table("in a function and all that it calls", within, len(stacks))


def _table(title: str, counts: Counter[str], total: int) -> None:
    print(f"  {title}")
    for name, count in counts.most_common(SHOWN):
        print(f"    {count / max(1, total):5.1%}  {name}")


def sample_into(file: Path) -> None:
    """Has the signals of this process begin and end the sampling."""
    stacks: list[str] = []

    def sample(_: int, frame: FrameType | None) -> None:
        names = []
        while frame is not None:
            code = frame.f_code
            names.append(f"{_short(code.co_filename)}:{code.co_name}")
            frame = frame.f_back
        stacks.append(";".join(names))

    def begin(_: int, __: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)

    def end(_: int, __: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        new = file.with_suffix(".new")
        new.write_text("\n".join(stacks))
        new.replace(file)

    signal.signal(signal.SIGPROF, sample)
    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)


def _short(path: str) -> str:
    """The file's name from its package on."""
    parts = Path(path).parts
    return "/".join(parts[parts.index("gamehall") + 1 :]) if "gamehall" in parts else parts[-1]


if __name__ == "__main__":
    from gamehall.__main__ import main

    sample_into(Path(sys.argv.pop(1)))
    main()
