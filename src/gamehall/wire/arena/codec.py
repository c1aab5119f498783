"""The packets between a portal and a game server.

One number begins packets that have nothing else in common. So a reader knows whose packets it
reads and which came before: `FromServer` reads what comes to a portal's door, `FromPortal` what
comes back to a game server.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from gamehall.hall.arena.as_portal.servers import Offer
from gamehall.hall.arena.as_server.matches import Progress
from gamehall.wire.net.packets import INT, Kind, Kinds, PacketReader, Unreadable, join

MATCH_MIN = 1000
"""The first match that our portal makes. A lower number after a 3 is a status: no other thing tells
a match that has started from the answer to a question."""

NOT_STARTED, RUNNING, OVER = 0, 1, 2
"""How a match stands."""

_NO, _YES = 0, 1
_REGISTER = _CREATE = 1
_RESULT = 2
_STATUS = 3


# Either way


class Accepted(msgspec.Struct, frozen=True):
    """What was asked for is done."""


class Rejected(msgspec.Struct, frozen=True):
    error: str


# From a game server, which registers with an Offer


class Started(msgspec.Struct, frozen=True):
    match: int


class Result(msgspec.Struct, frozen=True):
    match: int
    score1: int
    score2: int


Status = Progress
"""The answer to `AskStatus`."""


# From a portal


class Create(msgspec.Struct, frozen=True):
    match: int
    uid1: int
    uid2: int
    key: str


class AskStatus(msgspec.Struct, frozen=True):
    match: int


Packet = Accepted | Rejected | Offer | Started | Result | Status | Create | AskStatus


def encode(packet: Packet) -> bytes:
    """The packet's bytes: over WebSocket a message, over TCP the next ones of the stream.

    Raises:
        struct.error: a number does not fit into 4 bytes.
    """
    match packet:
        case Accepted():
            return join(_YES)
        case Rejected(error):
            return join(_NO, error)
        case Offer(address, port, name, rule, author):
            return join(_REGISTER, address, port, name, rule, author)
        case Started(match):
            return join(_STATUS, match, RUNNING)
        case Result(match, score1, score2):
            return join(_RESULT, match, score1, score2)
        case Status(status, scores):
            return join(_STATUS, status, *(scores or ()))
        case Create(match, uid1, uid2, key):
            return join(_CREATE, match, uid1, uid2, key)
        case AskStatus(match):
            return join(_STATUS, match)


# Reading


def _scored(status: int, score1: int, score2: int) -> Status:
    return Status(status, (score1, score2))


def _started(match: int, status: int) -> Started:
    if status != RUNNING:
        raise Unreadable("A match that is not asked for can only have started.")
    return Started(match)


_ASKER: Kinds[Packet] = {_STATUS: ("i", AskStatus)}
_FIRST: Kinds[Packet] = {_REGISTER: ("sisss", Offer), **_ASKER}
_SERVER: Kinds[Packet] = {_YES: ("", Accepted), _NO: ("s", Rejected), _RESULT: ("iii", Result)}
_STATUSES: Kinds[Packet] = {
    NOT_STARTED: ("i", Status),
    RUNNING: ("iii", _scored),
    OVER: ("iii", _scored),
}
_ANSWER: Kinds[Packet] = {_YES: ("", Accepted), _NO: ("s", Rejected), **_ASKER}
_PORTAL: Kinds[Packet] = {_CREATE: ("iiis", Create), _NO: ("s", Rejected), **_ASKER}
_AFTER_FIRST: Mapping[type, Kinds[Packet]] = {Offer: _SERVER, AskStatus: _ASKER}
_AFTER_ANSWER: Mapping[type, Kinds[Packet]] = {Accepted: _PORTAL, Rejected: _PORTAL}


class FromServer(PacketReader[Packet]):
    """What comes to a portal's door. Over TCP one cuts the stream, and the link then reads each
    packet with another, by `message`, as it does over WebSocket.

    The first packet tells who it is: a game server registers, and all else it sends later; or
    a portal asks for the status of a match, and never sends anything else.
    """

    __slots__ = ()

    first, then = _FIRST, _AFTER_FIRST

    def _kind(self, number: int, start: int) -> Kind[Packet] | None:
        if self._kinds is not _SERVER or number != _STATUS:
            return super()._kind(number, start)
        if len(self._unread) < start + 8:
            return None
        (status,) = INT.unpack_from(self._unread, start + 4)
        if status >= MATCH_MIN:
            return "ii", _started
        if status not in _STATUSES:
            raise Unreadable("There is no such status, and no such match.")
        return _STATUSES[status]


class FromPortal(PacketReader[Packet]):
    """What comes to a game server: the answer to its registration, then what the portal wants."""

    __slots__ = ()

    first, then = _ANSWER, _AFTER_ANSWER
