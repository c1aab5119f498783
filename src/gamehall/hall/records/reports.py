"""What players report of others, kept for the operator: the last ten thousand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec
from msgspec.structs import replace

from gamehall.errors import BadRequest, NoSuchPlayer, NoSuchTable, RateLimited, Unavailable
from gamehall.hall.nodes.clock import Clock
from gamehall.hall.people.audience import Audiences
from gamehall.store.facts import ATTEMPTS_MAX, every_fact
from gamehall.store.people import Player
from gamehall.store.store import Store

KEPT_MAX = 10_000
REPORTS_MAX, WINDOW_MS = 10, 3_600_000
"""Reports that a player may send to one node in a time."""
REPORTERS_MAX = 10_000
"""Players whose last reports are remembered for that."""
PAGE = 200
PREFIX = "report:"


class Named(msgspec.Struct, frozen=True):
    id: int
    name: str


class ChatLine(msgspec.Struct, frozen=True):
    player: int
    name: str
    text: str


class Report(msgspec.Struct, frozen=True):
    id: int
    """Counted from 1."""
    at_ms: int
    reporter: Named
    reported: Named
    table: int | None
    text: str
    chat: tuple[ChatLine, ...]
    """What was said there last."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Report).decode


class Reports:
    """A ring of facts: a new report takes the place of the one that was KEPT_MAX before it."""

    def __init__(self, store: Store, audiences: Audiences, clock: Clock) -> None:
        self._store = store
        self._audiences = audiences
        self._clock = clock
        self._writing = asyncio.Lock()
        self._last: int | None = None
        """The id of the last report; None until it is looked up."""
        self._sent_ms: OrderedDict[int, list[int]] = OrderedDict()

    async def take(self, reporter: Player, reported: int, table: int | None, text: str) -> int:
        """The id of a report that is durable.

        Raises:
            BadRequest: one reports oneself.
            NoSuchPlayer, NoSuchTable, RateLimited
        """
        if reporter.id == reported:
            raise BadRequest("You cannot report yourself.")
        self._check_rate(reporter.id)
        player = await self._store.player(reported)
        if player is None:
            raise NoSuchPlayer
        if table is not None and await self._store.table(table) is None:
            raise NoSuchTable
        said = () if table is None else self._audiences.last_said(table)
        chat = tuple(ChatLine(line.player, line.name, line.text) for line in said)
        who, whom = Named(reporter.id, reporter.name), Named(player.id, player.name)
        async with self._writing:
            # Those that were sent at the same time count too.
            self._check_rate(reporter.id)
            at_ms = self._clock.now_ms()
            id = await self._write(Report(0, at_ms, who, whom, table, text, chat))
            self._sent_ms.setdefault(reporter.id, []).append(at_ms)
        return id

    async def page(self, before: int | None, limit: int) -> list[Report]:
        """The reports with lower ids than `before`, the newest first."""
        async with self._writing:
            last = await self._find_last()
        top = last if before is None else min(last, before - 1)
        bottom = max(0, last - KEPT_MAX, top - limit)
        found = [await self._store.fact(_key(id)) for id in range(top, bottom, -1)]
        reports = [_decode(value) for value in found if value is not None]
        # One whose place was taken meanwhile is a newer one.
        return [report for report in reports if report.id <= top]

    def _check_rate(self, player: int) -> None:
        sent_ms = self._sent_ms.pop(player, [])
        since_ms = self._clock.now_ms() - WINDOW_MS
        recent = [at_ms for at_ms in sent_ms if at_ms > since_ms]
        self._sent_ms[player] = recent
        if len(self._sent_ms) > REPORTERS_MAX:
            self._sent_ms.popitem(last=False)
        if len(recent) >= REPORTS_MAX:
            raise RateLimited("You have sent many reports. Try again in an hour.")

    async def _find_last(self) -> int:
        if self._last is None:
            found = every_fact(self._store, PREFIX, page=PAGE)
            self._last = max([0, *[_decode(fact.value).id async for fact in found]])
        # Other nodes write too.
        while (await self._at(self._last + 1))[0] == self._last + 1:
            self._last += 1
        return self._last

    async def _at(self, id: int) -> tuple[int, bytes | None]:
        """The id of the report whose place it is, and that report."""
        there = await self._store.fact(_key(id))
        return (0 if there is None else _decode(there).id), there

    async def _write(self, report: Report) -> int:
        """The id under which it is kept."""
        for _ in range(ATTEMPTS_MAX):
            id = await self._find_last() + 1
            at, before = await self._at(id)
            value = _encode(replace(report, id=id))
            # Else another node was faster.
            if at < id and await self._store.put_fact(_key(id), value, before):
                return id
        raise Unavailable


def _key(id: int) -> str:
    return f"{PREFIX}{id % KEPT_MAX:04d}"
