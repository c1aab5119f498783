"""A path of the web port: what it takes and answers, and how a request to it is served."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

import msgspec
from aiohttp import web

from gamehall.errors import BadRequest, HallError, NotOperator, TooLarge
from gamehall.hall.hall import Hall
from gamehall.wire.native.messages import Payload

P = TypeVar("P", bound=msgspec.Struct)

HALL = web.AppKey("hall", Hall)
OPERATOR_TOKEN = web.AppKey("operator_token", str)
"""What a request has to show that changes something, or reads what is not for everyone."""
JSON = "application/json"


@dataclass
class Route:
    """One path. What it takes and answers, the signature of its handler says: the hall or the
    request first, then every name of path and query, or all in one as `payload`; `asked` is the
    body, which a client may leave out. `lines` are the types of an answer in lines, and `refusals`
    those that follow from nothing else here.
    """

    name: str
    path: str
    summary: str
    handler: Callable[..., Awaitable[Any]]
    refusals: tuple[type[HallError], ...] = ()
    _: KW_ONLY
    method: str = "GET"
    operator: bool = False
    media_type: str = JSON
    lines: tuple[type, ...] = ()
    source: type = field(init=False)
    params: type[msgspec.Struct] = field(init=False)
    body: type[Payload] | None = field(init=False)
    answers: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        hints = get_type_hints(self.handler, include_extras=True)
        answer = hints.pop("return")
        raw = answer in (web.Response, web.StreamResponse)
        self.answers = self.lines if raw else (answer,)
        self.body = hints.pop("asked", None)
        (_, self.source), *taken = hints.items()
        self.params = hints.get("payload") or _struct_of(self.handler, taken)
        if self.operator:
            self.refusals = (NotOperator, *self.refusals)
        if self.body is not None:
            self.refusals = (*self.refusals, TooLarge)
        if self.body is not None or taken:
            self.refusals = (BadRequest, *self.refusals)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        given: dict[str, Any] = {}
        # A path that takes nothing is found whatever stands behind it.
        if self.params.__struct_fields__:
            params = read_params(request, self.params)
            whole = "payload" in self.handler.__annotations__
            given = {"payload": params} if whole else msgspec.structs.asdict(params)
        if self.operator:
            _check_operator(request)
        if self.body is not None:
            given["asked"] = await _read_body(request, self.body)
        source = request.app[HALL] if self.source is Hall else request
        answer = await self.handler(source, **given)
        return answer if isinstance(answer, web.StreamResponse) else json_response(answer)


def _struct_of(
    handler: Callable[..., Any], taken: Iterable[tuple[str, Any]]
) -> type[msgspec.Struct]:
    """What a handler takes by these names and types, as one."""
    fields = []
    for name, kind in taken:
        default = signature(handler).parameters[name].default
        fields.append((name, kind) if default is Parameter.empty else (name, kind, default))
    return msgspec.defstruct("Params", fields, bases=(Payload,), frozen=True)


def json_response(answer: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(answer), status=status, content_type=JSON)


def read_params(request: web.Request, params: type[P]) -> P:
    """What path and query say. Raises BadRequest, which names the parameter that is wrong."""
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


async def _read_body(request: web.Request, body: type[P]) -> P:
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


def _check_operator(request: web.Request) -> None:
    """Raises NotOperator."""
    shown = request.headers.get("Authorization", "").encode(errors="surrogateescape")
    expected = f"Bearer {request.app[OPERATOR_TOKEN]}".encode()
    if not hmac.compare_digest(shown, expected):
        raise NotOperator
