"""Clients of the Sic Bo doors `rfc` and `mario` that share no code with the hall.

All they know is the doors' description. Each writes down every message that comes, and fails at
the first that has a wrong shape, comes out of order, or says what cannot be.
"""

from __future__ import annotations

from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.system.e2e.clients import Json, Refused
from tests.system.e2e.sicbo_connection import SicBoClient
from tests.system.e2e.sicbo_rounds import Book

ZONE, PLUGIN = "SicboZone", "sicboPlugin"


class RfcClient(SicBoClient):
    """JSON objects. Who does not log in is a guest."""

    door = "rfc"

    def wrapped(self, message: Json) -> Json:
        return message

    def _take(self, data: Any) -> None:
        assert isinstance(data, dict), data
        self._take_message(data)

    async def login(self, name: str, password: str) -> None:
        told = (await self.ask("login", {"username": name, "password": password}))["payload"]
        assert told["username"] == name, told

    async def subscribe(self) -> None:
        """Returns when the round is known."""
        self.follower.subscribe()
        await self.send({"action": "subscribe_rounds"})
        await self.until(lambda: self.follower.rounds != {})


class MarioClient(SicBoClient):
    """JSON arrays, and objects, as existing clients mix them."""

    door = "mario"

    def __init__(self, connection: ClientConnection, book: Book | None, seed: int) -> None:
        self.arrays: dict[int, list[list[Any]]] = {head: [] for head in (1, 2, 3, 4, 6)}
        self.room = 0
        super().__init__(connection, book, seed)

    def wrapped(self, message: Json) -> Any:
        ways = [[6, ZONE, PLUGIN, message], message]
        if self.room:
            ways.append([5, ZONE, self.room, message])
        return self.rng.choice(ways)

    def _take(self, data: Any) -> None:
        if isinstance(data, dict):
            # The one thing that an object is answered with an object.
            assert set(data) == {"action", "requestId"}, data
            assert data["action"] == "pong", data
            self._take_message(data)
            return
        assert isinstance(data, list), data
        head, *rest = data
        assert type(head) is int, data
        if head == 5:
            (message,) = rest
            self._take_message(message)
            return
        self.arrays[head].append(rest)
        kinds = {1: "bisss", 2: "bi", 3: "biis", 4: "biii", 6: "ii"}[head]
        types = {"b": bool, "i": int, "s": str}
        assert [type(value) for value in rest] == [types[kind] for kind in kinds], data
        success = rest[0] is True
        if head in (1, 3) and success:
            self.follower.subscribe()
        elif head in (2, 4) and success:
            self.follower.unsubscribe()
        if head in (1, 3, 4):
            assert success == (rest[1] == 0), data

    async def request(self, *array: Any) -> list[Any]:
        """The response to a request that has one of its own."""
        head = 6 if array[0] == 7 else array[0]
        before = len(self.arrays[head])
        await self.send(list(array))
        await self.until(lambda: len(self.arrays[head]) > before)
        return self.arrays[head][before]

    async def login(self, name: str, password: str) -> None:
        """Returns when the round is known. Raises Refused."""
        params = self.rng.choice([{}, {"action": "login"}])
        success, code, user, zone, said = await self.request(1, ZONE, name, password, params)
        assert (user, zone) == (name, ZONE)
        if not success:
            raise Refused(str(code), said)
        await self.until(lambda: self.follower.rounds != {})
        self.room = await self.table()
