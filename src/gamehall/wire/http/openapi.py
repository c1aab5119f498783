"""OpenAPI 3.1 of everything HTTP, made from the routes and the types they take and answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from gamehall import __version__
from gamehall.errors import HallError
from gamehall.games.game import Game
from gamehall.wire.http.api import NEXT
from gamehall.wire.http.refusals import ErrorAnswer, status_of
from gamehall.wire.http.route import JSON, Route
from gamehall.wire.http.schemas import Schema, Schemas

OPERATOR = "operator"


def openapi(routes: Sequence[Route], games: Iterable[Game[Any]]) -> dict[str, Any]:
    """The document; `games` are those whose commands and events can stand in a journal."""
    types = [type for route in routes for type in route.answers]
    bodies = [route.body for route in routes if route.body is not None]
    schemas = Schemas([*types, *bodies, ErrorAnswer], games)
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gamehall",
            "version": __version__,
            "summary": "What goes on in the hall, and what was played there.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.used_in(paths),
            "securitySchemes": {
                OPERATOR: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token is in the file `operator-token`, in the data folder.",
                }
            },
        },
    }


def _operation(route: Route, schemas: Schemas) -> dict[str, Any]:
    body: Schema = {"type": "string"}
    if route.answers:
        single = len(route.answers) == 1
        body = schemas.of(route.answers[0]) if single else schemas.one_of(route.answers)
    answered: dict[str, Any] = {
        "description": route.summary,
        "content": {route.media_type: {"schema": body}},
    }
    if route.lines:
        answered["headers"] = {
            NEXT: {
                "description": "With `limit`: what to ask for `after`, if there is more.",
                "schema": {"type": "integer"},
            }
        }
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": _parameters(route),
        "responses": {"200": answered, **_refusals(route.refusals, schemas)},
    }
    if route.body is not None:
        operation["requestBody"] = {"content": {JSON: {"schema": schemas.of(route.body)}}}
    if route.operator:
        operation["security"] = [{OPERATOR: []}]
    return operation


def _parameters(route: Route) -> list[dict[str, Any]]:
    in_path = set(re.findall(r"{(\w+)}", route.path))
    schema = msgspec.json.schema(route.params)
    fields = next(iter(schema["$defs"].values()))
    return [
        {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in in_path,
            "schema": _without_null(field),
        }
        for name, field in fields["properties"].items()
    ]


def _without_null(field: Schema) -> Schema:
    """A query says `null` by saying nothing."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else field


def _refusals(errors: Iterable[type[HallError]], schemas: Schemas) -> dict[str, Any]:
    by_status: dict[str, list[type[HallError]]] = defaultdict(list)
    for error in errors:
        by_status[str(int(status_of(error)))].append(error)
    body = {JSON: {"schema": schemas.of(ErrorAnswer)}}
    refusals = {
        status: {
            "description": " ".join(f"`{error.code}`: {error.message}" for error in group),
            "content": body,
        }
        for status, group in sorted(by_status.items())
    }
    return {**refusals, "default": {"description": "Any other refusal.", "content": body}}
