"""A client of the `caller` door that shares no code with the hall: a bare socket, and what the
door's description says. It fails at the first line that has another form."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

WAIT_SECONDS = 20.0
COLUMN = 15
Card = list[list[int]]
"""Five columns of five; a called number becomes 0."""


class Caller(asyncio.Protocol):
    """One connection. `lines` has all that came, and `card` and `numbers` what followed from it.

    With `plays` it does as existing clients do: marks every number with 0, and answers it with
    BINGO if five in a line are 0, and with READY if not.
    """

    def __init__(self, *, plays: bool = False) -> None:
        self.plays = plays
        self.lines: list[str] = []
        self.messages: list[str] = []
        self.dealt: list[Card] = []
        """Every card as it came."""
        self.card: Card | None = None
        self.numbers: list[int] = []
        """Those that came after the last card."""
        self.ended = False
        self.fault: BaseException | None = None
        self._rest = b""
        self._transport: asyncio.Transport
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    @classmethod
    async def connect(
        cls, port: int, *, plays: bool = False, address: str = "127.0.0.1", buffer_bytes: int = 0
    ) -> Caller:
        """`address`: whence it comes; `buffer_bytes`: what the kernel keeps for one who does not
        read."""
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((address, 0))
        if buffer_bytes:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", port))
        _, client = await loop.create_connection(lambda: cls(plays=plays), sock=sock)
        return client

    @classmethod
    async def join(cls, port: int, name: str, *, plays: bool = False, **how: Any) -> Caller:
        """Named and told how the round stands."""
        client = await cls.connect(port, plays=plays, **how)
        client.say(name)
        await client.message(f"Connected as {name}")
        await client.until(lambda: len(client.messages) > 1 or client.card is not None)
        return client

    # To the hall

    def say(self, line: str) -> None:
        self.write(line.encode() + b"\n")

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
            try:
                self._take(line.decode())
            except Exception as error:  # noqa: BLE001 (told to whoever waits)
                self.fault = error
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._look()

    def _take(self, line: str) -> None:
        self.lines.append(line)
        action, body = line.split("|")
        assert line.isprintable(), line
        if action == "MSG":
            assert body.strip(), line
            self.messages.append(body)
        elif action == "NEW_CARD":
            self.card, self.numbers = json.loads(body), []
            check_card(self.card)
            self.dealt.append(json.loads(body))
        elif action == "CHECK_NUMBER":
            self._mark(int(body))
        else:
            raise AssertionError(f"nobody knows this action: {line}")

    def _mark(self, number: int) -> None:
        assert self.card is not None, "a number came without a card"
        assert 1 <= number <= 75
        assert number not in self.numbers, "called twice"
        self.numbers.append(number)
        for column in self.card:
            column[:] = [0 if here == number else here for here in column]
        if self.plays:
            self.say("BINGO" if has_bingo(self.card) else "READY")

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
            raise AssertionError(f"it never came; the last lines: {self.lines[-8:]}") from None
        assert holds(), f"it has ended; the last lines: {self.lines[-8:]}"

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

    async def message(self, text: str, start: int = 0, seconds: float = WAIT_SECONDS) -> str:
        """The first message, of those from `start` on, that has this text in it."""

        def found() -> list[str]:
            return [message for message in self.messages[start:] if text in message]

        await self.until(lambda: bool(found()), seconds)
        return found()[0]

    async def answer(self, line: str) -> str:
        """The next message after this line."""
        before = len(self.messages)
        self.say(line)
        await self.until(lambda: len(self.messages) > before)
        return self.messages[before]

    async def new_card(self, before: int = 0) -> Card:
        """The card after so many."""
        await self.until(lambda: len(self.dealt) > before)
        return self.dealt[before]

    async def number(self, count: int) -> int:
        """The number that was called so many after the card."""
        await self.until(lambda: len(self.numbers) >= count)
        return self.numbers[count - 1]


def check_card(card: Any) -> None:
    assert isinstance(card, list)
    assert [len(column) for column in card] == [5] * 5
    for place, column in enumerate(card):
        first = place * COLUMN + 1
        numbers = [n for n in column if n != 0]
        assert all(type(n) is int for n in column)
        assert all(first <= n < first + COLUMN for n in numbers), card
        assert numbers == sorted(set(numbers)), card
        assert len(numbers) == (5 if place != 2 or card[2][2] != 0 else 4), card


def has_bingo(card: Card) -> bool:
    """Whether five in a column, a row or a diagonal are 0."""
    places = range(5)
    lines = [[card[x][y] for y in places] for x in places]
    lines += [[card[x][y] for x in places] for y in places]
    lines += [[card[n][n] for n in places], [card[n][4 - n] for n in places]]
    return any(line == [0] * 5 for line in lines)
