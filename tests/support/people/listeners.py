"""What a player has heard so far, and waiting for what it will hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from gamehall.simulation.checker.transcripts import Line, Transcript
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json

SHOWN_MAX = 200
"""Of a line, in a failure's text."""


_limits: set[asyncio.Timeout] = set()
"""Those that run."""


@asynccontextmanager
async def limit(what: str, seen: Callable[[], str] = str) -> AsyncIterator[None]:
    """Raises AssertionError, with those words and what was seen, if it takes too long."""
    try:
        async with asyncio.timeout(WAIT_SECONDS) as timeout:
            _limits.add(timeout)
            try:
                yield
            finally:
                _limits.discard(timeout)
    except TimeoutError:
        late = f"not in {WAIT_SECONDS:g} seconds: {what}. {seen()}"
        raise AssertionError(late.rstrip()) from None


def renew_limits() -> None:
    """All that run begin anew: nobody can be answered while the hall is away, and a busy machine
    takes its time to start it."""
    end = asyncio.get_running_loop().time() + WAIT_SECONDS
    for timeout in _limits:
        # One that has expired has ended what it limits, and cannot begin anew.
        if not timeout.expired():
            timeout.reschedule(end)


class Listener:
    """Keeps a transcript."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.transcript = Transcript(name)
        self._seats: set[int] = set()
        """Tables where it was brought to a seat."""
        self._seen: dict[int, int] = {}
        self._change = asyncio.Event()

    @property
    def id(self) -> int:
        """Its number at the hall."""
        return self.transcript.player

    def note(self, line: Line) -> None:
        self.transcript.lines.append(line)
        self._change.set()
        if line.what != "heard":
            return
        message = line.message
        payload = message.get("payload", {})
        if message["action"] == "seated":
            self._seats.add(payload["table"])
        elif message["action"] in ("table_events", "table_view"):
            table = payload["table"]
            self._seen[table] = max(self._seen.get(table, 0), payload["seq"])

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Returns when it `holds`, which is asked after everything that happens."""
        async with limit(f"{self.name} waits for {what}", self.last_lines):
            while True:
                self._change.clear()
                self._check_alive()
                if holds():
                    return
                await self._change.wait()

    async def notice(self, action: str, *, start: int = 0, **fields: object) -> Json:
        """The payload of the first such notice, from that line of the transcript on."""
        place = start
        found: Json | None = None

        def is_there() -> bool:
            nonlocal place, found
            lines = self.transcript.lines
            while place < len(lines) and found is None:
                line = lines[place]
                place += 1
                if line.what == "heard" and f'"{action}"' in line.text:
                    message = line.message
                    payload = message.get("payload", {})
                    if message["action"] == action and fields.items() <= payload.items():
                        found = payload
            return found is not None

        await self.until(is_there, f"the notice {action} {fields}")
        assert found is not None
        return found

    def now(self) -> int:
        """Where the transcript ends, to look for what comes later."""
        return len(self.transcript.lines)

    def seen(self, table: int) -> int:
        """The last row of the table that it knows of."""
        return self._seen.get(table, 0)

    def _check_alive(self) -> None:
        """Raises whatever keeps it from hearing more."""

    def last_lines(self) -> str:
        last = self.transcript.lines[-6:]
        return f"last {[(line.node, line.what, line.text[:SHOWN_MAX]) for line in last]}"
