"""A client of the native door that stays: it comes back by itself and goes on where it was.

It asks with `request`, and is told with `async for notice in client`. When the connection breaks
it connects again, says who it is, sends again what has no answer yet, with the same request ids so
that nothing happens twice, and resumes its tables and wait lists. The caller notices a pause.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Self

import msgspec

from gamehall.client.asking import Asked, Asking, Payload, RequestRefused, encode
from gamehall.client.connection import Connection, ConnectionLost, check_url, connect
from gamehall.client.following import Subscriptions, Tables

GIVE_UP_SECONDS = 120.0
"""How long it tries to come back; and how long a request may wait for its answer."""
IDLE_SECONDS = 30.0
"""Silence after which the hall is asked whether it is there; as long again, and it is not."""
HELLO_SECONDS = 10.0
PAUSE_SECONDS, PAUSE_SECONDS_MAX = 0.1, 2.0
"""Between attempts to connect: doubled each time, less a random part so that clients spread out."""
NOTICES_MAX = 1000
"""Notices that wait for the caller; more are dropped, and the tables resumed when it catches up."""


class Notice(NamedTuple):
    """What came unasked. The client adds its own: `connection_lost {reason}`, `connected` when it
    is back (with the hall's welcome), and `table_gone {table, code}` if one cannot be resumed."""

    action: str
    payload: Payload


class _Message(msgspec.Struct, frozen=True):
    action: str
    requestId: str | None = None  # noqa: N815 (the wire's name)
    payload: Payload = {}


_decode = msgspec.json.Decoder(_Message).decode


class NativeClient:
    """One player's connection to the hall at a URL: `ws://…`, `wss://…` or `tcp://…`.

    Use it with `async with`, or call `open` and `close`. With a `token` it is the same player
    again, else a guest of that name. Raises ValueError if the URL is none.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        token: str | None = None,
        give_up_seconds: float = GIVE_UP_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        check_url(url)
        self.url = url
        self.token = token
        """Worth as much as a password: whoever has it is this player."""
        self.welcome: Payload = {}
        """The last answer to `hello`, `login` or `register`: who we are."""
        self._name = name
        self._give_up_seconds = give_up_seconds
        self._idle_seconds = idle_seconds
        self._asking = Asking(give_up_seconds)
        self._tables = Tables()
        self._subscriptions = Subscriptions()
        self._inbox: asyncio.Queue[Notice | Exception] = asyncio.Queue()
        """Notices for the caller, and last why there are no more."""
        self._overflowed = False
        self._heard = False
        self._task: asyncio.Task[None] | None = None
        self._ended: Exception | None = None

    # For the caller

    async def open(self) -> Payload:
        """The hall's welcome. Tries once; raises ConnectionLost or RequestRefused."""
        connection = await self._enter()
        self._task = asyncio.create_task(self._stay(connection))
        return self.welcome

    async def close(self) -> None:
        """Ends the connection. Seats are kept for a while, as after a drop: `leave` them first."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._end(StopAsyncIteration())

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(self, action: str, payload: Mapping[str, Any] | None = None) -> Payload:
        """The payload of the answer, however often the connection breaks meanwhile.

        Raises:
            RequestRefused: the hall said no.
            ConnectionLost: no answer came in time, or the client has given up or is closed.
        """
        if self._ended is not None:
            raise _reason(self._ended)
        return await self._asking.answer(action, dict(payload or {}))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Notice:
        """The next notice. Ends after `close`; if the client has given up, raises why."""
        if self._overflowed and self._inbox.empty():
            self._overflowed = False
            self._resume_all()
        notice = await self._inbox.get()
        if isinstance(notice, Exception):
            self._inbox.put_nowait(notice)  # For the next who asks.
            raise notice
        return notice

    # The connection

    async def _enter(self) -> Connection:
        """A connection on which the hall knows us. Raises ConnectionLost or RequestRefused."""
        connection = await connect(self.url)
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                await self._say_hello(connection)
        except BaseException as error:
            await connection.close()
            if isinstance(error, TimeoutError):
                raise ConnectionLost(f"no welcome within {HELLO_SECONDS:g} seconds") from None
            raise
        return connection

    async def _say_hello(self, connection: Connection) -> None:
        id = self._asking.new_id()
        who: Payload = {}
        if self.token is not None:
            who = {"token": self.token}
        elif self._name is not None:
            who = {"name": self._name}
        await connection.send(encode(id, "hello", who))
        while True:
            message = self._read(await connection.receive())
            if message.action == "error":
                raise RequestRefused(message.payload["code"], message.payload["message"])
            if message.requestId == id:
                break
            self._take(message)
        self._welcomed(message.payload)
        self._take_up()

    def _welcomed(self, welcome: Payload) -> None:
        self.welcome = welcome
        self.token = welcome["token"]
        for seat in welcome["tables"]:
            self._tables.follow(seat["table"])

    def _take_up(self) -> None:
        """Asks again for what ended with the last connection, or with who we were before."""
        again = [self._subscribe(*request) for request in self._subscriptions.requests()]
        # Before the caller's requests, which may rest on it.
        self._asking.put_first(again)
        self._resume_all()

    def _subscribe(self, key: str, action: str, payload: Payload) -> str:
        def reply(answer: Payload | Exception) -> None:
            if isinstance(answer, RequestRefused):
                self._subscriptions.drop(key)

        return self._asking.ask(action, payload, reply, own=True)

    async def _stay(self, connection: Connection) -> None:
        try:
            while True:
                reason = await self._talk(connection)
                self._asking.disconnected()
                for following in self._tables.values():
                    following.resuming = True
                self._tell("connection_lost", {"reason": reason})
                connection = await self._come_back()
                self._tell("connected", self.welcome)
        except Exception as error:  # noqa: BLE001 (the caller gets it, whatever it is)
            self._end(error)

    async def _talk(self, connection: Connection) -> str:
        """Why the connection has ended."""
        reason = ""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._receive(connection))
                tasks.create_task(self._asking.send_all(connection))
                tasks.create_task(self._keep_alive())
        except* ConnectionLost as lost:
            reason = str(lost.exceptions[0])
        finally:
            await connection.close()
        return reason

    async def _come_back(self) -> Connection:
        """A new connection. Raises ConnectionLost after a while, RequestRefused for our token."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._give_up_seconds
        pause_seconds = PAUSE_SECONDS
        while True:
            await asyncio.sleep(pause_seconds * random.uniform(0.5, 1))
            pause_seconds = min(pause_seconds * 2, PAUSE_SECONDS_MAX)
            try:
                return await self._enter()
            except (ConnectionLost, RequestRefused) as error:
                if isinstance(error, RequestRefused) and error.code == "bad_token":
                    raise
                if loop.time() > deadline:
                    seconds = f"{self._give_up_seconds:g} seconds"
                    raise ConnectionLost(f"no connection for {seconds}: {error}") from None

    async def _keep_alive(self) -> None:
        asked = False
        while True:
            self._heard = False
            await asyncio.sleep(self._idle_seconds)
            if asked and not self._heard:
                raise ConnectionLost("the hall does not answer any more")
            asked = not self._heard
            if asked:
                self._asking.ask("ping", {}, lambda _: None, own=True)

    def _end(self, why: Exception) -> None:
        if self._ended is None:
            self._ended = why
            self._asking.fail(_reason(why))
            self._inbox.put_nowait(why)

    # What comes from the hall

    async def _receive(self, connection: Connection) -> None:
        while True:
            message = self._read(await connection.receive())
            self._heard = True
            self._take(message)

    def _read(self, message: str | bytes) -> _Message:
        try:
            return _decode(message)
        except msgspec.MsgspecError:
            raise ConnectionLost("what answers there does not speak as a hall does") from None

    def _take(self, message: _Message) -> None:
        if message.action == "error":
            payload = message.payload
            error = RequestRefused(payload["code"], payload["message"])
            self._asking.refused(payload.get("requestId"), error)
        elif message.requestId is None:
            self._take_notice(message.action, message.payload)
        else:
            asked = self._asking.answered(message.requestId)
            if asked is not None:
                self._take_answer(asked, message.payload)

    def _take_answer(self, asked: Asked, answer: Payload) -> None:
        self._subscriptions.answered(asked.action, asked.payload)
        match asked.action:
            case "login" | "register":
                self._welcomed(answer)
                self._take_up()
            case "logout":
                self.token = None
                self._tables.clear()
            case "unwatch":
                self._tables.pop(asked.payload["table"], None)
        asked.reply(answer)

    def _take_notice(self, action: str, payload: Payload) -> None:
        if action == "seated":
            self._subscriptions.drop_seeks()  # Nobody who plays stands in a wait list.
        if self._inbox.qsize() >= NOTICES_MAX:
            self._overflowed = True
            return
        player = self.welcome["player"]["id"] if self.welcome else 0
        verdict = self._tables.judge(action, payload, player)
        if verdict == "pass":
            self._tell(action, payload)
        elif verdict == "gap":
            self._resume(payload["table"])

    def _resume_all(self) -> None:
        for table in self._tables:
            self._resume(table)

    def _resume(self, table: int) -> None:
        following = self._tables.follow(table)
        following.resuming = True

        def reply(answer: Payload | Exception) -> None:
            if isinstance(answer, RequestRefused):
                self._tables.pop(table, None)
                self._tell("table_gone", {"table": table, "code": answer.code})
            elif not isinstance(answer, Exception):
                following.resumed(answer["missed"])

        after = {} if following.seq is None else {"after": following.seq}
        self._asking.ask("resume", {"table": table, **after}, reply, own=True)

    def _tell(self, action: str, payload: Payload) -> None:
        self._inbox.put_nowait(Notice(action, payload))


def _reason(ended: Exception) -> Exception:
    """What a request raises that can have no answer."""
    if isinstance(ended, StopAsyncIteration):
        return ConnectionLost("this client is closed")
    return ended
