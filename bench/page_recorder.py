"""A client of the native door that keeps what it is told, and when, for a page to hear it again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse

WAIT_SECONDS = 300.0
INCOMPLETE = {"opened", "started"}
"""Events after which the page asks how the table looks."""

Message = dict[str, Any]


class Frame(NamedTuple):
    at_seconds: float
    """Since the first."""
    text: str


class Feed(NamedTuple):
    name: str
    table: int
    answers: dict[str, Message]
    """What the page's requests are answered with, by their action."""
    frames: list[Frame]
    """The first is a `table_view`."""


class Recorder:
    """One native client. `heard` is called with each notice."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.frames: list[Frame] = []
        self.table = 0
        self.heard: Callable[[str, Message], None] = lambda action, payload: None
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._first_view = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, action: str, **payload: Any) -> Message:
        """The answer: an action and a payload, of which `error` is one."""
        id = str(next(self._numbers))
        self._answers[id] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"action": action, "requestId": id, "payload": payload})
        async with asyncio.timeout(WAIT_SECONDS):
            return await self._answers[id]

    async def follow(self) -> None:
        """As the page does: whoever has no seat watches."""
        answer = await self.ask("resume", table=self.table)
        if answer["action"] == "error":
            await self.ask("watch", table=self.table)

    async def come_to(self, game: str) -> dict[str, Message]:
        """Sits down, or watches, at the hall's own table; what a page would be answered."""
        hello = await self.ask("hello", name="looks on")
        await self.ask("seek", game=game)
        await asyncio.wait_for(self._first_view.wait(), WAIT_SECONDS)
        answers = {
            "hello": hello["payload"],
            "resume": {"table": self.table, "missed": None},
            "act": {"table": self.table, "seq": 0},
        }
        for action in ("list_games", "balance", "challenges", "ping"):
            answers[action] = (await self.ask(action))["payload"]
        return answers

    async def read(self) -> None:
        async for message in self._socket:
            data = msgspec.json.decode(message.data)
            id = data.get("requestId") or data.get("payload", {}).get("requestId")
            if id is None:
                self._keep(message.data, data["action"], data["payload"])
            else:
                self._answers.pop(id).set_result(data)

    def _keep(self, text: str, action: str, payload: Message) -> None:
        if not self.table:
            if action != "table_view":
                return
            self.table = payload["table"]
            self._began = time.monotonic()
            self._first_view.set()
        self.frames.append(Frame(time.monotonic() - self._began, text))
        if action == "table_events" and {each["type"] for each in payload["events"]} & INCOMPLETE:
            self.spawn(self.follow())
        self.heard(action, payload)

    def spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@asynccontextmanager
async def recorder(url: str) -> AsyncIterator[Recorder]:
    async with ClientSession() as session, session.ws_connect(url) as socket:
        client = Recorder(socket)
        reading = asyncio.create_task(client.read())
        yield client
        reading.cancel()
