"""A program that is asked line by line, and can harm nobody by what it does.

All that it writes has a limit, and so has the time it takes. It runs in a process group of its own,
which is killed at the end with whatever it has started.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen

from gamehall.bots.contender import Misbehaved

LINE_BYTES_MAX = 64 * 1024
"""Of one answer."""
LOG_BYTES_MAX = 64 * 1024
"""Of all that a program writes to its log in one game."""
GOODBYE_SECONDS = 1.0
"""How long it may take to end by itself, and its log to arrive."""


class LineProcess:
    """Start it, `ask` as often as you like, and `end` it whatever has happened."""

    def __init__(self, command: Sequence[str], log: Callable[[str], None]) -> None:
        """`log` takes each line that the program writes to standard error."""
        self._command = command
        self._answers = _Answers()
        self._log = _Log(log, self._kill)
        self._process: Popen[bytes] | None = None
        self._stdin: asyncio.WriteTransport
        self._outputs: list[asyncio.BaseTransport] = []
        self._has_ended = False

    async def start(self) -> None:
        """Raises Misbehaved if there is no such program."""
        process = self._process = self._opened()
        loop = asyncio.get_running_loop()
        self._stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
        answers, _ = await loop.connect_read_pipe(lambda: self._answers, process.stdout)
        log, _ = await loop.connect_read_pipe(lambda: self._log, process.stderr)
        self._outputs = [answers, log]

    def _opened(self) -> Popen[bytes]:
        try:
            return Popen(
                self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except OSError as error:
            raise Misbehaved("crashed", f"cannot be started: {error.strerror}.") from None

    def tell(self, line: bytes) -> None:
        """What needs no answer."""
        if not self._has_ended:
            self._stdin.write(line + b"\n")

    async def ask(self, line: bytes, seconds: float) -> bytes:
        """The line that it answers with.

        Raises:
            Misbehaved: it does not, or with something else. What is left is to `end` it.
        """
        self._answers.refuse_unasked()
        self.tell(line)
        try:
            async with asyncio.timeout(seconds):
                await self._answers.arrived()
        except TimeoutError:
            raise Misbehaved("hung", f"did not answer within {seconds:g} seconds.") from None
        if self._log.is_full:
            raise Misbehaved(
                "overflowed", f"wrote more than {LOG_BYTES_MAX} bytes to its log in one game."
            )
        answer = self._answers.take()
        if answer is None:
            raise Misbehaved("crashed", self._how_it_ended())
        return answer

    async def end(self, *, kindly: bool) -> None:
        """Nothing of it runs any more. If `kindly`, it is first given a moment to end by itself."""
        if self._process is None or self._has_ended:
            return
        self._has_ended = True
        try:
            self._stdin.close()
            if kindly:
                with suppress(TimeoutError):
                    async with asyncio.timeout(GOODBYE_SECONDS):
                        await self._answers.ended()
        finally:
            self._kill()
            self._process.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self._log.ended.wait()
        for transport in self._outputs:
            transport.close()

    def _kill(self) -> None:
        # The number stays its own as long as nobody has waited for it, also if it has ended.
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _how_it_ended(self) -> str:
        """It has closed its output, which nearly always is its end."""
        assert self._process is not None
        self._kill()
        code = self._process.wait()
        if code == -signal.SIGKILL:
            return "closed its output, or was killed."
        return f"ended with code {code}." if code >= 0 else f"was ended by signal {-code}."


class _Answers(asyncio.Protocol):
    """Standard output: one line for each question."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._is_over = False
        self._drops = False
        self._news = asyncio.Event()
        self._transport: asyncio.ReadTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.ReadTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._drops:
            return
        self._data += data
        if len(self._data) > LINE_BYTES_MAX:
            self._transport.pause_reading()
        self._news.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over = True
        self._news.set()

    def refuse_unasked(self) -> None:
        if len(self._data) > LINE_BYTES_MAX:
            raise Misbehaved("overflowed", "wrote without end, and without being asked.")
        if self._data:
            raise Misbehaved("lied", "wrote something without being asked.")

    async def arrived(self) -> None:
        """Returns when there is a line, or will be none."""
        while not (self._is_over or b"\n" in self._data or len(self._data) > LINE_BYTES_MAX):
            self._news.clear()
            await self._news.wait()

    def take(self) -> bytes | None:
        """The answer; None if the output has ended without one. Raises Misbehaved."""
        line, end, more = bytes(self._data).partition(b"\n")
        if len(self._data) > LINE_BYTES_MAX:
            raise Misbehaved("overflowed", f"answered with more than {LINE_BYTES_MAX} bytes.")
        if more:
            raise Misbehaved("lied", "answered with more than one line.")
        self._data.clear()
        return line if end else None

    async def ended(self) -> None:
        """Returns when nothing more can come; what does come is dropped."""
        self._drops = True
        self._data.clear()
        if not self._transport.is_closing():
            self._transport.resume_reading()
        while not self._is_over:
            self._news.clear()
            await self._news.wait()


class _Log(asyncio.Protocol):
    """Standard error."""

    def __init__(self, log: Callable[[str], None], kill: Callable[[], None]) -> None:
        self._log = log
        self._kill = kill
        self._pending = b""
        self._left_bytes = LOG_BYTES_MAX
        self.is_full = False
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        if self.is_full:
            return
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            self.is_full = True
            self._kill()
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            self._log(line.decode(errors="replace"))

    def connection_lost(self, error: Exception | None) -> None:
        if self._pending:
            self._log(self._pending.decode(errors="replace"))
        self.ended.set()
