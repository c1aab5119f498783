"""The packets between a portal and a game server: little-endian integers of 4 bytes, and texts
that follow their length. Pure: it owns no socket.

A packet does not say how long it is, and one number begins packets that have nothing else in
common. So a reader knows whose packets it reads and which came before: `FromServer` reads what
comes to a portal's door, `FromPortal` what comes back to a game server.
"""

from __future__ import annotations

import struct

import msgspec

from gamehall.errors import BadRequest
from gamehall.wire.net.codec import Garbled

MATCH_MIN = 1000
"""The first match that our portal makes. A lower number after a 3 is a status: no other thing tells
a match that has started from the answer to a question."""
NUMBER_MIN, NUMBER_MAX = -(2**31), 2**31 - 1

NOT_STARTED, RUNNING, OVER = 0, 1, 2
"""How a match stands."""

_INT = struct.Struct("<i")
_NO, _YES = 0, 1
_REGISTER = _CREATE = 1
_RESULT = 2
_STATUS = 3


# Either way


class Accepted(msgspec.Struct, frozen=True):
    """What was asked for is done."""


class Rejected(msgspec.Struct, frozen=True):
    error: str


# From a game server


class Register(msgspec.Struct, frozen=True):
    """A game server offers a game; its players come to `ip` and `port`."""

    ip: str
    port: int
    name: str
    rule: str
    author: str


class Started(msgspec.Struct, frozen=True):
    match: int


class Result(msgspec.Struct, frozen=True):
    match: int
    score1: int
    score2: int


class Status(msgspec.Struct, frozen=True):
    """The answer to `AskStatus`."""

    status: int
    scores: tuple[int, int] | None = None
    """Of uid1 and uid2, unless it has not started."""


# From a portal


class Create(msgspec.Struct, frozen=True):
    match: int
    uid1: int
    uid2: int
    key: str


class AskStatus(msgspec.Struct, frozen=True):
    match: int


Packet = Accepted | Rejected | Register | Started | Result | Status | Create | AskStatus


def encode(packet: Packet) -> bytes:
    """The packet's bytes: over WebSocket a message, over TCP the next ones of the stream.

    Raises:
        struct.error: a number does not fit into 4 bytes.
    """
    match packet:
        case Accepted():
            return _join(_YES)
        case Rejected(error):
            return _join(_NO, error)
        case Register(ip, port, name, rule, author):
            return _join(_REGISTER, ip, port, name, rule, author)
        case Started(match):
            return _join(_STATUS, match, RUNNING)
        case Result(match, score1, score2):
            return _join(_RESULT, match, score1, score2)
        case Status(status, scores):
            return _join(_STATUS, status, *(scores or ()))
        case Create(match, uid1, uid2, key):
            return _join(_CREATE, match, uid1, uid2, key)
        case AskStatus(match):
            return _join(_STATUS, match)


def _join(*fields: int | str) -> bytes:
    return b"".join(_INT.pack(f) if isinstance(f, int) else _counted(f.encode()) for f in fields)


def _counted(text: bytes) -> bytes:
    return _INT.pack(len(text)) + text


# Reading


class _Unreadable(Exception):
    """No packet can begin like this, whatever follows."""


