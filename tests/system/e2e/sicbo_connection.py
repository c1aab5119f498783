"""What the clients of both Sic Bo doors have in common."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from random import Random
from secrets import randbelow
from types import TracebackType
from typing import Any, ClassVar, Self

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_websocket

from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Json, Lost, Refused
from tests.system.e2e.sicbo_rounds import Book, Follower
from tests.system.e2e.sicbo_shapes import check_shape

RequestId = str | int


class SicBoClient:
    """One connection. `book` is the player's, who may have several."""

    door: ClassVar[str]

    def __init__(self, connection: ClientConnection, book: Book | None, seed: int) -> None:
        self.rng = Random(seed)
        self.book = Book() if book is None else book
        self.follower = Follower(self.door, self.book)
        self.raw: list[str] = []
        self.heard: list[Json] = []
        self.unasked: list[Json] = []
        """Answers without a question; a request is answered once."""
        self._connection = connection
        # Existing clients use texts and numbers; no two requests of a player share one.
        numbers = count(randbelow(10**12) * 1000)
        self._ids = (n if n % 2 else f"request-{n}" for n in numbers)
        self._sent_before: set[RequestId] = set()
        self._waiting: dict[RequestId, deque[asyncio.Future[Json]]] = {}
        self._changed = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, url: str, book: Book | None = None, seed: int = 0) -> Self:
        try:
            connection = await connect_websocket(
                url, proxy=None, compression=None, open_timeout=WAIT_SECONDS
            )
        except (OSError, websockets.InvalidHandshake, EOFError):
            raise Lost from None
        return cls(connection, book, seed)

    # What comes

    async def _read(self) -> None:
        lost: BaseException = Lost()
        try:
            while True:
                text = await self._connection.recv(decode=True)
                self.raw.append(text)
                self._take(json.loads(text))
                async with self._changed:
                    self._changed.notify_all()
        except websockets.ConnectionClosed:
            lost = Lost(self._connection.close_code)
            raise lost from None
        except BaseException as error:
            lost = error
            raise
        finally:
            for future in [future for queue in self._waiting.values() for future in queue]:
                if not future.done():
                    future.set_exception(lost)
                    future.exception()  # Whoever waits hears of it; not everyone waits.
            async with self._changed:
                self._changed.notify_all()

    def _take(self, data: Any) -> None:
        raise NotImplementedError

    def _take_message(self, message: Json) -> None:
        check_shape(self.door, message)
        self.heard.append(message)
        id = message.get("requestId")
        self.follower.take(message, again=id in self._sent_before)
        if id is None:
            return
        waiting = self._waiting.get(id)
        if not waiting:
            self.unasked.append(message)
            return
        # A request that is sent again is answered again, in the same order.
        answered = waiting.popleft()
        if not answered.done():
            answered.set_result(message)

    @property
    def alive(self) -> bool:
        return not self._reading.done()

    def check(self) -> None:
        """Raises what was found wrong, or Lost."""
        if self._reading.done():
            self._reading.result()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Returns when it `holds`, which is asked after every message."""
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            while not holds():
                self.check()
                await self._changed.wait()

    async def message(self, action: str, start: int = 0, **fields: Any) -> Json:
        """The first of these messages, of those from `start` on, with these fields in it."""
        found: list[Json] = []

        def came() -> bool:
            found[:] = [
                message
                for message in self.heard[start:]
                if message["action"] == action
                and fields.items() <= message.get("payload", {}).items()
            ]
            return found != []

        await self.until(came)
        return found[0]

    # What is sent

    async def send(self, data: Any) -> None:
        """Anything, as JSON; a text or bytes as they are."""
        raw = isinstance(data, str | bytes)
        try:
            await self._connection.send(data if raw else json.dumps(data))
        except websockets.ConnectionClosed:
            raise Lost(self._connection.close_code) from None

    def wrapped(self, message: Json) -> Any:
        """A request as this door takes it."""
        raise NotImplementedError

    def new_id(self) -> RequestId:
        return next(self._ids)

    async def post(
        self, action: str, payload: Json | None = None, *, id: RequestId, again: bool = False
    ) -> asyncio.Future[Json]:
        """Sends a request; the future gives the message that answers it, or raises Lost."""
        self.check()
        message: Json = {"action": action, "requestId": id}
        if payload is not None:
            message["payload"] = payload
        if again:
            self._sent_before.add(id)
        answered: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(id, deque()).append(answered)
        await self.send(self.wrapped(message))
        return answered

    async def ask(self, action: str, payload: Json | None = None) -> Json:
        """The message that answers it. Raises Refused or Lost."""
        answered = await self.post(action, payload, id=self.new_id())
        async with asyncio.timeout(WAIT_SECONDS):
            answer = await answered
        return read(answer)

    async def bet(self, round: str | None, side: str, amount: int) -> Json:
        """What was accepted. Raises Refused or Lost."""
        payload: Json = {"side": side, "amount": amount}
        if round is not None:
            payload["roundId"] = round
        accepted: Json = (await self.ask("place_bet", payload))["payload"]
        wanted = {"BIG": "BIG", "SMALL": "SMALL", "TAI": "BIG", "XIU": "SMALL"}[side]
        assert (accepted["side"], accepted["amount"]) == (wanted, amount), accepted
        assert round in (None, accepted["roundId"]), accepted
        return accepted

    async def balance(self) -> int:
        balance: int = (await self.ask("get_user_info"))["payload"]["balance"]
        return balance

    async def table(self) -> int:
        """The table's id."""
        table: int = (await self.ask("get_user_info"))["payload"]["tableId"]
        return table

    async def close(self) -> None:
        """Raises what was found wrong while it was open."""
        await self._connection.close()
        with suppress(Lost):
            await self._reading
        assert self.unasked == [], "a request was answered twice"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


def read(answer: Json) -> Json:
    """The answer. Raises Refused if it is an error."""
    if answer["action"] == "error":
        raise Refused(answer["payload"]["code"], answer["payload"]["message"])
    return answer
