"""Questions of other nodes whose answers take a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

from gamehall.errors import HallError, Internal
from gamehall.hall.nodes.exchange import Answering, Body, Exchange

T = TypeVar("T")
log = structlog.get_logger(__name__)

Spawn = Callable[[Coroutine[Any, Any, None]], None]


def serve(
    exchange: Exchange,
    spawn: Spawn,
    kind: str,
    body: type[T],
    work: Callable[[str, T], Awaitable[Body]],
) -> None:
    """Answers every question of this kind with what `work(sender, body)` returns or raises."""
    exchange.answer(kind, body, later(spawn, kind, work))


def later(
    spawn: Spawn, kind: str, work: Callable[[str, T], Awaitable[Body]]
) -> Callable[[str, T, Answering], None]:
    """Replies with what the work returns or raises."""

    def handle(sender: str, asked: T, reply: Answering) -> None:
        async def answer() -> None:
            try:
                reply(await work(sender, asked))
            except HallError as error:
                reply(error)
            except Exception:
                log.exception("question_failed", kind=kind, sender=sender)
                reply(Internal())

        spawn(answer())

    return handle
