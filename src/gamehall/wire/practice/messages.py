"""What the `practice` door hears and says: `{"code", "id", "info", "timestamp"}`."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

import msgspec

from gamehall.errors import BadRequest
from gamehall.games.four_stone import Move, Moved
from gamehall.games.game import Command, Event
from gamehall.wire.net.refusing import decoded, decoded_as

T = TypeVar("T")

Id = str | int
"""A client's own; echoed as it came."""
ID_CHARACTERS_MAX = 64
ID_NUMBER_MAX = 2**63 - 1

SHOW_VIEW = "view"
"""The action that shows how a game stands."""


class Heard(IntEnum):
    """What clients send."""

    LOGIN = 200002
    LOGOUT = 200003
    SEEK = 200004
    CANCEL = 200005
    ACT = 200006


class Said(IntEnum):
    """What the hall sends."""

    LOGGED_IN = 100001
    WAITING = 100002
    CANCELLED = 100003
    STARTED = 100004
    ENDED = 100005
    HAPPENED = 100006
    MESSAGE = 100007
    ELSEWHERE = 300001


class StoneAction(IntEnum):
    """Four Stone's own actions in a room."""

    MOVE = 500001
    MOVED = 500002


class Message(msgspec.Struct, frozen=True):
    code: int
    id: Id | None = None
    info: msgspec.Raw = msgspec.Raw(b"null")


class Login(msgspec.Struct, frozen=True):
    name: str | None = None


class Wish(msgspec.Struct, frozen=True):
    game_id: str


class Deed(msgspec.Struct, frozen=True):
    room: int
    action: int | str


class StoneMove(msgspec.Struct, frozen=True):
    move_turn: int
    position_init: tuple[int, int]
    position_move: tuple[int, int]


_message = msgspec.json.Decoder(Message)
_encode = msgspec.json.Encoder().encode


def read_message(line: bytes) -> Message:
    """Raises BadRequest."""
    return decoded(_message.decode, line, "This message does not have the expected form")


def read_info(info: msgspec.Raw, kind: type[T]) -> T:
    """Raises BadRequest."""
    return decoded_as(kind, info, "The message's `info` is wrong")


def id_of(line: bytes) -> Id | None:
    """The id in a message that is otherwise wrong, if it can be made out."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        id = msgspec.json.decode(fields.get("id", b"null"), type=Id | None)
        return None if id is None else read_id(id)
    except (msgspec.MsgspecError, RecursionError, BadRequest):
        return None


def read_id(id: Id) -> Id:
    """Raises BadRequest."""
    good = (
        1 <= len(id) <= ID_CHARACTERS_MAX and id.isprintable()
        if isinstance(id, str)
        else abs(id) <= ID_NUMBER_MAX
    )
    if not good:
        raise BadRequest("An id is a text of 1 to 64 printable characters, or a number.")
    return id


def native_command(action: str, info: msgspec.Raw) -> bytes:
    """The game's own command that a client names, with the other fields of its message."""
    fields = read_info(info, dict[str, msgspec.Raw])
    del fields["room"], fields["action"]
    return _encode({**fields, "type": action})


def stone_move(info: msgspec.Raw, seat: int | None) -> Command:
    """Raises BadRequest."""
    move = read_info(info, StoneMove)
    if move.move_turn != seat:
        raise BadRequest(f"`move_turn` is your seat, {seat}.")
    return Move(move.position_init, move.position_move)


# What the hall says


def encode(said: Said, id: Id | None, info: Any, now_ms: int) -> bytes:
    return _encode({"code": said, "id": id, "info": info, "timestamp": now_ms / 1000})


def happened(room: int, event: Event) -> dict[str, Any]:
    """An event as clients are told of it."""
    if isinstance(event, Moved):
        return {
            "room": room,
            "action": StoneAction.MOVED,
            "move_turn": event.seat,
            "position_init": event.from_,
            "position_move": event.to,
        }
    fields = msgspec.to_builtins(event)
    action = fields.pop("type")
    return {**fields, "room": room, "action": action}
