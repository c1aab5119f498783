"""The `arena` door: game servers register here, over WebSocket or TCP; the hall is their portal.

A portal may come too and ask how a match stands that is played in this hall.
"""

from __future__ import annotations

from collections import deque

import structlog

from gamehall.errors import BadRequest, HallError
from gamehall.hall.arena.as_portal.facts import Match
from gamehall.hall.arena.as_portal.line import Line
from gamehall.hall.arena.as_portal.portal import OPEN_MAX
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.hall.hall import Hall
from gamehall.wire.arena.codec import (
    OVER,
    Accepted,
    AskStatus,
    Create,
    FromServer,
    Packet,
    Register,
    Rejected,
    Result,
    Started,
    Status,
    encode,
)
from gamehall.wire.arena.portal_link import answer_status
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import refusing
from gamehall.wire.net.shell import Channel, Conversation

log = structlog.get_logger(__name__)

INBOX_MAX = 64
"""Packets that wait while one is written; reading pauses there."""
OWED_MAX = 3 * OPEN_MAX
"""Packets that may come at once: a server that comes back tells again what it has told before."""
_CLOSE_CODE = 1008


class ArenaLink(Conversation):
    """One game server, or a portal that asks. Packets are dealt with in their order."""

    __slots__ = ("_busy", "_channel", "_ended", "_hall", "_inbox", "_line", "_reader")

    def __init__(self, hall: Hall, channel: Channel) -> None:
        self._hall = hall
        self._channel = channel
        # What comes is within the limits already.
        self._reader = FromServer(0)
        self._inbox: deque[Packet | None] = deque()
        """What has come; None: nothing will come any more."""
        self._busy = False
        self._line: Line | None = None
        self._ended = False

    # From the shell

    def received(self, message: bytes) -> None:
        packet = self._reader.message(message)
        if isinstance(packet, Garbled):
            self._channel.refuse(packet)
        elif packet is not None:
            self._put(packet)

    def _put(self, packet: Packet | None) -> None:
        self._inbox.append(packet)
        if len(self._inbox) == INBOX_MAX:
            self._channel.pause()
        if not self._busy:
            self._busy = True
            self._hall.spawn(self._work())

    def garbled(self, garbled: Garbled) -> None:
        self._send(Rejected(garbled.reason))
        # Also where the shell would go on: a packet is missing, which may have been a result.
        if garbled.fatal:
            self.lost()
        else:
            self.end(garbled.reason)

    def half_closed(self) -> None:
        """Who can answer nothing any more is out of reach, at once."""
        self._put(None)

    def lost(self) -> None:
        """What has come before still counts: a server says it once, and may go."""
        self._ended = True
        if self._line is not None:
            self._hall.portal.known.unlink(self._line)

    # From the server

    async def _work(self) -> None:
        try:
            await refusing(self._handle_all(), self._refuse, door="arena")
        finally:
            self._busy = False

    async def _handle_all(self) -> None:
        while self._inbox:
            packet = self._inbox.popleft()
            if len(self._inbox) == INBOX_MAX - 1:
                self._channel.resume()
            if packet is None:
                self.lost()
            else:
                await self._handle(packet)

    async def _handle(self, packet: Packet) -> None:
        portal, line = self._hall.portal, self._line
        if isinstance(packet, Register):
            await self._register(packet)
        elif isinstance(packet, AskStatus):
            self._channel.hello_done()
            self._send(await answer_status(self._hall.matches, packet.match))
        elif line is None:
            raise BadRequest("Register first.")
        elif isinstance(packet, Accepted):
            await portal.accepted(line)
        elif isinstance(packet, Rejected):
            line.rejected(packet.error)
        elif isinstance(packet, Started):
            await portal.started(line, packet.match)
        elif isinstance(packet, Result):
            await portal.result(line, packet.match, packet.score1, packet.score2)
        elif isinstance(packet, Status):
            await portal.standing_told(line, packet.scores, over=packet.status == OVER)

    async def _register(self, packet: Register) -> None:
        offer = Offer(packet.ip, packet.port, packet.name, packet.rule, packet.author)
        self._line = await self._hall.portal.register(offer, self)
        self._channel.hello_done()
        self._channel.allow_burst(OWED_MAX)
        self._send(Accepted())
        if self._ended:
            self.lost()

    def _refuse(self, error: HallError) -> None:
        log.info("arena_refused", address=self._channel.address, code=error.code)
        self._inbox.clear()
        self._send(Rejected(str(error)))
        self.end(str(error))

    # To the server

    def create(self, match: Match, key: str) -> None:
        self._send(Create(match.id, match.uid1, match.uid2, key))

    def ask_status(self, match: int) -> None:
        self._send(AskStatus(match))

    def end(self, reason: str) -> None:
        self._channel.close(_CLOSE_CODE, reason)
        self.lost()

    def _send(self, packet: Packet) -> None:
        self._channel.send(self._channel.packet(encode(packet)))
