"""AsyncAPI 3.0 of the native door, made from its table of actions and the hall's notices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec

from gamehall import __version__
from gamehall.games.game import Game
from gamehall.hall.people.notices import Notice
from gamehall.wire.http.schemas import Schema, Schemas
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.native.dialect import notice_action
from gamehall.wire.native.messages import ErrorPayload, RequestId, TableEvents
from gamehall.wire.net.addresses import (
    LINES_DOOR,
    WEB_DOOR,
    WEB_SOCKET_PATH,
    Doors,
    reachable,
)

CHANNEL = "native"
ERROR = "error"
_REQUEST_ID = msgspec.json.schema(RequestId)


def notices() -> dict[str, type]:
    """What the hall tells unasked, by its action."""
    kinds: tuple[type, ...] = (TableEvents, *Notice.__subclasses__())
    return {notice_action(kind): kind for kind in kinds}


class AsyncApi:
    """The document of one hall."""

    def __init__(self, games: Iterable[Game[Any]], doors: Doors) -> None:
        self._games = list(games)
        self._doors = doors

    def document(self, asked_host: str) -> dict[str, Any]:
        """The document for someone who reached the web port as `asked_host`."""
        return {**self._rest, "servers": _servers(reachable(self._doors(), asked_host))}

    @cached_property
    def _rest(self) -> dict[str, Any]:
        """All but the servers, which are known only when the doors are open."""
        told = notices()
        types = [kind for a in ACTIONS.values() for kind in (a.payload, a.answer)]
        schemas = Schemas([*types, *told.values(), ErrorPayload], self._games)
        messages = {ERROR: _message(ERROR, schemas.of(ErrorPayload), "A request was refused.")}
        operations: dict[str, Any] = {}
        for name, action in ACTIONS.items():
            answered = "pong" if name == "ping" else name
            summary = f"Answers `{name}`."
            messages[name] = _message(name, schemas.of(action.payload), f"Asks for `{name}`.")
            messages[_answer(name)] = _message(answered, schemas.of(action.answer), summary)
            operations[name] = _request(name, needs_login=action.login)
        for name, kind in told.items():
            told_of = schemas.of(kind)
            messages[_notice(name)] = _message(name, told_of, "Comes unasked.", asked=False)
            operations[_notice(name)] = {
                "action": "send",
                "channel": {"$ref": f"#/channels/{CHANNEL}"},
                "messages": [_in_channel(_notice(name))],
            }
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
                    "messages": {
                        name: {"$ref": f"#/components/messages/{name}"} for name in messages
                    },
                }
            },
            "operations": operations,
            "components": {"schemas": schemas.used_in(messages), "messages": messages},
        }


def _servers(doors: dict[str, str]) -> dict[str, Any]:
    servers: dict[str, Any] = {}
    if WEB_DOOR in doors:
        servers["websocket"] = {
            "host": doors[WEB_DOOR],
            "pathname": WEB_SOCKET_PATH,
            "protocol": "ws",
        }
    if LINES_DOOR in doors:
        servers["lines"] = {"host": doors[LINES_DOOR], "protocol": "tcp"}
    return servers


def _answer(action: str) -> str:
    return f"{action}_answer"


def _notice(action: str) -> str:
    return f"{action}_notice"


def _in_channel(message: str) -> Schema:
    return {"$ref": f"#/channels/{CHANNEL}/messages/{message}"}


def _request(name: str, *, needs_login: bool) -> dict[str, Any]:
    return {
        "action": "receive",
        "summary": "After `hello`, `login` or `register`." if needs_login else "At any time.",
        "channel": {"$ref": f"#/channels/{CHANNEL}"},
        "messages": [_in_channel(name)],
        "reply": {
            "channel": {"$ref": f"#/channels/{CHANNEL}"},
            "messages": [_in_channel(_answer(name)), _in_channel(ERROR)],
        },
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
