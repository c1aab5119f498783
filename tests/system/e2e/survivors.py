"""Players who outlive the hall: they come back with their token, send again what was not answered,
and play on, game after game."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from itertools import count
from random import Random
from typing import Any, NamedTuple, Self

from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.clients import Client, Json, Lost, Refused, read_answer
from tests.system.e2e.play import LONG, LONG_MOVES, column

ROUNDS = 2
"""Games at one table, before the next is opened."""
NO_COLUMN = 99


class Shore:
    """The hall that is killed again and again, and whether it stands."""

    def __init__(self, hall: HallProcess) -> None:
        self.hall = hall
        self.kills = 0
        self.answers = 0
        self._up = asyncio.Event()
        self._up.set()
        self._answered = asyncio.Condition()

    async def stands(self) -> None:
        await self._up.wait()

    async def count_answer(self) -> None:
        async with self._answered:
            self.answers += 1
            self._answered.notify_all()

    async def more_answers(self, number: int) -> None:
        """Returns when that many more requests were answered."""
        goal = self.answers + number
        async with asyncio.timeout(WAIT_SECONDS), self._answered:
            await self._answered.wait_for(lambda: self.answers >= goal)

    async def crash(self) -> None:
        """Kills the hall this very moment, and starts it again on the same data and ports."""
        self._up.clear()
        os.kill(self.hall.pid, signal.SIGKILL)
        self.kills += 1
        await asyncio.to_thread(self.hall.restart)
        self._up.set()


class Request(NamedTuple):
    action: str
    payload: Json


class Survivor:
    """One person on many connections. All that was sent and heard is kept for the checker."""

    def __init__(self, shore: Shore, name: str, kind: str) -> None:
        self.name = name
        self.player = 0
        self.requests: dict[str, Request] = {}
        self.connections: list[Client] = []
        self.following: int | None = None
        """The table to come back to."""
        self._shore = shore
        self._kind = kind
        self._token = ""
        self._ids = count(1)
        self._last_answered: str | None = None
        self._client: Client | None = None
        self._coming_back = asyncio.Lock()

    async def ask(self, action: str, /, copies: int = 1, **payload: object) -> Json:
        """The answer's payload, however often the hall is killed before it comes.

        With more than one copy the request is sent again before the first can be answered.
        """
        id = f"{self.name}-{next(self._ids)}"
        self.requests[id] = Request(action, payload)
        while True:
            try:
                client = await self._connected()
                answers = [await client.post(action, payload, id) for _ in range(copies)]
                async with asyncio.timeout(WAIT_SECONDS):
                    *_, answer = [await answered for answered in answers]
            except Lost:
                continue
            await self._shore.count_answer()
            result = read_answer(answer)
            self._last_answered = id
            return result

    async def _connected(self) -> Client:
        async with self._coming_back:
            while self._client is None or self._client.lost is not None:
                try:
                    self._client = await self._come_back()
                except Lost:
                    continue
            return self._client

    async def _come_back(self) -> Client:
        await self._shore.stands()
        hall = self._shore.hall
        client = await Client.connect(hall.ws_url if self._kind == "ws" else hall.tcp_url)
        self.connections.append(client)
        welcome = await client.ask("hello", **self._identity())
        assert self.player in (0, welcome["player"]["id"])
        self.player, self._token = welcome["player"]["id"], welcome["token"]
        await self._resume(client)
        return client

    def _identity(self) -> dict[str, str]:
        return {"token": self._token} if self._token else {"name": self.name}

    async def _resume(self, client: Client) -> None:
        if self.following is None:
            return
        seen = self.seen(self.following)
        resumed = await client.ask("resume", table=self.following, after=seen)
        if resumed["missed"] is None:
            assert (await client.notice("table_view", self.following))["seq"] >= seen
        if self._last_answered is not None:
            # The checker compares this answer with the first.
            request = self.requests[self._last_answered]
            await client.ask(request.action, self._last_answered, **request.payload)

    def seen(self, table: int) -> int:
        """The last row of the table that this person knows of."""
        return max(
            (
                message["payload"]["seq"]
                for client in self.connections
                for message in client.heard
                if message["action"] in ("table_events", "table_view")
                and message["payload"]["table"] == table
            ),
            default=0,
        )

    def new_scope(self) -> None:
        """Another table or round: request ids of the last one mean nothing here."""
        self._last_answered = None

    async def close(self) -> None:
        for client in self.connections:
            await client.close()


class Watcher(Survivor):
    """A spectator: it has no seat to resume, and watches anew."""

    async def _resume(self, client: Client) -> None:
        if self.following is not None:
            await client.ask("watch", table=self.following)

    async def follow(self, table: int) -> None:
        self.following = None
        await self.ask("watch", table=table)
        self.following = table


class Pair:
    """Two who play on until they are told to stop, and perhaps one who looks on."""

    def __init__(
        self, shore: Shore, rng: Random, first: Survivor, second: Survivor, watcher: Watcher | None
    ) -> None:
        self.people = [first, second] if watcher is None else [first, second, watcher]
        self.tables: list[int] = []
        self._shore = shore
        self._rng = rng
        self._first = first
        self._second = second
        self._watcher = watcher

    @classmethod
    def of(cls, shore: Shore, number: int, rng: Random) -> Self:
        kinds = (("ws", "tcp"), ("tcp", "tcp"), ("ws", "ws"))[number % 3]
        first, second = (
            Survivor(shore, f"{role}{number}", kind)
            for role, kind in zip(("anna", "bob"), kinds, strict=True)
        )
        watcher = Watcher(shore, f"carl{number}", kinds[0]) if number % 2 == 0 else None
        return cls(shore, Random(rng.random()), first, second, watcher)

    async def play_until(self, enough: asyncio.Event) -> None:
        while not enough.is_set():
            await self._play_table(enough)

    async def _play_table(self, enough: asyncio.Event) -> None:
        first, second = self._first, self._second
        table: int = (await first.ask("open_table", game="connect-four", options=LONG))["table"]
        self.tables.append(table)
        if self._watcher is not None:
            await self._watcher.follow(table)
        for person in (first, second):
            person.new_scope()
            answer = await person.ask("sit", table=table)
            person.following = table
        # The second is told what was drawn, and the first has the other seat.
        seats = [first, second] if answer["seat"] == 1 else [second, first]
        for round in range(ROUNDS):
            await self._play_round(table, seats, enough)
            if enough.is_set() or round == ROUNDS - 1:
                break
            # Ids belong to a round: sent again after the next has begun, one is decided anew.
            for person in seats:
                person.new_scope()
            await asyncio.gather(
                *(_perhaps(person.ask("rematch", table=table), "round_running") for person in seats)
            )
            seats.reverse()
            for person in seats:
                person.new_scope()
        for person in (first, second):
            person.following = None
            await person.ask("leave", table=table)

    async def _play_round(self, table: int, seats: list[Survivor], enough: asyncio.Event) -> None:
        for move in range(LONG_MOVES):
            mover, other = seats[move % 2], seats[1 - move % 2]
            if enough.is_set():
                await mover.ask("act", table=table, command={"type": "resign"})
                return
            drop = {"type": "drop", "column": column(move)}
            asks: list[Coroutine[Any, Any, Json | None]]
            asks = [mover.ask("act", copies=self._rng.choice((1, 1, 2)), table=table, command=drop)]
            if self._rng.random() < 0.2 and move < LONG_MOVES - 1:
                asks.append(mover.ask("offer_draw", table=table))
            if self._rng.random() < 0.2:
                # It leaves no trace, and is refused again after a crash.
                rash = other.ask("act", table=table, command={"type": "drop", "column": NO_COLUMN})
                asks.append(_perhaps(rash, "not_your_turn", "no_such_column", "round_over"))
            await asyncio.gather(*asks)


async def _perhaps(asking: Coroutine[Any, Any, Json], *codes: str) -> Json | None:
    """The answer, or None if it is refused for one of these reasons."""
    try:
        return await asking
    except Refused as refusal:
        if refusal.code not in codes:
            raise
        return None
