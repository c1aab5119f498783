"""What a node says and hears on its two connections to Redis, whichever those are at the time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec
import structlog

from gamehall.bus.redis_outbox import Outbox, Parcel

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 2.0
"""Redis answers within this time, or the connection is given up."""
ECHO_SECONDS = 1.25
"""After which a node that has told all nothing, itself among them, publishes to itself."""
SILENCE_SECONDS = 3.0
"""Without a message, not even one's own, the connection is given up."""
MESSAGE_BYTES_MAX = 16 * 2**20
"""Redis cuts off whoever has not yet taken 32 MB: larger ones would cut off all who get them."""
SENDERS_MAX = 10_000
"""Nodes that are known here; beyond that the first is forgotten."""


class _Letter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parcel on its way. Fields are only ever added behind the others, with defaults."""

    sender: str
    number: int
    messages: list[bytes]


class Traffic:
    def __init__(self, node: str, prefix: str, receive: Callable[[str, bytes], None]) -> None:
        self._node = node
        self._receive = receive
        self._all = f"{prefix}:all".encode()
        self._nodes = f"{prefix}:node:"
        self._own = self._channel(node)
        self._loop = asyncio.get_running_loop()
        self._outbox = Outbox()
        self._wanted = asyncio.Event()
        self._lost_told = 0
        self._echo_ids = count(1)
        self._echoes: dict[bytes, asyncio.Future[None]] = {}
        self._echoes_to_send: list[bytes] = []
        self._newest: dict[str, int] = {}
        self._was_garbled = False
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(_Letter)

    # What goes

    def post(self, to: str | None, message: bytes) -> None:
        """To one node, or to all others."""
        if len(message) > MESSAGE_BYTES_MAX:
            log.error("bus_message_too_large", size=len(message))
            return
        self._outbox.put(to, message, self._loop.time())
        self._wanted.set()

    async def publish(self, connection: Any) -> None:
        """Sends what is posted until the connection fails; what it then had is lost."""
        echo_at = self._loop.time()
        self.drop_old()
        lost, is_losing = self._outbox.lost, False
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(echo_at):
                    await self._wanted.wait()
            self._wanted.clear()
            now = self._loop.time()
            if now >= echo_at:
                echo_at = now + ECHO_SECONDS
                self._echoes_to_send.append(b"")
            parcels = self._outbox.take(now)
            if any(parcel.to is None for parcel in parcels):
                echo_at = now + ECHO_SECONDS
            commands = self._commands(parcels)
            if self._outbox.lost > lost and not is_losing:
                log.warning("bus_overloaded")
            # Said once, until all goes.
            is_losing = self._outbox.lost > lost or (is_losing and bool(self._outbox))
            lost = self._outbox.lost
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.send_packed_command(connection.pack_commands(commands))
                for _ in commands:
                    await connection.read_response()

    async def sent(self) -> None:
        """Returns when what was posted has gone. Raises TimeoutError if it does not go on."""
        while self._outbox:
            await self.echo()
        await self.echo()

    def drop_old(self) -> None:
        self._outbox.drop_old(self._loop.time())

    def lost(self) -> int:
        """How many messages were not sent since this was asked last."""
        lost = self._outbox.lost - self._lost_told
        self._lost_told = self._outbox.lost
        return lost

    def _commands(self, parcels: list[Parcel]) -> list[tuple[str, bytes, bytes]]:
        commands = [
            self._publication(self._channel(parcel.to), parcel.number, parcel.messages)
            for parcel in parcels
        ]
        if self._echoes_to_send:
            commands.append(self._publication(self._own, 0, self._echoes_to_send))
            self._echoes_to_send = []
        if self._outbox:
            self._wanted.set()
        return commands

    def _publication(
        self, channel: bytes, number: int, messages: list[bytes]
    ) -> tuple[str, bytes, bytes]:
        return "PUBLISH", channel, self._encoder.encode(_Letter(self._node, number, messages))

    def _channel(self, node: str | None) -> bytes:
        return self._all if node is None else (self._nodes + node).encode()

    # What comes

    async def subscribe(self, connection: Any) -> None:
        async with asyncio.timeout(ANSWER_SECONDS):
            await connection.send_command("SUBSCRIBE", self._own, self._all)
            for _ in range(2):
                await connection.read_response()

    async def listen(self, connection: Any) -> None:
        """Delivers what comes until the connection fails."""
        while True:
            said = await connection.read_response(timeout=SILENCE_SECONDS)
            if said is None:
                raise TimeoutError
            _, channel, data = said
            self._deliver(channel, data)

    def _deliver(self, channel: bytes, data: bytes) -> None:
        try:
            letter = self._decoder.decode(data)
        except msgspec.MsgspecError:
            if not self._was_garbled:
                self._was_garbled = True
                log.warning("bus_message_not_ours", channel=channel.decode())
            return
        if letter.sender == self._node:
            if channel == self._own:
                self._hear(letter.messages)
            return
        # An old connection of the sender may still be read when a new one is already in use.
        if letter.number <= self._newest.get(letter.sender, 0):
            return
        self._newest[letter.sender] = letter.number
        if len(self._newest) > SENDERS_MAX:
            del self._newest[next(iter(self._newest))]
        for message in letter.messages:
            try:
                self._receive(letter.sender, message)
            except Exception:
                log.exception("bus_listener_failed", sender=letter.sender)

    # What goes to Redis and comes back

    async def echo(self) -> None:
        """Returns when a message to oneself has come back. Raises TimeoutError."""
        id = b"%d" % next(self._echo_ids)
        heard = self._echoes[id] = self._loop.create_future()
        self._echoes_to_send.append(id)
        self._wanted.set()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await heard
        finally:
            del self._echoes[id]

    def give_up_echoes(self) -> None:
        """Those that are waited for do not come: a connection is gone."""
        for heard in self._echoes.values():
            if not heard.done():
                heard.set_exception(TimeoutError())

    def _hear(self, ids: list[bytes]) -> None:
        for id in ids:
            heard = self._echoes.get(id)
            if heard is not None and not heard.done():
                heard.set_result(None)
