"""Requests on their way: each keeps its id until it is answered, on whatever connection."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from gamehall.client.connection import Connection, ConnectionLost

RETRY_SECONDS, RETRY_SECONDS_MAX = 0.25, 5.0
"""Before a request is sent again that the hall could not take at the moment: doubled each time."""
RETRIED = ("unavailable", "rate_limited")
SPACING_SECONDS, SPACING_SECONDS_MAX = 0.05, 1.0
"""Between two messages, once they were too many: doubled if they still are."""
SPACING_DECAY = 0.98
"""With every answer they may follow each other a little faster again."""

Payload = dict[str, Any]


class RequestRefused(Exception):
    """The hall's answer is no. `code` is stable; the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


Reply = Callable[[Payload | Exception], None]


@dataclass(slots=True)
class Asked:
    """A request that has no answer yet."""

    action: str
    payload: Payload
    message: str
    reply: Reply
    own: bool
    """The client's own, for this connection: on the next one it is asked anew or not at all."""
    deadline: float
    sent: bool = False
    pause: float = RETRY_SECONDS


def encode(id: str, action: str, payload: Payload) -> str:
    message = {"action": action, "requestId": id, "payload": payload}
    return msgspec.json.encode(message).decode()


class Asking:
    """All requests without an answer, in the order in which they are sent."""

    def __init__(self, give_up_seconds: float) -> None:
        self._give_up_seconds = give_up_seconds
        self._asked: dict[str, Asked] = {}
        # The hall remembers the ids of a player, who may have other clients.
        self._prefix = secrets.token_hex(8)
        self._last = 0
        self._unsent = asyncio.Event()
        self._quiet_until = 0.0
        self._spacing_seconds = 0.0

    def new_id(self) -> str:
        self._last += 1
        return f"{self._prefix}-{self._last}"

    # From the caller

    def ask(self, action: str, payload: Payload, reply: Reply, *, own: bool = False) -> str:
        """The id of the request, which is sent as soon as there is a connection."""
        id = self.new_id()
        deadline = asyncio.get_running_loop().time() + self._give_up_seconds
        message = encode(id, action, payload)
        self._asked[id] = Asked(action, payload, message, reply, own, deadline)
        self._unsent.set()
        return id

    async def answer(self, action: str, payload: Payload) -> Payload:
        """The answer. Raises RequestRefused, or ConnectionLost if none comes in time."""
        answered: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()

        def reply(answer: Payload | Exception) -> None:
            if answered.done():
                return
            if isinstance(answer, Exception):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        id = self.ask(action, payload, reply)
        try:
            async with asyncio.timeout(self._give_up_seconds):
                return await answered
        except TimeoutError:
            raise ConnectionLost(f"no answer within {self._give_up_seconds:g} seconds") from None
        finally:
            self._asked.pop(id, None)

    # To the hall

    async def send_all(self, connection: Connection) -> None:
        """Sends what is asked, for as long as the connection lasts. Raises ConnectionLost."""
        loop = asyncio.get_running_loop()
        while True:
            await self._unsent.wait()
            self._unsent.clear()
            await asyncio.sleep(max(0.0, self._quiet_until - loop.time()))
            for asked in tuple(self._asked.values()):
                if loop.time() < self._quiet_until:
                    break
                if not asked.sent:
                    asked.sent = True
                    await connection.send(asked.message)
                    await asyncio.sleep(self._spacing_seconds)

    def disconnected(self) -> None:
        """The caller's requests wait for the next connection; the client's own are void."""
        self._asked = {id: asked for id, asked in self._asked.items() if not asked.own}
        self._quiet_until = 0.0
        self._spacing_seconds = 0.0
        self._send_again(*self._asked.values())

    def put_first(self, ids: list[str]) -> None:
        """These are sent before all others that wait."""
        self._asked = {id: self._asked[id] for id in ids} | self._asked

    def fail(self, error: Exception) -> None:
        """No answer will come any more."""
        asked, self._asked = self._asked, {}
        for request in asked.values():
            request.reply(error)

    # From the hall

    def answered(self, id: str) -> Asked | None:
        """The request that this answers; None if it was sent twice and answered before."""
        self._spacing_seconds *= SPACING_DECAY
        return self._asked.pop(id, None)

    def refused(self, id: str | None, error: RequestRefused) -> None:
        if id is None:
            self._refused_unnamed(error)
            return
        asked = self._asked.get(id)
        if asked is None:
            return
        loop = asyncio.get_running_loop()
        if error.code in RETRIED and loop.time() + asked.pause < asked.deadline:
            loop.call_later(asked.pause, self._send_again, asked)
            asked.pause = min(asked.pause * 2, RETRY_SECONDS_MAX)
        else:
            del self._asked[id]
            asked.reply(error)

    def _send_again(self, *requests: Asked) -> None:
        for asked in requests:
            asked.sent = False
        self._unsent.set()

    def _refused_unnamed(self, error: RequestRefused) -> None:
        """Some request was refused before the hall looked into it, so which one is not known."""
        if error.code == "rate_limited":
            self._slow_down()
        elif error.code == "too_large" and self._asked:
            longest = max(self._asked, key=lambda id: len(self._asked[id].message))
            self._asked.pop(longest).reply(error)

    def _slow_down(self) -> None:
        """Sends all again after a pause. Meanwhile nothing is sent: who goes on is closed."""
        now = asyncio.get_running_loop().time()
        if now < self._quiet_until:
            return
        doubled = max(SPACING_SECONDS, 2 * self._spacing_seconds)
        self._spacing_seconds = min(doubled, SPACING_SECONDS_MAX)
        self._quiet_until = now + RETRY_SECONDS
        self._send_again(*self._asked.values())
