"""Players who outlive any node: they write down all that they send and hear, come back at another
node when their connection ends, resume their tables and send again what was not answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from secrets import token_hex
from typing import Self

from gamehall.simulation.checker.transcripts import Line
from tests.support.people.connections import Connection, Door, Node
from tests.support.people.listeners import Listener, limit
from tests.system.e2e.clients import Json, Lost, Refused, read_answer

PATIENCE_SECONDS = 10.0
"""After so long without an answer a player tries another node."""
AGAIN_SECONDS = 0.05
"""Between two tries of what was `unavailable`, or of nodes that are all away."""


class Player(Listener):
    """One person. `at` is the node where it begins; it goes on to the next when it must."""

    def __init__(
        self,
        nodes: Sequence[Node],
        name: str,
        at: int = 0,
        *,
        door: Door = "tcp",
        patience_seconds: float = PATIENCE_SECONDS,
        token: str = "",
    ) -> None:
        super().__init__(name)
        self.refusals: list[str] = []
        """Codes of all errors that were answered, also of those that are tried again."""
        self.patience_seconds = patience_seconds
        self._nodes = nodes
        self._at = at
        self._door = door
        self.token = token
        self._watches: set[int] = set()
        self._prefix = token_hex(4)
        self._ids = count(1)
        self._connection: Connection | None = None
        self._last: tuple[str, str, Json] | None = None
        self._connections = count()
        self._keeping: asyncio.Task[None] | None = None

    # Being connected

    async def enter(self) -> Self:
        """Returns when it is known to the hall; from then on it stays connected."""
        self._keeping = asyncio.create_task(self._keep_connected())
        await self._connected()
        return self

    async def move_to(self, node: int) -> None:
        """Hangs up, and comes back there."""
        self._at = node
        before = self._connection
        if before is not None:
            await before.end()
        await self.until(
            lambda: self._connection is not None and self._connection is not before, "a new node"
        )

    async def leave(self) -> None:
        assert self._keeping is not None
        self._keeping.cancel()
        with suppress(asyncio.CancelledError):
            await self._keeping
        if self._connection is not None:
            await self._connection.end()

    async def _keep_connected(self) -> None:
        while True:
            try:
                connection = await self._open()
            except Lost:
                self._at = (self._at + 1) % len(self._nodes)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            try:
                async with asyncio.timeout(self.patience_seconds):
                    await self._greet(connection)
                self._connection = connection
                self._change.set()
                at = self._at
                await asyncio.wait([connection.reading])
                if self._at == at:  # Nobody has sent it elsewhere.
                    self._at = (at + 1) % len(self._nodes)
            except (Lost, TimeoutError):
                self._at = (self._at + 1) % len(self._nodes)
            finally:
                self._connection = None
                await connection.end()

    async def _open(self) -> Connection:
        node = self._nodes[self._at]
        try:
            async with asyncio.timeout(self.patience_seconds):
                return await Connection.open(next(self._connections), node, self._door, self.note)
        except TimeoutError:
            raise Lost from None

    def _check_alive(self) -> None:
        if self._keeping is not None and self._keeping.done() and not self._keeping.cancelled():
            self._keeping.result()

    async def _greet(self, connection: Connection) -> None:
        """Says who it is, and follows again what it followed."""
        hello = {"token": self.token} if self.token else {"name": self.name}
        try:
            welcome = await self._ask_here(connection, "hello", hello)
        except Refused as refusal:
            raise AssertionError(f"{self.name} is known no more: {refusal}") from None
        assert self.id in (0, welcome["player"]["id"]), "the hall took it for someone else"
        self.transcript.player, self.token = welcome["player"]["id"], welcome["token"]
        # Also where it was seated and was never told.
        self._seats.update(seat["table"] for seat in welcome["tables"])
        for table in tuple(self._watches):
            with suppress(Refused):  # It may be closed by now.
                await self._ask_here(connection, "watch", {"table": table})
        for table in tuple(self._seats):
            with suppress(Refused):  # The seat may be lost by now.
                after = {"table": table, "after": self.seen(table)}
                await self._ask_here(connection, "resume", after)

    async def _ask_here(self, connection: Connection, action: str, payload: Json) -> Json:
        """Like `ask`, on this very connection. Raises Refused, Lost."""
        id, text = self._written(action, payload)
        while True:
            answer = await connection.request(id, text, self.patience_seconds)
            if not self._is_unavailable(answer):
                return read_answer(answer)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _connected(self) -> Connection:
        await self.until(lambda: self._connection is not None, "a connection")
        assert self._connection is not None
        return self._connection

    # Asking

    async def ask(self, action: str, /, **payload: object) -> Json:
        """The answer's payload, whatever becomes of nodes and connections meanwhile.

        Raises:
            Refused: for another reason than `unavailable`.
        """
        id, text = self._written(action, payload)
        answer = await self._answered(id, text)
        result = read_answer(answer)
        self._follow(action, payload)
        self._last = id, text, answer
        return result

    async def ask_again(self) -> None:
        """Sends the last request that was accepted once more: it gets the same answer."""
        assert self._last is not None, f"{self.name} has asked for nothing"
        id, text, answer = self._last
        same = await self._answered(id, text)
        assert same == answer, f"{self.name} was answered {same} after {answer}"

    async def _answered(self, id: str, text: str) -> Json:
        """The answer, which is not `unavailable`."""
        async with limit(f"{self.name} is answered {text}", self.last_lines):
            while True:
                connection = await self._connected()
                try:
                    answer = await connection.request(id, text, self.patience_seconds)
                except Lost:
                    await connection.end()
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if not self._is_unavailable(answer):
                    return answer
                await asyncio.sleep(AGAIN_SECONDS)

    def _written(self, action: str, payload: object) -> tuple[str, str]:
        id = f"{self._prefix}-{next(self._ids)}"
        return id, json.dumps({"action": action, "requestId": id, "payload": payload})

    def _is_unavailable(self, answer: Json) -> bool:
        if answer["action"] != "error":
            return False
        self.refusals.append(answer["payload"]["code"])
        return bool(answer["payload"]["code"] == "unavailable")

    def _follow(self, action: str, payload: dict[str, object]) -> None:
        table = payload.get("table")
        if not isinstance(table, int):
            return
        if action == "watch":
            self._watches.add(table)
        elif action == "sit":
            self._seats.add(table)
        elif action in ("leave", "unwatch"):
            self._watches.discard(table)
            self._seats.discard(table)

    async def view(self, table: int) -> Json:
        """How the table stands now, as the hall says when it is asked."""
        while True:
            start = self.now()
            await self.ask("resume", table=table)
            found: list[Line] = []

            def is_over(start: int = start, found: list[Line] = found) -> bool:
                later = self.transcript.lines[start:]
                found += [line for line in later if line.shows(table)]
                return bool(found) or any(line.what == "ended" for line in later)

            await self.until(is_over, f"a view of table {table}")
            if found:
                payload: Json = found[-1].message["payload"]
                return payload

    async def catch_up(self) -> None:
        """Has every table that it follows shown as it stands. What it should have heard by then is
        no news to it, as its transcript has to show."""
        for table in sorted(self._seats | self._watches):
            with suppress(Refused):  # It may be closed by now, and the seat lost.
                await self.view(table)

    async def leave_tables(self) -> None:
        """Rises wherever it sits."""
        while self._seats:
            table = min(self._seats)
            with suppress(Refused):  # It may be closed by now.
                await self.ask("leave", table=table)
            self._seats.discard(table)

    def watches(self, table: int) -> None:
        """It was brought to this table to watch."""
        self._watches.add(table)
