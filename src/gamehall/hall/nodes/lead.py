"""The lead: the one node that decides what must be decided once for the whole hall.

Every other node asks it; the lead, and a hall of one process, asks itself by the same call. It
looks at its lease before it decides, so that two nodes never decide at once: `Nodes.decides`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from gamehall.errors import HallError, Unavailable
from gamehall.faults import as_refusal
from gamehall.hall.nodes.awaited import Awaited
from gamehall.hall.nodes.exchange import Answering, Body, Exchange
from gamehall.hall.nodes.nodes import Nodes

T = TypeVar("T")
W = TypeVar("W", bound=Body)

BEYOND_SECONDS = 2.0
"""How long the lead is waited for, beyond the lease that a new one waits for itself."""
AGAIN_SECONDS = 0.1
"""The pause before it is asked again."""


class Lead:
    def __init__(self, exchange: Exchange, nodes: Nodes, tell_presence: Callable[[], None]) -> None:
        """`tell_presence` tells the other nodes of people whom they may not know yet."""
        self._exchange = exchange
        self._nodes = nodes
        self.tell_presence = tell_presence
        self._decide: dict[str, Callable[[str, Any, Answering], None]] = {}

    def serve(self, kind: str, wish: type[W], decide: Callable[[str, W, Answering], None]) -> None:
        """While this node leads, `decide(node, wish, reply)` answers wishes of this kind."""

        def checked(node: str, asked: W, reply: Answering) -> None:
            if not self._nodes.decides:
                raise Unavailable
            decide(node, asked, reply)

        def later(node: str, asked: W, reply: Answering) -> None:
            if isinstance(reply, Awaited) and reply.given_up:
                return  # Nobody here would do what follows from it.
            try:
                checked(node, asked, reply)
            except Exception as error:  # noqa: BLE001 (as_refusal logs it)
                reply(as_refusal(error, "wish_failed", kind=kind))

        def answer(node: str, asked: W, reply: Answering) -> None:
            if self._nodes.leads and self._nodes.settling_seconds:
                # A node that has just come decides when the others know it.
                loop, seconds = asyncio.get_running_loop(), self._nodes.settling_seconds
                loop.call_later(seconds, later, node, asked, reply)
            else:
                checked(node, asked, reply)

        self._decide[kind] = answer
        self._exchange.answer(kind, wish, answer)

    async def ask(self, kind: str, wish: Body, answer: type[T], seconds: float | None = None) -> T:
        """What the lead decides, in `seconds`. Raises what it raised, or Unavailable."""
        self.tell_presence()
        lead = self._nodes.lead
        if lead != self._nodes.name:
            if seconds is None:
                seconds = self._nodes.lease_seconds + BEYOND_SECONDS
            return await self._exchange.question(lead, kind, wish, answer, seconds)
        said = Awaited[Any]()
        self._decide[kind](lead, wish, said)
        decided: T = await said
        return decided

    async def insist(
        self,
        kind: str,
        wish: Body,
        answer: type[T],
        seconds: float,
        each_seconds: float | None = None,
    ) -> T:
        """As `ask`, where it does no harm if the lead decides it twice: until this time has passed,
        Unavailable is not taken for an answer. `each_seconds`: how long one is waited for."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            try:
                return await self.ask(kind, wish, answer, each_seconds)
            except Unavailable:
                if self._nodes.alone or loop.time() > until:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)

    def tell(self, kind: str, wish: Body, answer: type[Body]) -> None:
        """As `ask`, where nobody waits for what comes of it."""
        self.tell_presence()
        lead = self._nodes.lead
        if lead != self._nodes.name:
            seconds = self._nodes.lease_seconds + BEYOND_SECONDS
            self._exchange.ask(lead, kind, wish, answer, _unheard, seconds)
        elif self._nodes.decides:  # Otherwise there is nobody to decide it.
            with suppress(HallError):
                self._decide[kind](lead, wish, _unheard)


def _unheard(_: object) -> None:
    pass
