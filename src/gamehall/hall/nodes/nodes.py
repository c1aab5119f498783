"""Which nodes there are: each renews a lease in the store, whose clock alone judges it.

A node that could not renew its lease in time owns nothing any more, and knows it first: it counts
from before it asked for the renewal, by a clock that nobody sets and that runs on while it sleeps.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

import structlog

from gamehall.errors import Unavailable
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.nodes.exchange import Body, Exchange
from gamehall.store.store import Store

log = structlog.get_logger(__name__)

RENEWALS = 3
"""How often a lease is renewed in its time."""
CLOCK_MS = 10
"""How far this node's clock may be off the store's, beside what cannot be known of it."""
LEFT_MAX = 100
"""Nodes that have left and are remembered: far more than leave within a lease."""


class _Leaving(Body, frozen=True):
    pass


@dataclass(eq=False, repr=False)
class Nodes:
    """Of a hall that is one process: this node, for ever."""

    _store: Store
    _exchange: Exchange
    _clock: Clock
    lease_seconds: float
    _: KW_ONLY
    on_gone: Callable[[str], None]
    """Called with the name of each node that is not live any more."""
    on_lapsed: Callable[[], None]
    """Called when this node's own lease has run out: it owns nothing any more."""

    def __post_init__(self) -> None:
        self.name = self._exchange.node
        self.alone = self._exchange.alone
        self.live: tuple[str, ...] = (self.name,)
        """By name."""
        self._lease_until = 0.0
        self.lapses = 0
        """Grows whenever the lease was found to have run out."""
        self._settled_at = 0.0
        """From when on every other node with a lease knows of this one."""
        self._left = deque[str](maxlen=LEFT_MAX)
        """Nodes that said they leave: they may still be listed, or named as owners, by what was
        asked before. No other ever has the name of one."""
        self._alarm: asyncio.TimerHandle | None = None
        self._exchange.on("leaving", _Leaving, lambda node, _: self._leaving(node))

    @property
    def holds(self) -> bool:
        """Whether this node may own tables."""
        return self.alone or self._clock.seconds() < self._lease_until

    @property
    def seconds_left(self) -> float:
        """Of the lease."""
        return max(0.0, self._lease_until - self._clock.seconds())

    @property
    def leads(self) -> bool:
        """Whether this node does what one has to do for all. For a moment two may think so."""
        return self.live[:1] == (self.name,)

    @property
    def lead(self) -> str:
        """The node that leads, as far as is known here."""
        return self.live[0] if self.live else self.name

    @property
    def decides(self) -> bool:
        """Whether this node leads beyond doubt: two nodes never think so at once."""
        return self.alone or (self.leads and self.holds and not self.settling_seconds)

    @property
    def settling_seconds(self) -> float:
        """How long it takes until every other node with a lease knows of this one."""
        return max(0.0, self._settled_at - self._clock.seconds())

    @property
    def place(self) -> tuple[int, int]:
        """This node's share of work that is divided, and how many shares there are."""
        return (self.live.index(self.name) if self.name in self.live else 0), len(self.live)

    def has_left(self, node: str) -> bool:
        """Whether it said so: it answers nothing any more."""
        return node in self._left

    async def join(self) -> None:
        """Returns when this node has a lease."""
        while not self.holds:
            try:
                await self._renew()
            except Unavailable:
                log.warning("waiting_for_lease")
                await asyncio.sleep(self.lease_seconds / RENEWALS)

    async def run(self) -> None:
        """Renews the lease for as long as the hall runs."""
        while not self.alone:
            await asyncio.sleep(self.lease_seconds / RENEWALS)
            try:
                async with asyncio.timeout(self.lease_seconds):
                    await self._renew()
            except (Unavailable, TimeoutError):
                log.warning("lease_not_renewed", seconds_left=round(self.seconds_left, 3))
            except Exception:
                # Whatever it was, a node without a lease would be worse.
                log.exception("renewal_failed", seconds_left=round(self.seconds_left, 3))

    async def leave(self) -> None:
        """A planned stop: others may take over what this node owned. Raises Unavailable."""
        if self.alone or self._lease_until == 0.0:
            return
        self._lease_until = 0.0
        if self._alarm is not None:
            self._alarm.cancel()
        await self._store.retire(self.name)
        self._exchange.tell_all("leaving", _Leaving())

    async def _renew(self) -> None:
        asked_at, asked_ms = self._clock.seconds(), self._clock.now_ms()
        renewed = await self._store.renew(self.name, int(self.lease_seconds * 1000))
        took_ms = int((self._clock.seconds() - asked_at) * 1000)
        if not self.holds and set(renewed.live) - {self.name}:
            # The others hear of this node when they renew their leases, or lose them.
            self._settled_at = self._clock.seconds() + self.lease_seconds
        if self.holds or self._lease_until == 0.0:
            self._lease_until = asked_at + self.lease_seconds
        else:
            # It was out for a while, and others may own what was ours.
            self.lapse()
            self._lease_until = asked_at + self.lease_seconds
        self._watch_lease()
        behind_ms = renewed.now_ms - (asked_ms + took_ms // 2)
        if abs(behind_ms) > took_ms // 2 + CLOCK_MS:
            self._clock.correct(behind_ms)
        self._set_live(tuple(name for name in renewed.live if name not in self._left))

    def _watch_lease(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        left = self._lease_until - self._clock.seconds()
        self._alarm = asyncio.get_running_loop().call_later(max(0.0, left), self.lapse)

    def lapse(self) -> None:
        """Gives up all that this node owns, if its lease has run out."""
        if not self.holds:
            self.lapses += 1
            self.on_lapsed()

    def _set_live(self, now: tuple[str, ...]) -> None:
        before, self.live = self.live, now
        for name in before:
            if name not in now and name != self.name:
                log.info("node_gone", node=name)
                self._exchange.node_gone(name)
                self.on_gone(name)

    def _leaving(self, node: str) -> None:
        self._left.append(node)
        if node in self.live:
            self._set_live(tuple(name for name in self.live if name != node))
