"""The arrays of the Mario framework: requests as they are read, and refusals in their shape."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.wire.sicbo.requests import INTEGER, bad_request, text_of
from gamehall.wire.sicbo.zones import LOBBY

TABLE_ID_DIGITS_MAX = 10


class Kind(IntEnum):
    """What a request is: its first element. Those up to LEAVE are answered by the same number."""

    LOGIN = 1
    LOGOUT = 2
    JOIN = 3
    LEAVE = 4
    ROOM = 5
    ZONE = 6
    PING = 7


PLUGIN_SAYS = 5
PONG = 6


class Failure(IntEnum):
    """Why a request failed: the `errorCode` of its answer, where 0 is success."""

    BAD_REQUEST = 1
    NOT_LOGGED_IN = 2
    LOGIN_REFUSED = 3
    NO_SUCH_ZONE = 4
    NO_SUCH_ROOM = 5
    WRONG_PASSWORD = 6
    NOT_IN_ROOM = 7
    TOO_MANY = 8


class Denied(HallError):
    def __init__(self, failure: Failure, message: str) -> None:
        super().__init__(message)
        self.failure = failure


class Call(msgspec.Struct, frozen=True):
    """A request. `fields` is None if they are not what the kind takes."""

    kind: Kind
    fields: tuple[Any, ...] | None


class _Misfit(Exception):
    """A field is not what the kind takes."""


class _LoginParams(msgspec.Struct, frozen=True):
    token: msgspec.Raw = msgspec.field(name="bnrToken", default=msgspec.Raw(b"null"))


_SHAPES = {
    Kind.LOGIN: "text text password object",
    Kind.LOGOUT: "text",
    Kind.JOIN: "zone integer text",
    Kind.LEAVE: "text integer",
    Kind.ROOM: "text integer object",
    Kind.ZONE: "text text object",
    Kind.PING: "text integer integer",
}
_KINDS = {str(kind.value).encode(): kind for kind in Kind}
_TAKES = {kind: shape.split() for kind, shape in _SHAPES.items()}

_read_items = msgspec.json.Decoder(list[msgspec.Raw]).decode
_read_login_params = msgspec.json.Decoder(_LoginParams).decode


def plugin_says(said: bytes) -> bytes:
    return b"[%d,%b]" % (PLUGIN_SAYS, said)


def read_call(message: bytes) -> Call:
    """The request in an array. Raises Wrong if it is none, or of no known kind."""
    try:
        items = _read_items(message)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise bad_request(f"This is neither an array nor an object: {error}") from None
    kind = _KINDS.get(bytes(items[0])) if items else None
    if kind is None:
        raise bad_request("An array begins with the kind of the request, 1 to 7.")
    takes = _TAKES[kind]
    if len(items) != 1 + len(takes):
        return Call(kind, None)
    try:
        fields = [_read(shape, item) for shape, item in zip(takes, items[1:], strict=True)]
        return Call(kind, _login_fields(*fields) if kind is Kind.LOGIN else tuple(fields))
    except _Misfit:
        return Call(kind, None)


def _read(shape: str, item: msgspec.Raw) -> Any:
    """The field. An integer stays as it was written, to be echoed. Raises _Misfit."""
    token = bytes(item)
    match shape:
        case "password":
            return text_of(item)  # Whether it may be something else, the token decides.
        case "zone" if token == b"null":
            return None
        case "text" | "zone":
            field: Any = text_of(item)
        case "integer":
            field = msgspec.Raw(token) if INTEGER.fullmatch(token) else None
        case _:
            field = msgspec.Raw(token) if token.startswith(b"{") else None
    if field is None:
        raise _Misfit
    return field


def _login_fields(
    zone: str, user: str, password: str | None, params: msgspec.Raw
) -> tuple[str, str, str | None, str | None]:
    """Zone, user, password and token, which is None if there is no `bnrToken`. Raises _Misfit.

    Whoever names a token, even an empty one, may send anything as its password; but the lobby
    looks at no token, and there the password counts.
    """
    given = _read_login_params(params).token
    token = text_of(given)
    needs_password = token is None or zone == LOBBY.name
    if (token is None and bytes(given) != b"null") or (needs_password and password is None):
        raise _Misfit
    return zone, user, password, token


def shape_of(kind: Kind) -> str:
    """What a request of this kind looks like, for people."""
    return f"[{kind.value}, {', '.join(_TAKES[kind])}]"


def table_id(room: msgspec.Raw) -> int | None:
    """The table that a room is; None if its number can be none's."""
    token = bytes(room)
    number = int(token) if len(token) <= TABLE_ID_DIGITS_MAX else 0
    return number if 1 <= number < 2**31 else None


def refusal(call: Call, error: HallError) -> list[Any] | None:
    """The answer to a request that failed; None if its kind has none, and the plugin answers."""
    failure = error.failure if isinstance(error, Denied) else Failure.BAD_REQUEST
    fields = call.fields
    match call.kind:
        case Kind.LOGIN:
            zone, user = ("", "") if fields is None else fields[:2]
            return [Kind.LOGIN, False, failure, user, zone, str(error)]
        case Kind.LOGOUT:
            return [Kind.LOGOUT, False, failure]
        case Kind.JOIN:
            return [Kind.JOIN, False, failure, 0 if fields is None else fields[1], str(error)]
        case Kind.LEAVE:
            return [Kind.LEAVE, False, failure, 0 if fields is None else fields[1], failure]
    return None
