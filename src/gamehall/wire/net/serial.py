"""A client's connection that is served one request at a time, where one takes a while.

So requests may be sent without waiting for answers, and are answered in order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any, ClassVar

from gamehall.errors import BadToken, HallError, LoginFailed, NotLoggedIn
from gamehall.games.game import Command
from gamehall.hall.beat.requests import Done
from gamehall.hall.hall import Hall
from gamehall.hall.people.link import Link
from gamehall.hall.people.notices import Notice
from gamehall.hall.people.online import Online
from gamehall.wire.net.refusing import Refuse, refusing
from gamehall.wire.net.shell import Channel, Conversation

BACKLOG_MAX = 64
"""Messages that wait while a slow request is answered; reading pauses there."""
SENTENCE_CHARACTERS_MAX = 500
"""Of an error: it may quote what was sent, which can be long."""
FAILED_LOGINS_MAX, FAILED_LOGINS_SECONDS = 5, 60.0


class SerialLink(Link, Conversation):
    """What the links of all doors have in common. Subclasses say what a message means."""

    resumes: ClassVar[bool] = True
    """Whether its client comes back by itself, so that others wait for it. Where not, one that
    has hung up is most likely gone for good."""

    __slots__ = ("_backlog", "_busy", "_failed", "_lost", "channel", "hall")

    def __init__(self, hall: Hall, channel: Channel) -> None:
        super().__init__(channel.address)
        self.hall = hall
        self.channel = channel
        self._busy = False
        self._lost = False
        self._backlog: deque[bytes] | None = None
        self._failed: list[float] | None = None

    def _handle(self, message: bytes) -> None:
        """Answers one message, at once or by `later`."""
        raise NotImplementedError

    async def become_someone(self) -> None:
        """Called where a request needs a player and there is none. Raises NotLoggedIn."""
        raise NotLoggedIn

    @property
    def gone(self) -> bool:
        return self.channel.peer_done

    @property
    def closed(self) -> bool:
        return self._lost

    @property
    def kept_briefly(self) -> bool:
        return not self.resumes and self.channel.hung_up

    async def answers(self, seconds: float) -> bool:
        return not self.gone and await self.channel.answers(seconds)

    def give_way(self) -> None:
        self.hall.people.disconnected(self)
        self.channel.abort()

    def received(self, message: bytes) -> None:
        if not self._busy:
            self._handle(message)
            return
        if self._backlog is None:
            self._backlog = deque()
        self._backlog.append(message)
        if len(self._backlog) == BACKLOG_MAX:
            self.channel.pause()

    def tell(self, notice: Notice) -> None:
        """Most dialects have no word for any of them."""

    def lost(self) -> None:
        self._lost = True
        self._backlog = None
        self.hall.people.disconnected(self)

    def later(self, work: Coroutine[Any, Any, None], refuse: Refuse) -> None:
        """Does the work, which answers a request, while other messages wait. `refuse` answers
        what it raises."""
        self._busy = True
        self.hall.spawn(self._finish(work, refuse))

    async def _finish(self, work: Coroutine[Any, Any, None], refuse: Refuse) -> None:
        try:
            await refusing(work, refuse, door=type(self).__name__)
        finally:
            self._busy = False
            if self._lost:
                # The work may have logged it in, or let it watch, after its client had gone.
                self.hall.people.disconnected(self)
            self._catch_up()

    def play(self, online: Online, table: int, command: Command, refuse: Refuse) -> None:
        """Brings a command to a table; what comes next is about the game as it is after it."""

        def reply(answer: Done | HallError) -> None:
            if isinstance(answer, HallError):
                refuse(answer)
            # A table answers and then tells, in one go: what waits comes after both.
            asyncio.get_running_loop().call_soon(self._go_on)

        self.hall.seating.act(online, table, command, None, reply)
        self._busy = True

    def _go_on(self) -> None:
        self._busy = False
        self._catch_up()

    def _catch_up(self) -> None:
        while self._backlog and not self._busy:
            if len(self._backlog) == BACKLOG_MAX:
                self.channel.resume()
            self._handle(self._backlog.popleft())

    def count_failure(self, error: HallError) -> None:
        """Closes the connection with the fifth failed login in a minute."""
        if not (
            isinstance(error, LoginFailed | BadToken) or isinstance(error.__cause__, LoginFailed)
        ):
            return
        now = asyncio.get_running_loop().time()
        recent = [at for at in self._failed or () if at > now - FAILED_LOGINS_SECONDS]
        self._failed = [*recent, now]
        if len(self._failed) >= FAILED_LOGINS_MAX:
            self.channel.close(1008, "too many failed logins")
