"""A client of the `four` door that shares no code with the hall: a bare socket, JSON, and what the
door's description says. It fails at the first message that has another form."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from tests.doors.four.shapes import check_message

WAIT_SECONDS = 20.0
Json = dict[str, Any]
NOTHING: Any = object()
"""No `data` at all, which is less than null."""


class Four(asyncio.Protocol):
    """One connection. `messages` has all that came; `take` goes through them one by one, so that
    a test says of each what it is."""

    def __init__(self) -> None:
        self.name = ""
        self.id = ""
        self.messages: list[Json] = []
        self.lines: list[bytes] = []
        self.ended = False
        self.fault: BaseException | None = None
        self._taken = 0
        self._rest = b""
        self._transport: asyncio.Transport
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    @classmethod
    async def connect(cls, port: int, *, address: str = "127.0.0.1", buffer_bytes: int = 0) -> Four:
        """`address`: whence it comes; `buffer_bytes`: what the kernel keeps for one who does not
        read."""
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((address, 0))
        if buffer_bytes:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", port))
        _, client = await loop.create_connection(cls, sock=sock)
        return client

    async def register(self, name: str) -> Four:
        self.send("REGISTER", {"name": name})
        self.name = name
        self.id = (await self.take("REGISTER_OK"))["player_id"]
        return self

    @property
    def number(self) -> int:
        """As other doors know this player."""
        return int(self.id.removeprefix("player_"))

    # To the hall

    def send(self, type: Any, data: Any = None) -> None:
        message = {"type": type} if data is NOTHING else {"type": type, "data": data}
        self.write(json.dumps(message).encode() + b"\n")

    def challenge(self, opponent: Four | str) -> None:
        id = opponent if isinstance(opponent, str) else opponent.id
        self.send("CHALLENGE", {"opponent_id": id})

    def accept(self, challenger: Four | str) -> None:
        id = challenger if isinstance(challenger, str) else challenger.id
        self.send("CHALLENGE_ACCEPTED", {"challenger_id": id})

    def refuse(self, challenger: Four | str) -> None:
        id = challenger if isinstance(challenger, str) else challenger.id
        self.send("CHALLENGE_REFUSED", {"challenger_id": id})

    def play(self, column: int) -> None:
        self.send("PLAY_MOVE", {"column": column})

    def write(self, data: bytes) -> None:
        """Bytes as they are."""
        self._transport.write(data)

    def stop_reading(self) -> None:
        self._transport.pause_reading()

    def read_on(self) -> None:
        self._transport.resume_reading()

    def shut(self) -> None:
        """Sends no more, but reads."""
        self._transport.write_eof()

    async def close(self) -> None:
        """In the order of things: what was sent before arrives."""
        self._transport.close()
        await self.end()

    async def reset(self) -> None:
        """As a client that is killed."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()
        await self.end()

    # From the hall

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.lines.append(line)
            try:
                message = json.loads(line)
                check_message(message)
                self.messages.append(message)
            except Exception as error:  # noqa: BLE001 (told to whoever waits)
                error.add_note(f"in {line!r}")
                self.fault = error
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        if self._rest and exc is None:
            self.fault = AssertionError(f"half a line at the end: {self._rest!r}")
        self._look()

    # Waiting

    async def until(self, holds: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
        """Returns when it holds, which is asked whenever something has come."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((lambda: holds() or self.ended, waiting))
        self._look()
        try:
            async with asyncio.timeout(seconds):
                await waiting
        except TimeoutError:
            raise AssertionError(f"it never came; the last: {self.messages[-6:]}") from None
        assert holds(), f"it has ended; the last: {self.messages[-6:]}"

    def _look(self) -> None:
        for entry in list(self._waiting):
            holds, waiting = entry
            if self.fault is not None or holds():
                self._waiting.remove(entry)
                with suppress(asyncio.InvalidStateError):
                    if self.fault is not None:
                        waiting.set_exception(self.fault)
                    else:
                        waiting.set_result(None)

    async def end(self) -> None:
        """Returns when the connection has ended."""
        await self.until(lambda: self.ended)

    @property
    def left_over(self) -> list[Json]:
        """What nobody has taken yet."""
        return self.messages[self._taken :]

    def skip_to_last(self) -> None:
        """All but the last message of those that have come are as good as taken."""
        self._taken = len(self.messages) - 1

    async def next(self) -> Json:
        """The next message, whatever it is."""
        await self.until(lambda: len(self.messages) > self._taken)
        self._taken += 1
        return self.messages[self._taken - 1]

    async def take(self, type: str, **fields: Any) -> Json:
        """The data of the next message, which is of this type and has these fields."""
        message = await self.next()
        assert message["type"] == type, f"{message} in place of {type}"
        data: Json = message["data"]
        assert {name: data[name] for name in fields} == fields, message
        return data

    async def error(self) -> str:
        """What the next message says, which is an error."""
        message: str = (await self.take("ERROR"))["message"]
        return message

    async def refused(self) -> str:
        """What the next message says, which is the refusal of a challenge."""
        message: str = (await self.take("CHALLENGE_REFUSED"))["message"]
        return message

    async def players(self) -> list[Json]:
        """Who is free. Nothing else was said in between."""
        self.send("LIST_PLAYERS")
        players: list[Json] = (await self.take("LIST_PLAYERS"))["players"]
        return players

    async def ids(self) -> list[str]:
        return [player["id"] for player in await self.players()]

    async def quiet(self) -> None:
        """Nothing is left to be said to this player, and it is still answered."""
        await self.players()

    async def leave(self) -> None:
        self.send("DISCONNECT")
        await self.end()
