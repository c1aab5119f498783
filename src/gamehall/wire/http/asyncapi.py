"""AsyncAPI 3.0 of the native door, made from its table of actions and the hall's notices, and where
clients outside can reach the doors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from gamehall import __version__
from gamehall.games.game import Game
from gamehall.hall.people.notices import Notice
from gamehall.wire.http.schemas import Schema, Schemas
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.native.dialect import notice_action
from gamehall.wire.native.messages import ErrorPayload, RequestId, TableEvents

Doors = Callable[[], list[tuple[str, str]]]
"""Name and `HOST:PORT` of each open door."""

WEB_DOOR = "native"
"""The door on the web port; `LINES_DOOR` speaks the same over TCP."""
LINES_DOOR = "native-tcp"
WEB_SOCKET_PATH = "/ws"

_HOST = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?P<port>:[0-9]{1,5})?")
_EVERYWHERE = ("", "0.0.0.0", "::", "[::]")

CHANNEL = "native"
ERROR = "error"
_REQUEST_ID = msgspec.json.schema(RequestId)


def notices() -> dict[str, type]:
    """What the hall tells unasked, by its action."""
    kinds: tuple[type, ...] = (TableEvents, *Notice.__subclasses__())
    return {notice_action(kind): kind for kind in kinds}


def asyncapi(games: Iterable[Game[Any]]) -> dict[str, Any]:
    """The document of a hall with these games, all but its servers."""
    told = notices()
    types = [kind for a in ACTIONS.values() for kind in (a.payload, a.answer)]
    schemas = Schemas([*types, *told.values(), ErrorPayload], games)
    messages = {ERROR: _message(ERROR, schemas.of(ErrorPayload), "A request was refused.")}
    operations: dict[str, Any] = {}
    for name, action in ACTIONS.items():
        answer, answered = f"{name}_answer", "pong" if name == "ping" else name
        messages[name] = _message(name, schemas.of(action.payload), f"Asks for `{name}`.")
        messages[answer] = _message(answered, schemas.of(action.answer), f"Answers `{name}`.")
        operations[name] = {
            "action": "receive",
            "summary": "After `hello`, `login` or `register`." if action.login else "At any time.",
            **_over_channel(name),
            "reply": _over_channel(answer, ERROR),
        }
    for name, kind in told.items():
        notice = f"{name}_notice"
        messages[notice] = _message(name, schemas.of(kind), "Comes unasked.", asked=False)
        operations[notice] = {"action": "send", **_over_channel(notice)}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Gamehall, the native door",
            "version": __version__,
            "license": {"name": "MIT"},
            "description": "One JSON object a message: over WebSocket, or a line each over TCP."
            " A request is answered once, with its own action and requestId or with an error.",
        },
        "defaultContentType": "application/json",
        "channels": {
            CHANNEL: {
                # Where it is depends on the server: a path, or a port of its own.
                "address": None,
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": operations,
        "components": {"schemas": schemas.used_in(messages), "messages": messages},
    }


def reachable(doors: list[tuple[str, str]], asked_host: str) -> dict[str, str]:
    """`HOST:PORT` by door, for a client that asked the web port as `asked_host` (its Host header).

    A door that listens everywhere is where the web port was found.
    """
    asked = _HOST.fullmatch(asked_host)
    found = {}
    for name, address in doors:
        host, _, port = address.rpartition(":")
        if name == WEB_DOOR and asked is not None:
            found[name] = asked_host
            continue
        if host in _EVERYWHERE and asked is not None:
            host = asked["host"]
        elif ":" in host and not host.startswith("["):
            host = f"[{host}]"
        found[name] = f"{host}:{port}"
    return found


def servers(doors: dict[str, str]) -> dict[str, Any]:
    """Those of the document, for someone who reaches the doors at these addresses."""
    found: dict[str, Any] = {}
    if WEB_DOOR in doors:
        found["websocket"] = {
            "host": doors[WEB_DOOR],
            "pathname": WEB_SOCKET_PATH,
            "protocol": "ws",
        }
    if LINES_DOOR in doors:
        found["lines"] = {"host": doors[LINES_DOOR], "protocol": "tcp"}
    return found


def _over_channel(*messages: str) -> dict[str, Any]:
    return {
        "channel": {"$ref": f"#/channels/{CHANNEL}"},
        "messages": [{"$ref": f"#/channels/{CHANNEL}/messages/{name}"} for name in messages],
    }


def _message(action: str, payload: Schema, summary: str, *, asked: bool = True) -> dict[str, Any]:
    properties = {"action": {"const": action}, "payload": payload}
    if asked:
        properties["requestId"] = _REQUEST_ID
    return {
        "name": action,
        "summary": summary,
        "payload": {"type": "object", "required": ["action"], "properties": properties},
    }
