"""A program at a terminal, and a person in front of it."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LOOK_SECONDS = 60.0
END_SECONDS = 30.0


class Terminal:
    """A pseudo-terminal with a program on it. A context manager: at the end it hangs up."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._raw = b""
        self._seen = 0

    def __enter__(self) -> Self:
        self._person, program = pty.openpty()
        self._process = subprocess.Popen(
            self._command,
            stdin=program,
            stdout=program,
            stderr=program,
            env=self._environment,
            start_new_session=True,
        )
        os.close(program)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(END_SECONDS)
        os.close(self._person)

    @property
    def text(self) -> str:
        """All that was shown so far, without colours and such."""
        return ESCAPES.sub("", self._raw.decode(errors="replace")).replace("\r", "")

    def type(self, line: str) -> None:
        os.write(self._person, f"{line}\n".encode())

    def wait_for(self, *patterns: str, seconds: float = LOOK_SECONDS) -> str:
        """Whichever of these is shown first after what was waited for last."""
        either = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
        deadline = time.monotonic() + seconds
        while not (found := either.search(self.text, self._seen)):
            left = deadline - time.monotonic()
            assert left > 0, f"not within {seconds:g} seconds: {patterns}\n{self.text}"
            assert self._read(left), f"it has ended before: {patterns}\n{self.text}"
        self._seen = found.end()
        return found.group()

    def wait(self) -> int:
        """The exit code of the program, which ends by itself."""
        deadline = time.monotonic() + END_SECONDS
        while self._read(max(0.0, deadline - time.monotonic())):
            assert time.monotonic() < deadline, f"it still runs:\n{self.text}"
        return self._process.wait(END_SECONDS)

    def _read(self, seconds: float) -> bool:
        """False if the program has ended."""
        ready, _, _ = select.select([self._person], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._person, 65536)
        except OSError:  # Linux says so when nobody has the other side open.
            return False
        self._raw += data
        return bool(data)
