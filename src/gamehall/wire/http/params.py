"""What a path, its query and a body say, read into structs that name what may be there."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from aiohttp import web

from gamehall.errors import BadRequest, TooLarge
from gamehall.wire.native.messages import Payload

P = TypeVar("P", bound=Payload)


def read_params(request: web.Request, params: type[P]) -> P:
    """The parameters of a request. Raises BadRequest, which names the one that is wrong."""
    given = dict(request.match_info)
    for name, text in request.query.items():
        if name in given:
            raise BadRequest(f"`{name}` is given twice.")
        given[name] = text
    try:
        read = msgspec.convert(given, params, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(_explain(error)) from None
    for name, text in given.items():
        value = getattr(read, name)
        # These may be written in many ways, and here only one is taken: `3.0` is no number.
        if isinstance(value, bool):
            if text not in ("true", "false"):
                raise BadRequest(f"`{name}`: Expected true or false.")
        elif isinstance(value, int) and str(value) != text:
            raise BadRequest(f"`{name}`: Expected a whole number.")
    return read


async def read_body(request: web.Request, body: type[P]) -> P:
    """What a request sends along, as JSON; nothing at all is an empty object.

    Raises:
        BadRequest: it is something else; the sentence names the field that is wrong.
        TooLarge: it is longer than the application allows.
    """
    try:
        sent = await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise TooLarge from None
    try:
        return msgspec.json.decode(sent or b"{}", type=body)
    except msgspec.ValidationError as error:
        raise BadRequest(_explain(error)) from None
    except msgspec.DecodeError:
        raise BadRequest("The body is not JSON.") from None


def _explain(error: msgspec.ValidationError) -> str:
    # "Expected `int` >= 1 - at `$.limit`"
    reason, _, place = str(error).partition(" - at `$.")
    return f"`{place.removesuffix('`')}`: {reason}." if place else f"{reason}."
