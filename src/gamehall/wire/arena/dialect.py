"""The `arena` door: game servers register here, over WebSocket or TCP; the hall is their portal.

A portal may come too and ask how a match stands that is played in this hall.
"""

from __future__ import annotations

import structlog

from gamehall.errors import BadRequest, HallError
from gamehall.hall.arena.as_portal.facts import Match
from gamehall.hall.arena.as_portal.line import Line
from gamehall.hall.arena.as_portal.portal import OPEN_MAX
from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.hall.arena.as_server.matches import Matches
from gamehall.hall.hall import Hall
from gamehall.wire.arena.codec import (
    OVER,
    Accepted,
    AskStatus,
    Create,
    FromServer,
    Packet,
    Rejected,
    Result,
    Started,
    Status,
    encode,
)
from gamehall.wire.net.codec import Garbled
from gamehall.wire.net.refusing import refusing
from gamehall.wire.net.serial import SerialLink
from gamehall.wire.net.shell import Channel

log = structlog.get_logger(__name__)

OWED_MAX = 3 * OPEN_MAX
"""Packets that may come at once: a server that comes back tells again what it has told before."""
_CLOSE_CODE = 1008
_NO_MORE = b"no more"
"""Stands, in its order, for the end of what comes: this very object, which no peer can send."""


class ArenaLink(SerialLink):
    """One game server, or a portal that asks. Packets are dealt with in their order."""

    __slots__ = ("_line", "_reader")

    def __init__(self, hall: Hall, channel: Channel) -> None:
        super().__init__(hall, channel)
        # What comes is within the limits already.
        self._reader = FromServer(0)
        self._line: Line | None = None

    # From the shell

    def _handle(self, message: bytes) -> None:
        if message is _NO_MORE:
            self.lost()
            return
        packet = self._reader.message(message)
        if isinstance(packet, Garbled):
            self.channel.refuse(packet)
        elif packet is not None:
            self._busy = True
            self.hall.spawn(self._work(packet))

    def garbled(self, garbled: Garbled) -> None:
        self._send(Rejected(garbled.reason))
        # Also where the shell would go on: a packet is missing, which may have been a result.
        if garbled.fatal:
            self.lost()
        else:
            self.end(garbled.reason)

    def half_closed(self) -> None:
        """Who can answer nothing any more is out of reach, at once."""
        self.received(_NO_MORE)

    def lost(self) -> None:
        """What has come before still counts: a server says it once, and may go."""
        self._lost = True
        if self._line is not None:
            self.hall.portal.unlink(self._line)

    # From the server

    async def _work(self, packet: Packet) -> None:
        """As `later`, but when the hall stops, nothing that waits is begun: it waits on here after
        the connection is lost."""
        await refusing(self._answer(packet), self._refuse, door="arena")
        self._go_on()

    async def _answer(self, packet: Packet) -> None:
        portal, line = self.hall.portal, self._line
        if isinstance(packet, Offer):
            await self._register(packet)
        elif isinstance(packet, AskStatus):
            self.channel.hello_done()
            self._send(await answer_status(self.hall.matches, packet.match))
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

    async def _register(self, offer: Offer) -> None:
        self._line = await self.hall.portal.register(offer, self)
        self.channel.hello_done()
        self.channel.allow_burst(OWED_MAX)
        self._send(Accepted())
        if self._lost:
            self.lost()

    def _refuse(self, error: HallError) -> None:
        log.info("arena_refused", address=self.channel.address, code=error.code)
        self._backlog = None
        self._send(Rejected(str(error)))
        self.end(str(error))

    # To the server

    def create(self, match: Match, key: str) -> None:
        self._send(Create(match.id, match.uid1, match.uid2, key))

    def ask_status(self, match: int) -> None:
        self._send(AskStatus(match))

    def end(self, reason: str) -> None:
        self.channel.close(_CLOSE_CODE, reason)
        self.lost()

    def _send(self, packet: Packet) -> None:
        self.channel.send(self.channel.packet(encode(packet)))


async def answer_status(
    matches: Matches, number: int, game: str | None = None
) -> Status | Rejected:
    """What a portal is answered that asks for a match, of one game or of any."""
    try:
        return await matches.progress(number, game)
    except HallError as error:
        return Rejected(str(error))
