"""Typed messages between nodes, and questions with a deadline, over a bus that may lose anything.

A message names its kind. A node of another release may send kinds or fields that are unknown here:
they are skipped. Fields are only ever added behind the others, with defaults.

It is JSON, as the rows of tables are: the numbers of commands and events may be of any size.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from itertools import count
from typing import Any, TypeVar

import msgspec
import structlog

from gamehall.bus.bus import Bus
from gamehall.errors import HallError, Refused, Unavailable
from gamehall.faults import as_refusal
from gamehall.hall.nodes.awaited import Awaited

T = TypeVar("T")
log = structlog.get_logger(__name__)

ASKED_MAX = 100_000
"""Questions that may wait for their answers; more are answered `unavailable`."""


class Body(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """What a message says; subclasses add their fields."""


class _Message(msgspec.Struct, frozen=True, array_like=True):
    kind: str
    body: msgspec.Raw
    call: int = 0
    """Names a question that waits for its answer."""


class _Answer(Body, frozen=True):
    call: int
    body: msgspec.Raw
    code: str = ""
    """Of an error; then the body says nothing."""
    text: str = ""


Answering = Callable[[msgspec.Struct | HallError], None]
"""Called once, with the answer."""
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class _Asked(msgspec.Struct, frozen=True, gc=False):
    node: str
    kind: Any
    reply: Callable[[Any], None]
    alarm: asyncio.TimerHandle


class Exchange:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.node = bus.node
        self.alone = bus.alone
        self._handlers: dict[str, Callable[[str, _Message], None]] = {}
        self._asked: dict[int, _Asked] = {}
        self._calls = count(1)
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(_Message)
        self.on("answer", _Answer, self._answered)

    @property
    def is_up(self) -> bool:
        """Whether other nodes can be reached, as far as is known."""
        return self._bus.is_up

    # What this node does with messages

    def on(self, kind: str, body: type[T], handle: Callable[[str, T], None]) -> None:
        """Calls `handle(sender, body)` for every message of this kind."""
        decoder = msgspec.json.Decoder(body)

        def received(sender: str, message: _Message) -> None:
            handle(sender, decoder.decode(message.body))

        self._handlers[kind] = received

    def answer(self, kind: str, body: type[T], handle: Callable[[str, T, Answering], None]) -> None:
        """Calls `handle(sender, body, reply)` for every question of this kind."""
        decoder = msgspec.json.Decoder(body)

        def received(sender: str, message: _Message) -> None:
            def reply(answer: msgspec.Struct | HallError) -> None:
                said: tuple[object, ...] = (message.call, answer)
                if isinstance(answer, HallError):
                    said = (message.call, None, answer.code, str(answer))
                self._bus.send(sender, self._encoded("answer", said))

            try:
                handle(sender, decoder.decode(message.body), reply)
            except Exception as error:  # noqa: BLE001 (as_refusal logs it)
                reply(as_refusal(error, "question_failed", kind=kind, sender=sender))

        self._handlers[kind] = received

    def received(self, sender: str, message: bytes) -> None:
        """The bus has brought this."""
        try:
            decoded = self._decoder.decode(message)
            handle = self._handlers.get(decoded.kind)
            if handle is not None:
                handle(sender, decoded)
        except Exception:
            # Of another release, or our own fault: no message is to stop those that follow.
            log.exception("message_failed", sender=sender)

    # What this node says

    def tell(self, node: str, kind: str, body: Body) -> None:
        self._bus.send(node, self._encoded(kind, body))

    def tell_each(self, nodes: Iterable[str], kind: str, body: Body) -> None:
        """Encoded once for all of them."""
        message = self._encoded(kind, body)
        for node in nodes:
            self._bus.send(node, message)

    def tell_all(self, kind: str, body: Body) -> None:
        self._bus.tell_all(self._encoded(kind, body))

    def ask(
        self,
        node: str,
        kind: str,
        body: Body,
        answer: type[T],
        reply: Callable[[T | HallError], None],
        seconds: float,
    ) -> None:
        """`reply` is called once: with the answer, an error of that node, or Unavailable if there
        is none in time, or the bus is away. Then it may have been done or not."""
        if not self.is_up or len(self._asked) >= ASKED_MAX:
            reply(Unavailable())
            return
        call = next(self._calls)
        loop = asyncio.get_running_loop()
        alarm = loop.call_later(seconds, self._give_up, call)
        self._asked[call] = _Asked(node, answer, reply, alarm)
        self._bus.send(node, self._encoded(kind, body, call))

    async def question(
        self, node: str, kind: str, body: Body, answer: type[T], seconds: float
    ) -> T:
        """The answer. Raises what that node raised, or Unavailable."""
        said = Awaited[T]()
        self.ask(node, kind, body, answer, said, seconds)
        return await said

    def node_gone(self, node: str) -> None:
        """Gives up every question to this node."""
        for call in [call for call, asked in self._asked.items() if asked.node == node]:
            self._give_up(call)

    def _encoded(self, kind: str, body: object, call: int = 0) -> bytes:
        """A `_Message`, in one go with its body."""
        return self._encoder.encode((kind, body, call))

    def _answered(self, sender: str, answer: _Answer) -> None:
        asked = self._asked.get(answer.call)
        if asked is None or asked.node != sender:
            return  # Too late: it was given up.
        if answer.code:
            said = error_of(answer.code, answer.text)
        else:
            # If it cannot be read, there is none: the question is given up in time.
            said = msgspec.json.decode(answer.body, type=asked.kind)
        del self._asked[answer.call]
        asked.alarm.cancel()
        asked.reply(said)

    def _give_up(self, call: int) -> None:
        asked = self._asked.pop(call, None)
        if asked is not None:
            asked.alarm.cancel()
            asked.reply(Unavailable())


def serve(
    exchange: Exchange,
    spawn: Spawn,
    kind: str,
    body: type[T],
    work: Callable[[str, T], Awaitable[Body]],
) -> None:
    """Answers every question of this kind with what `work(sender, body)` returns or raises, however
    long that takes."""
    exchange.answer(kind, body, later(spawn, kind, work))


def later(
    spawn: Spawn, kind: str, work: Callable[[str, T], Awaitable[Body]]
) -> Callable[[str, T, Answering], None]:
    """Replies with what the work returns or raises."""

    def handle(sender: str, asked: T, reply: Answering) -> None:
        async def answer() -> None:
            try:
                reply(await work(sender, asked))
            except Exception as error:  # noqa: BLE001 (as_refusal logs it)
                reply(as_refusal(error, "question_failed", kind=kind, sender=sender))

        spawn(answer())

    return handle


def error_of(code: str, text: str) -> HallError:
    """The error that another node has raised."""
    classes: list[type[HallError]] = [HallError]
    while classes:
        error = classes.pop()
        if getattr(error, "code", None) == code:
            return error(text)
        classes += error.__subclasses__()
    return Refused(text)  # Of a newer release.
