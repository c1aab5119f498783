"""A hall that only repeats itself: the built page, and a recorded feed at the pace it was told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from aiohttp import WSMsgType, web

from gamehall.wire.http.page import BUILT_PAGE, CONTENT_SECURITY_POLICY, Page
from page_recorder import Feed, Message


class Replay:
    """Serves one page once. The feed begins when the page has asked for it and `go` is set."""

    def __init__(self, feed: Feed) -> None:
        self.url = ""
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.done = asyncio.Event()
        self.unknown: set[str] = set()
        """Requests that the recording has no answer for."""
        self._feed = feed
        self._page = Page(BUILT_PAGE)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_get("/", self._index)
        app.router.add_get("/assets/{name}", self._page.asset)
        app.router.add_get("/ws", self._connect)
        runner = web.AppRunner(app, shutdown_timeout=0)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        try:
            yield
        finally:
            await runner.cleanup()

    async def _index(self, request: web.Request) -> web.Response:
        response = self._page.index(request)
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        telling = None
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                break
            asked = msgspec.json.decode(message.data)
            await socket.send_str(self._answer(asked))
            if asked["action"] == "resume" and telling is None:
                telling = asyncio.create_task(self._tell(socket))
        if telling is not None:
            telling.cancel()
        return socket

    def _answer(self, asked: Message) -> str:
        action, id = asked["action"], asked["requestId"]
        payload = self._feed.answers.get(action)
        if payload is None:
            self.unknown.add(action)
            payload = {"code": "bad_request", "message": "This was not recorded.", "requestId": id}
            action = "error"
        return msgspec.json.encode({"action": action, "requestId": id, "payload": payload}).decode()

    async def _tell(self, socket: web.WebSocketResponse) -> None:
        self.asked.set()
        await self.go.wait()
        began = time.monotonic()
        for at_seconds, text in self._feed.frames:
            await asyncio.sleep(began + at_seconds - time.monotonic())
            await socket.send_str(text)
        self.done.set()
