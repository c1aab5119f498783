"""Prints the JSON Schema of all that the page says and hears, made from the server's own types.

`npm run types` makes src/wire/server.ts of it.
"""

from __future__ import annotations

import sys
from typing import Any, get_type_hints

import msgspec

from gamehall.games import GAMES
from gamehall.games.game import Game
from gamehall.hall.tournaments.tournament import Tournament
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.table_log.log import Trailer
from gamehall.wire.http.asyncapi import notices
from gamehall.wire.http.route import JSON
from gamehall.wire.http.schemas import ERROR_CODE, REF, Schema, Schemas
from gamehall.wire.http.web import API_ROUTES
from gamehall.wire.native.actions import ACTIONS
from gamehall.wire.native.messages import ErrorPayload

KINDS: tuple[Game[Any], ...] = (*GAMES, Tournament())


def document() -> Schema:
    """One object whose fields are named in messages.ts; all types hang on it."""
    told = notices()
    views = {game.name: get_type_hints(type(game).view)["return"] for game in KINDS}
    options = {game.name: game.options for game in KINDS}
    answers = {route.name: route.answers[0] for route in API_ROUTES if route.media_type == JSON}
    types: list[Any] = [Row, Trailer, *told.values(), *views.values(), *options.values()]
    types += [kind for action in ACTIONS.values() for kind in (action.payload, action.answer)]
    types += answers.values()
    schemas = Schemas(types, KINDS)
    page = _object(
        {
            "actions": _object(
                {
                    name: _object(
                        {"ask": schemas.of(action.payload), "answer": schemas.of(action.answer)}
                    )
                    for name, action in ACTIONS.items()
                }
            ),
            "notices": _object({name: schemas.of(kind) for name, kind in told.items()}),
            "answers": _object({name: schemas.of(kind) for name, kind in answers.items()}),
            "views": _object({name: schemas.of(kind) for name, kind in views.items()}),
            "options": _object({name: schemas.of(kind) for name, kind in options.items()}),
            "commands": _object({game.name: schemas.one_of(game.commands) for game in KINDS}),
            "events": _object({game.name: schemas.one_of(game.events) for game in KINDS}),
            "houseEvents": schemas.one_of(house.EVENTS),
            "row": schemas.of(Row),
            "trailer": schemas.of(Trailer),
            "error": schemas.of(ErrorPayload),
        }
    )
    definitions = schemas.used_in(page)
    # Only the codes: what they mean is said in the page's own languages.
    codes = [error["const"] for error in definitions[ERROR_CODE]["oneOf"]]
    definitions[ERROR_CODE] = {"enum": codes}
    return {"title": "Messages", **page, "definitions": definitions}


def _object(fields: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _as_draft_7(schema: Any) -> Any:
    """The same in the older words that the generator of types understands."""
    if isinstance(schema, list):
        return [_as_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _as_draft_7(value) for key, value in schema.items()}
    if "prefixItems" in found:
        found["items"] = found.pop("prefixItems")
    else:
        # Bounds that would make a union of tuples of each length.
        found.pop("minItems", None)
        found.pop("maxItems", None)
    if "$ref" in found:
        found["$ref"] = found["$ref"].replace(REF.format(name=""), "#/definitions/")
    return found


def main() -> None:
    sys.stdout.buffer.write(msgspec.json.encode(_as_draft_7(document())))


if __name__ == "__main__":
    main()
