"""JSON Schema of the hall's messages, for the documents that describe its interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from gamehall.games.game import Game
from gamehall.hall.people.notices import TableView
from gamehall.hall.records.reading import SeenRow
from gamehall.hall.records.replays import Frame
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.wire.http.refusals import ErrorInfo, all_errors
from gamehall.wire.native.messages import Act, ErrorPayload, JournalPage, TableEvents

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"
ERROR_CODE = "ErrorCode"


class Schemas:
    """The schemas of some types and of all that they consist of, for a hall with these games."""

    def __init__(self, types: Iterable[Any], games: Iterable[Game[Any]]) -> None:
        self._games = list(dict.fromkeys(games))
        commands = [command for game in self._games for command in game.commands]
        timers = [command for game in self._games for command in game.timers]
        events = [event for game in self._games for event in game.events]
        every = list(
            dict.fromkeys(
                [
                    *types, Act, TableEvents, TableView, Row, SeenRow, Frame, JournalPage,
                    ErrorPayload, ErrorInfo, *commands, *timers, *events, *house.COMMANDS,
                    *house.EVENTS,
                ]
            )
        )  # fmt: skip
        refs, self._components = msgspec.json.schema_components(every, ref_template=REF)
        self._refs: dict[Any, Schema] = dict(zip(every, refs, strict=True))
        # What the door decodes only when it knows which game is played, or passes on as it is.
        by_seats = self.one_of(commands)
        by_anyone = self.one_of([*house.COMMANDS, *commands, *timers])
        happened = {"type": "array", "items": self.one_of([*house.EVENTS, *events])}
        self._refine(Act, command=by_seats)
        self._refine(TableView, legal={"type": "array", "items": by_seats})
        self._refine(TableEvents, events=happened)
        self._refine(Row, command=by_anyone, events=happened)
        self._refine(SeenRow, events=happened)
        self._refine(Frame, events=happened)
        self._refine(JournalPage, rows={"type": "array", "items": self.one_of([Row, SeenRow])})
        self._components[ERROR_CODE] = self._error_codes()
        for error in (ErrorPayload, ErrorInfo):
            self._refine(error, code={"$ref": REF.format(name=ERROR_CODE)})

    def of(self, type: Any) -> Schema:
        """The schema of a type, as a reference where it has a name."""
        return self._refs[type]

    def one_of(self, types: Sequence[Any]) -> Schema:
        return {"anyOf": [self.of(type) for type in dict.fromkeys(types)]}

    def used_in(self, part: Any) -> dict[str, Schema]:
        """The named schemas that a part of a document needs, directly or through others."""
        used: dict[str, Schema] = {}
        waiting = [part]
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += value
            elif isinstance(value, dict):
                waiting += value.values()
                name = str(value.get("$ref", "")).removeprefix(REF.format(name=""))
                if name in self._components and name not in used:
                    used[name] = self._components[name]
                    waiting.append(used[name])
        return dict(sorted(used.items()))

    def _refine(self, type: Any, **properties: Schema) -> None:
        name = self.of(type)["$ref"].rpartition("/")[2]
        known = self._components[name]["properties"]
        for field, schema in properties.items():
            assert field in known, f"{name} has no field {field}"
            known[field] = schema

    def _error_codes(self) -> Schema:
        errors = all_errors(type(game).__module__ for game in self._games)
        return {
            "description": "Stable, and the same at every door; the text beside it may change.",
            "oneOf": [{"const": error.code, "description": error.message} for error in errors],
        }
