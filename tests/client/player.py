"""A client that writes down all it is told, for tests that play against a real hall."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from gamehall.client.native_client import NativeClient, Notice
from tests.support.waiting import WAIT_SECONDS

Json = dict[str, Any]


class Player:
    """Someone at a hall. `heard` has every notice in order."""

    def __init__(self, url: str, name: str | None = None, token: str | None = None) -> None:
        self.client = NativeClient(url, name=name, token=token)
        self.heard: list[Notice] = []
        self._changed = asyncio.Condition()
        self._listening: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        await self.client.open()
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.client.close()
        await self._listening

    async def _listen(self) -> None:
        async for notice in self.client:
            async with self._changed:
                self.heard.append(notice)
                self._changed.notify_all()

    @property
    def id(self) -> int:
        id: int = self.client.welcome["player"]["id"]
        return id

    async def ask(self, action: str, **payload: Any) -> Json:
        return await self.client.request(action, payload)

    async def drop(self, table: int, column: int) -> Json:
        return await self.ask("act", table=table, command={"type": "drop", "column": column})

    async def until(self, holds: Callable[[], bool]) -> None:
        """Returns when `holds`, which is asked after every notice."""
        try:
            async with asyncio.timeout(WAIT_SECONDS), self._changed:
                await self._changed.wait_for(holds)
        except TimeoutError:
            raise AssertionError(f"never happened; heard {self.heard[-10:]}") from None

    def all(self, action: str) -> list[Json]:
        return [payload for heard, payload in self.heard if heard == action]

    async def next(self, action: str) -> Json:
        """The last notice of this action, once there is one."""
        await self.until(lambda: bool(self.all(action)))
        return self.all(action)[-1]

    # At a table

    def view(self, table: int) -> Json:
        return [view for view in self.all("table_view") if view["table"] == table][-1]

    def events(self, table: int, kind: str) -> list[Json]:
        return [
            event
            for told in self.all("table_events")
            for event in told["events"]
            if told["table"] == table and event["type"] == kind
        ]

    async def started(self) -> int:
        """The table, once the game has begun there and a view of it has come."""
        table: int = (await self.next("seated"))["table"]
        await self.until(lambda: any(v["table"] == table for v in self.all("table_view")))
        return table

    def check_story(self, table: int, head: int) -> None:
        """Each row of the table was told once and in order, or was skipped over by a view."""
        seq = 0
        for action, payload in self.heard:
            if payload.get("table") != table:
                continue
            if action == "table_view":
                assert payload["seq"] >= seq
                seq = payload["seq"]
            elif action == "table_events":
                assert payload["seq"] > seq, f"row {payload['seq']} was told after {seq}"
                assert seq in (0, payload["after"]) or payload["after"] < seq, "a gap"
                seq = payload["seq"]
        assert seq == head
