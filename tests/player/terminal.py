"""A person's terminal: what is typed goes in, and what would be seen comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from tests.player.programs import PLAYER
from tests.support.waiting import WAIT_SECONDS

COLUMNS, LINES = 80, 24
CLEARED = re.compile(r"[^\n]*\r\x1b\[K")
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r")
HEAD = "    1  2  3  4  5  6  7\n"
END_OF_FILE = "\x04"


class Terminal:
    """`python3 player --human` in a pseudo-terminal of 80 by 24. A context manager."""

    def __init__(
        self,
        port: int,
        *options: str,
        name: str = "Ada",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._arguments = ["--human", "--host=127.0.0.1", f"--port={port}", f"--name={name}"]
        self._arguments.extend(options)
        self._environment = {**os.environ, "TERM": "xterm", **(environment or {})}
        self._changed = threading.Condition()
        self._output = b""
        self._seen = 0

    def __enter__(self) -> Self:
        self._keyboard, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._popen = subprocess.Popen(
            [sys.executable, str(PLAYER), *self._arguments],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env=self._environment,
            start_new_session=True,
        )
        os.close(screen)
        self._reader = threading.Thread(target=self._gather, daemon=True)
        self._reader.start()
        return self

    def _gather(self) -> None:
        while True:
            try:
                data = os.read(self._keyboard, 4096)
            except OSError:
                return  # So a pseudo-terminal says that nobody has it open any more.
            if not data:
                return
            with self._changed:
                self._output += data
                self._changed.notify_all()

    @property
    def raw(self) -> str:
        """All that was written, to the sign."""
        return self._output.decode(errors="replace")

    @property
    def text(self) -> str:
        """All that was written, without what steers the terminal."""
        return CONTROL.sub("", self.raw)

    @property
    def shown(self) -> str:
        """What is left to be seen: prompts are wiped out when something else is shown."""
        return CONTROL.sub("", CLEARED.sub("", self.raw))

    @property
    def board(self) -> list[str]:
        """The rows of the board that was drawn last, without the brackets around new stones."""
        head = self.text.rindex(HEAD)
        return re.sub(r"[\[\]]", " ", self.text[head:]).splitlines()[1:7]

    def wait_for(self, *texts: str) -> str:
        """What was seen until one of these texts, from where the last such wait ended."""
        wanted = re.compile("|".join(map(re.escape, texts)))
        deadline = time.monotonic() + WAIT_SECONDS
        with self._changed:
            while not (found := wanted.search(self.text, self._seen)):
                left = deadline - time.monotonic()
                assert left > 0, f"none of {texts} in:\n{self.text}"
                self._changed.wait(min(left, 0.1))
        seen, self._seen = self.text[self._seen : found.end()], found.end()
        return seen

    def enter(self, line: str) -> None:
        self.press(line + "\n")

    def press(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def wait(self) -> int:
        """The exit code, once the program has ended and all it wrote is here."""
        code = self._popen.wait(WAIT_SECONDS)
        self._reader.join(WAIT_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        self._popen.send_signal(number)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._popen.poll() is None:
            self._popen.kill()
        self.wait()
        os.close(self._keyboard)
