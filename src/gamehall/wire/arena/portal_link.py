"""This hall as a game server: a game of it, registered at a portal for as long as the hall runs.

A portal never says that it has heard of a start or a result. So after every registration it is
told again of all matches that run or ended lately, and has to count each once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable

import msgspec
import structlog

from gamehall.games.game import Game
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.hall.arena.as_server.book import Match
from gamehall.hall.arena.as_server.matches import Matches
from gamehall.limits import Limits
from gamehall.wire.arena.codec import (
    Accepted,
    AskStatus,
    Create,
    Packet,
    Rejected,
    Result,
    Started,
)
from gamehall.wire.arena.dialect import answer_status
from gamehall.wire.arena.wires import LOST, Wire, open_wire
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import as_refusal

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 30.0
"""How long a portal has to answer a registration."""
PAUSE_SECONDS, PAUSE_SECONDS_MAX = 1.0, 30.0
"""The first pause before the link is opened again, and the longest, both at most."""
LOOK_SECONDS = 0.5
"""How often a node looks whether it is the one that has the link."""


class Pauses:
    """How long to wait before the link is opened again: each time longer, up to a bound."""

    def __init__(self) -> None:
        self._longest_seconds = PAUSE_SECONDS

    def next_seconds(self) -> float:
        longest_seconds = self._longest_seconds
        self._longest_seconds = min(2 * longest_seconds, PAUSE_SECONDS_MAX)
        # Not all game servers of a portal that was away come back in the same moment.
        return random.uniform(longest_seconds / 2, longest_seconds)

    def reset(self) -> None:
        self._longest_seconds = PAUSE_SECONDS


class _Ended(Exception):
    """The link is of no use any more."""


class PortalLink:
    """One game's link to the portal, opened again whenever it breaks. Of many nodes one has it."""

    def __init__(self, matches: Matches, portal: str, offer: Offer, limits: Limits) -> None:
        """`offer` without an address: its players come to where the link comes from."""
        self._matches = matches
        self._portal = portal
        self._offer = offer
        self._limits = limits
        self._registered = False
        self._pauses = Pauses()
        self._owed: dict[tuple[int, bool], Packet] = {}
        """What is to be told: for each match, at most its start and its result."""
        self._owes = asyncio.Event()
        matches.listen(self._changed)

    async def run(self) -> None:
        while True:
            await self._until(leads=True)
            try:
                wire = await open_wire(self._portal, self._limits)
                try:
                    await self._serve(wire)
                finally:
                    self._registered = False
                    await wire.close()
            except (*LOST, _Ended) as error:
                reason = str(error) if isinstance(error, _Ended) else type(error).__name__
                log.warning("portal_lost", game=self._offer.name, reason=reason)
            except Exception:
                log.exception("portal_link_failed", game=self._offer.name)
            await asyncio.sleep(self._pauses.next_seconds())

    async def _serve(self, wire: Wire) -> None:
        """Raises _Ended, or one of LOST."""
        address = self._offer.address or wire.local_address
        await wire.send(msgspec.structs.replace(self._offer, address=address))
        works = (self._listen(wire), self._tell(wire), self._until(leads=False))
        tasks = [asyncio.create_task(work) for work in works]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _until(self, *, leads: bool) -> None:
        """Returns when this node has to have the link, or when another one has to."""
        while True:
            if self._matches.leads == leads:
                return
            await asyncio.sleep(LOOK_SECONDS)

    # From the portal

    async def _listen(self, wire: Wire) -> None:
        async with asyncio.timeout(ANSWER_SECONDS) as patience:
            while packets := await wire.receive():
                for packet in packets:
                    await self._heard(wire, packet)
                if self._registered:
                    patience.reschedule(None)
        raise _Ended("closed by the portal")

    async def _heard(self, wire: Wire, packet: Packet | Garbled) -> None:
        match packet:
            case Garbled(reason=reason):
                await wire.send(Rejected(reason))
                raise _Ended(f"unreadable: {reason}")
            case Create():
                await self._create(wire, packet)
            case AskStatus(match):
                await wire.send(await answer_status(self._matches, match, self._offer.name))
            case Rejected(error):
                raise _Ended(f"the portal says: {error[:200]!r}")
            case Accepted():
                log.info("portal_registered", game=self._offer.name)
                self._pauses.reset()
                self._registered = True
                self._owed.clear()
                self._owe(self._matches.owed(self._offer.name))

    async def _create(self, wire: Wire, create: Create) -> None:
        uids = (create.uid1, create.uid2)
        try:
            match = await self._matches.create(self._offer.name, create.match, uids, create.key)
        except Exception as error:  # noqa: BLE001 (as_refusal logs it)
            refusal = as_refusal(error, door="portal", game=self._offer.name)
            log.info("match_refused", game=self._offer.name, code=refusal.code)
            await wire.send(Rejected(str(refusal)))
            return
        await wire.send(Accepted())
        if match.started or match.over:
            # Made before: the portal has not heard how it went on.
            self._owe([match])

    # To the portal

    def _changed(self, match: Match) -> None:
        if self._registered and match.game == self._offer.name:
            self._owe([match])

    def _owe(self, matches: Iterable[Match]) -> None:
        for match in matches:
            number, scores = match.number, match.scores
            packet = Started(number) if scores is None else Result(number, *scores)
            self._owed[number, match.over] = packet
        self._owes.set()

    async def _tell(self, wire: Wire) -> None:
        """Sends what is owed, for as long as the link lasts."""
        while True:
            await self._owes.wait()
            self._owes.clear()
            while self._registered and self._owed:
                await wire.send(self._owed.pop(next(iter(self._owed))))


def rule_of(game: Game[object], at_duel_door: bool) -> str:
    """What a portal shows to those who want to play: what it is, and how one comes in."""
    if at_duel_door:
        return f"{game.title}. The first packet is 0 and UID:KEY, or UID1:UID2:MATCH:KEY."
    return f"{game.title}. Open /#/match/UID/KEY, or send claim_match {{uid, key}} to /ws."
