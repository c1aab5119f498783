"""The packets of the `arena` door, between a game server and its portal. Written down, they are
JSON, with an action and a payload."""

from __future__ import annotations

import struct
from typing import Any

from gamehall.simulation.checker.transcripts import Json

NO, YES = 0, 1
REGISTER = CREATE = 1
RESULT, STATUS = 2, 3
NOT_STARTED, RUNNING, OVER = 0, 1, 2
"""How a match stands."""

INT = struct.Struct("<i")


def said(action: str, **payload: Any) -> Json:
    return {"action": action, "payload": payload}


def as_bytes(message: Json) -> bytes:
    """As a game server sends it."""
    fields = list(message["payload"].values())
    match message["action"]:
        case "register":
            return _joined(REGISTER, *fields)
        case "accepted":
            return _joined(YES)
        case "rejected":
            return _joined(NO, *fields)
        case "started":
            return _joined(STATUS, *fields, RUNNING)
        case "result":
            return _joined(RESULT, *fields)
        case "status":
            status, *scores = fields
            return _joined(STATUS, status, *(scores if status != NOT_STARTED else ()))
    raise AssertionError(f"no such packet: {message}")


def _joined(*fields: int | str) -> bytes:
    return b"".join(
        INT.pack(field) if isinstance(field, int) else _counted(field.encode()) for field in fields
    )


def _counted(text: bytes) -> bytes:
    return INT.pack(len(text)) + text


def as_message(data: bytes, *, registered: bool) -> Json:
    """What the portal has sent, which has to be one packet."""
    numbers = [number for (number,) in INT.iter_unpack(data[: len(data) // 4 * 4])]
    kind = numbers[0]
    if kind == YES and not registered:
        assert len(data) == 4, f"not one packet: {data!r}"
        return said("accepted")
    if kind == NO:
        return said("rejected", error=_text(data, 4))
    if kind == CREATE:
        _, match, uid1, uid2, *_ = numbers
        return said("create", match=match, uid1=uid1, uid2=uid2, key=_text(data, 16))
    assert (kind, len(data)) == (STATUS, 8), f"no packet of a portal: {data!r}"
    return said("ask_status", match=numbers[1])


def _text(data: bytes, at: int) -> str:
    """The text that begins there, with which the packet ends."""
    (length,) = INT.unpack_from(data, at)
    assert len(data) == at + 4 + length, f"not one packet: {data!r}"
    return data[at + 4 :].decode()