class PacketReader:
    """Whole packets of one side of one link, in their order.

    One that cannot be read is `Garbled`, and the last: nothing that follows it means anything.
    """

    __slots__ = ("_lost", "_max_bytes", "_unread")

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` is how long a packet may be; 0: as long as it likes."""
        self._max_bytes = max_bytes
        self._unread = bytearray()
        self._lost = False

    def feed(self, data: bytes) -> list[Packet | Garbled]:
        """The packets that these bytes of a stream complete, however it is cut."""
        return [packet for packet, _ in self.cut(data)]

    def message(self, message: bytes) -> Packet | Garbled | None:
        """The packet that a whole WebSocket message is. None: it is blank, or a `Garbled` came."""
        if self._lost or not message:
            return None
        if 0 < self._max_bytes < len(message):
            return self._lose("A packet cannot be as long as this.")
        found = self.cut(message)
        if len(found) != 1 or self._unread:
            return self._lose("A message is one packet, no more and no less.")
        return found[0][0]

    def cut(self, data: bytes) -> list[tuple[Packet | Garbled, bytes]]:
        """As `feed`, each with its bytes; a `Garbled` has none."""
        if self._lost:
            return []
        self._unread += data
        found: list[tuple[Packet | Garbled, bytes]] = []
        start = 0
        while (number := self._number(start)) is not None:
            try:
                end = self._end(start, self._form(number, start))
                if end is None:
                    break
                packet = self._read(number, self._fields(start, end, self._form(number, start)))
            except _Unreadable as error:
                found.append((self._lose(str(error)), b""))
                return found
            found.append((packet, bytes(self._unread[start:end])))
            start = end
        del self._unread[:start]
        return found

    def _form(self, number: int, start: int) -> str:
        """What follows the number that a packet begins with: `i` a number, `s` a text, and `?` if
        only what has not come yet tells. Raises _Unreadable."""
        raise NotImplementedError

    def _read(self, number: int, fields: list[int | str]) -> Packet:
        raise NotImplementedError

    def _number(self, at: int) -> int | None:
        if len(self._unread) < at + 4:
            return None
        number: int = _INT.unpack_from(self._unread, at)[0]
        return number

    def _end(self, start: int, form: str) -> int | None:
        """Where the packet ends; None: it is not all there yet.

        All lengths are looked at before any text is, so that the answer does not depend on what
        has come so far.
        """
        end = start + 4
        for kind in form:
            if kind == "s":
                text_bytes = self._number(end)
                if text_bytes is None:
                    return None
                if text_bytes < 0 or 0 < self._max_bytes < end + 4 - start + text_bytes:
                    raise _Unreadable("A text cannot have this length.")
                end += text_bytes
            end += 4
        return None if form.endswith("?") or len(self._unread) < end else end

    def _fields(self, start: int, end: int, form: str) -> list[int | str]:
        fields: list[int | str] = []
        at = start + 4
        for kind in form:
            number = self._number(at)
            assert number is not None
            at += 4
            if kind == "s":
                fields.append(_text(self._unread[at : at + number]))
                at += number
            else:
                fields.append(number)
        assert at == end
        return fields

    def _lose(self, reason: str) -> Garbled:
        self._lost = True
        self._unread = bytearray()
        return Garbled(reason, BadRequest.code, fatal=True)


def _text(data: bytearray) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _Unreadable("This text is not valid UTF-8.") from None


_UNKNOWN = "There is no packet that begins with this number."


class FromServer(PacketReader):
    """What comes to a portal's door.

    The first packet tells who it is: a game server registers, and all else it sends later; or
    a portal asks for the status of a match, and never sends anything else.
    """

    __slots__ = ("_first",)

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._first: type[Register] | type[AskStatus] | None = None

    def _form(self, number: int, start: int) -> str:
        if self._first is None:
            return _find(_FIRST_FORMS, number)
        if self._first is AskStatus:
            return _find(_ASKER_FORMS, number)
        if number != _STATUS:
            return _find(_SERVER_FORMS, number)
        status = self._number(start + 4)
        if status is None:
            return "?"
        if status >= MATCH_MIN:
            return "ii"
        return _find(_STATUS_FORMS, status, "There is no such status, and no such match.")

    def _read(self, number: int, fields: list[int | str]) -> Packet:
        packet = self._packet(number, fields)
        if self._first is None:
            self._first = Register if isinstance(packet, Register) else AskStatus
        return packet

    def _packet(self, number: int, fields: list[int | str]) -> Packet:
        match number, fields:
            case (1, [str(ip), int(port), str(name), str(rule), str(author)]):
                return Register(ip, port, name, rule, author)
            case (3, [int(match)]) if self._first is not Register:
                return AskStatus(match)
            case (1, []):
                return Accepted()
            case (0, [str(error)]):
                return Rejected(error)
            case (2, [int(match), int(score1), int(score2)]):
                return Result(match, score1, score2)
            case (3, [int(match), 1]):
                return Started(match)
            case (3, [int(status)]):
                return Status(status)
            case (3, [int(status), int(score1), int(score2)]):
                return Status(status, (score1, score2))
        raise _Unreadable("A match that is not asked for can only have started.")


class FromPortal(PacketReader):
    """What comes to a game server: the answer to its registration, then what the portal wants."""

    __slots__ = ("_answered",)

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._answered = False

    def _form(self, number: int, start: int) -> str:
        return _find(_PORTAL_FORMS if self._answered else _ANSWER_FORMS, number)

    def _read(self, number: int, fields: list[int | str]) -> Packet:
        match number, fields:
            case (3, [int(match)]):
                return AskStatus(match)
            case (1, [int(match), int(uid1), int(uid2), str(key)]):
                return Create(match, uid1, uid2, key)
            case (0, [str(error)]):
                self._answered = True
                return Rejected(error)
        self._answered = True
        return Accepted()


_FIRST_FORMS = {_REGISTER: "sisss", _STATUS: "i"}
_ASKER_FORMS = {_STATUS: "i"}
_SERVER_FORMS = {_YES: "", _NO: "s", _RESULT: "iii"}
_STATUS_FORMS = {NOT_STARTED: "i", RUNNING: "iii", OVER: "iii"}
_ANSWER_FORMS = {_YES: "", _NO: "s", _STATUS: "i"}
_PORTAL_FORMS = {_CREATE: "iiis", _NO: "s", _STATUS: "i"}


def _find(forms: dict[int, str], number: int, otherwise: str = _UNKNOWN) -> str:
    form = forms.get(number)
    if form is None:
        raise _Unreadable(otherwise)
    return form


class PacketCutter:
    """What a portal's door over TCP cuts its stream with: the link then reads each packet with a
    `FromServer` of its own, by `message`, as it does over WebSocket."""

    __slots__ = ("_reader",)

    def __init__(self, max_bytes: int) -> None:
        self._reader = FromServer(max_bytes)

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        return [p if isinstance(p, Garbled) else raw for p, raw in self._reader.cut(data)]
