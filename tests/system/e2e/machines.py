"""Two machines with a cable between them: network namespaces on this one, where that is allowed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.support.processes import GAMEHALL, Process
from tests.support.waiting import WAIT_SECONDS

ADDRESSES = ("192.0.2.1", "192.0.2.2")
"""Kept for examples, and here reachable from inside the two namespaces alone."""
LOOPBACKS = ("127.0.0.2", "127.0.0.3")
_GET = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=30).read().decode())"


class Machine(NamedTuple):
    address: str
    before: tuple[str, ...]
    """What a program is run under, to be on this machine."""

    @property
    def program(self) -> tuple[str, ...]:
        """`gamehall` on this machine."""
        return (*self.before, *GAMEHALL)

    def gamehall(self, *arguments: str) -> Process:
        return Process(*arguments, program=self.program)

    def get_json(self, url: str) -> Any:
        """What a hall answers to someone on this machine."""
        command = [*self.before, sys.executable, "-c", _GET, url]
        done = subprocess.run(command, capture_output=True, timeout=WAIT_SECONDS, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)


@contextmanager
def two_machines() -> Iterator[tuple[Machine, Machine]]:
    """Each reaches the other at its address. What was set up is gone in the end, come what may."""
    names = [f"hall-{os.getpid()}-{place}" for place in (1, 2)]
    cables = [f"gh{os.getpid()}-{place}" for place in (1, 2)]
    try:
        why = _set_up(names, cables)
        if why:
            warnings.warn(f"two addresses in place of two machines: {why}", stacklevel=3)
            yield Machine(LOOPBACKS[0], ()), Machine(LOOPBACKS[1], ())
        else:
            first, second = (
                Machine(address, ("ip", "netns", "exec", name))
                for address, name in zip(ADDRESSES, names, strict=True)
            )
            yield first, second
    finally:
        if shutil.which("ip"):
            # A cable that is not plugged in yet is here; one that is goes with its machine.
            for command in (["link", "del", cables[0]], *(["netns", "del", n] for n in names)):
                subprocess.run(["ip", *command], capture_output=True, check=False)


def _set_up(names: list[str], cables: list[str]) -> str:
    """Why it is not possible here; empty if it was."""
    if shutil.which("ip") is None:
        return "there is no `ip` program"
    commands = [f"netns add {name}" for name in names]
    commands.append(f"link add {cables[0]} type veth peer name {cables[1]}")
    for name, cable, address in zip(names, cables, ADDRESSES, strict=True):
        commands += [
            f"link set {cable} netns {name}",
            f"-n {name} address add {address}/30 dev {cable}",
            f"-n {name} link set {cable} up",
            f"-n {name} link set lo up",
        ]
    # Whether a program may run there is another matter than whether there is such a place.
    commands += [f"netns exec {name} ip link show lo" for name in names]
    for command in commands:
        done = subprocess.run(["ip", *command.split()], capture_output=True, check=False)
        if done.returncode:
            return f"`ip {command}` says {done.stderr.decode().strip()!r}"
    return ""
