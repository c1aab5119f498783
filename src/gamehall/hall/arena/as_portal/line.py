"""What a portal asks a game server over its link: one thing at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection
from typing import Protocol

from gamehall.errors import BadRequest, ServerRefused
from gamehall.hall.arena.as_portal.facts import Match
from gamehall.hall.nodes.awaited import Awaited

REASON_MAX = 200
"""Characters of what a game server says about its reasons."""


class ServerLink(Protocol):
    """The connection of a game server. Nothing here waits or raises."""

    def create(self, match: Match, key: str) -> None:
        """Asks for a match; the answer is for the `Line`."""

    def ask_status(self, match: int) -> None:
        """Asks how a match stands; the answer is for the `Line`."""

    def end(self, reason: str) -> None:
        """Closes it."""


class Line:
    """One link of a registered server, from its registration to its end."""

    def __init__(self, server: int, link: ServerLink, since_ms: int) -> None:
        self.server = server
        self.link = link
        self.since_ms = since_ms
        self._ended = False
        self._creating: tuple[Match, Awaited[bool]] | None = None
        self._creator_waits = False
        self._polled: int | None = None
        self._poll_until = 0.0
        self._late = False
        """Whether a question was given up. The server may be slow, or know nothing of questions:
        until an answer comes it is not asked again."""
        self._next_poll_at = 0.0
        self._round: deque[int] = deque()
        self._unknown: set[int] = set()
        """Matches that the server does not know: it is not asked for them again."""
        self._changed = asyncio.Event()

    # Asking

    async def create(self, match: Match, key: str) -> bool:
        """Returns when the server has the match; False: the link has ended before it said so. Only
        one at a time may call this.

        If this is cancelled after the question, the link ends: an answer that comes late would be
        taken for the answer to the next one.

        Raises:
            ServerRefused: the server does not want it.
        """
        self._creator_waits = True
        try:
            while self._polled is not None and not self._ended:
                self._changed.clear()
                await self._changed.wait()
        finally:
            self._creator_waits = False
        if self._ended:
            return False
        answer = Awaited[bool]()
        self._creating = (match, answer)
        self.link.create(match, key)
        try:
            return await answer
        except asyncio.CancelledError:
            if self._creating is not None:
                self._creating = None
                self.link.end("A match was asked for, and there was no answer.")
            raise

    def poll(
        self, open: Collection[int], now: float, *, every_seconds: float, wait_seconds: float
    ) -> None:
        """Asks how one of the matches that are not over stands, each in turn, if it is time to."""
        if self._polled is not None and self._poll_until <= now:
            self._late = True
            self._poll_done()
            return
        if self._polled is not None or self._creating is not None or self._creator_waits:
            return
        if self._late or self._next_poll_at > now:
            return
        match = self._next(open)
        if match is None:
            return
        self._polled = match
        self._poll_until = now + wait_seconds
        self._next_poll_at = now + every_seconds / len(open)
        self.link.ask_status(match)

    def _next(self, open: Collection[int]) -> int | None:
        if not self._round:
            self._round.extend(match for match in open if match not in self._unknown)
        while self._round:
            match = self._round.popleft()
            if match in open:
                return match
        return None

    # Answers

    def accepted(self) -> tuple[Match, Awaited[bool]]:
        """The match that the server has now, and who waits for it. Raises BadRequest."""
        if self._creating is None:
            raise BadRequest("Nothing was asked for that can be accepted.")
        created, self._creating = self._creating, None
        return created

    def rejected(self, reason: str) -> None:
        """Raises BadRequest: nothing was asked for."""
        if self._creating is not None and self._late:
            # It may as well be the answer to the question that was given up. On a new link there
            # is none, and the match is asked for again.
            self.link.end("It is not clear which question this answers.")
        elif self._creating is not None:
            (_, answer), self._creating = self._creating, None
            shown = "".join(c for c in reason[:REASON_MAX] if c.isprintable())
            answer(ServerRefused(f"The game server says: {shown}"))
        elif self._polled is not None:
            self._unknown.add(self._polled)
            self._poll_done()
        elif self._late:
            self._late = False
        else:
            raise BadRequest("Nothing was asked for that can be refused.")

    def status_told(self) -> int | None:
        """The match of which the server says how it stands; None: the question was given up.

        Raises:
            BadRequest: nobody has asked.
        """
        if self._polled is not None:
            match = self._polled
            self._poll_done()
            return match
        if self._late:
            self._late = False
            return None
        raise BadRequest("Nobody has asked how a match stands.")

    def _poll_done(self) -> None:
        self._polled = None
        self._changed.set()

    def end(self) -> None:
        """The link is gone, or another one has taken its place."""
        self._ended = True
        self._changed.set()
        if self._creating is not None:
            (_, answer), self._creating = self._creating, None
            answer(False)
