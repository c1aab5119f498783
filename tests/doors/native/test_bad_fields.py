"""Each action with each of its fields missing, too many, of another kind or out of bounds.

The only test of this door that looks into the hall's own types: so that none is left out.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from msgspec import inspect

from gamehall.wire.native.actions import ACTIONS
from tests.doors.native.bystanders import undisturbed
from tests.doors.native.clients import Door, Json
from tests.doors.native.visitors import Visitors
from tests.support.processes import HallProcess

doors = pytest.mark.parametrize("door", ["ws", "tcp"])


@pytest.fixture(autouse=True)
async def bystanders(hall: HallProcess, at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(hall):
        yield


def kinds(kind: inspect.Type) -> set[str]:
    """The kinds of JSON that a field takes."""
    match kind:
        case inspect.UnionType():
            return set().union(*(kinds(each) for each in kind.types))
        case inspect.Metadata():
            return kinds(kind.type)
        case inspect.RawType():
            return {"null", "boolean", "integer", "float", "string", "array", "object"}
        case inspect.NoneType():
            return {"null"}
        case inspect.BoolType():
            return {"boolean"}
        case inspect.IntType():
            return {"integer"}
        case inspect.FloatType():
            return {"integer", "float"}
        case inspect.StrType() | inspect.LiteralType():
            return {"string"}
        case inspect.ListType():
            return {"array"}
        case inspect.DictType():
            return {"object"}
    raise AssertionError(f"a test is missing for fields of type {kind}")


SAMPLES: dict[str, list[Any]] = {
    "null": [None],
    "boolean": [True, False],
    "integer": [1],
    "float": [3.0, 1.5],
    "string": ["1", ""],
    "array": [[]],
    "object": [{}],
}


def sample(kind: inspect.Type) -> Any:
    """A value that a field takes."""
    match kind:
        case inspect.UnionType():
            return sample(
                next(each for each in kind.types if not isinstance(each, inspect.NoneType))
            )
        case inspect.IntType():
            return max(1, kind.ge or 0)
        case inspect.StrType():
            return "x" * max(1, kind.min_length or 0)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.BoolType():
            return True
        case inspect.RawType():
            return {"type": "resign"}
        case inspect.DictType():
            return {}
    raise AssertionError(f"a test is missing for fields of type {kind}")


def out_of_bounds(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.UnionType():
            # Only of a field that is optional: what one member refuses, another may take.
            if len(kinds(kind) - {"null"}) == 1:
                yield from (value for each in kind.types for value in out_of_bounds(each))
        case inspect.IntType():
            assert kind.ge is not None, "integers have bounds"
            most = kind.le if kind.le is not None else (kind.lt or 0) - 1
            assert 0 < most < 2**53
            yield from (kind.ge - 1, most + 1, 2**63, -(2**63), 10**400, -(10**400))
        case inspect.FloatType():
            assert kind.gt == 0
            assert kind.le is not None, "numbers have bounds"
            yield from (0, -0.5, kind.le + 1, 1e300)
        case inspect.StrType():
            assert kind.max_length is not None, "texts have a longest length"
            yield "x" * (kind.max_length + 1)
            if kind.min_length:
                yield "x" * (kind.min_length - 1)
        case inspect.LiteralType():
            yield from ("x", f"{kind.values[0]} ", f"{kind.values[0]}\n")


def wrong_payloads(action: str) -> Iterator[Json]:
    struct = inspect.type_info(ACTIONS[action].payload)
    assert isinstance(struct, inspect.StructType)
    right = {field.encode_name: sample(field.type) for field in struct.fields if field.required}
    if struct.forbid_unknown_fields:  # `set_mode` is refused whatever it says.
        yield {**right, "no_such_field": 1}
        yield {**right, "": 1}
    for field in struct.fields:
        name = field.encode_name
        if field.required:
            yield {key: value for key, value in right.items() if key != name}
        for kind in SAMPLES.keys() - kinds(field.type):
            yield from ({**right, name: value} for value in SAMPLES[kind])
        for value in out_of_bounds(field.type):
            yield {**right, name: value}


@doors
@pytest.mark.parametrize("action", ACTIONS)
async def test_every_wrong_field_of_every_action(at: Visitors, door: Door, action: str) -> None:
    client = await (at.guest(door=door) if ACTIONS[action].login else at.connect(door))
    payloads = list(wrong_payloads(action))
    assert len(payloads) < 180, "more than may be sent at once"
    for payload in payloads:
        answer = await client.request(action, payload)
        told = f"{json.dumps(payload)[:200]} was answered {answer}"
        assert answer["action"] == "error", told
        assert answer["payload"]["code"] == "bad_request", told
    await client.still_answers()


@doors
async def test_before_hello_only_what_is_everyones_is_answered(at: Visitors, door: Door) -> None:
    stranger = await at.connect(door)
    for name, action in ACTIONS.items():
        struct = inspect.type_info(action.payload)
        assert isinstance(struct, inspect.StructType)
        payload = {f.encode_name: sample(f.type) for f in struct.fields if f.required}
        if action.login:
            assert await stranger.refused(name, **payload) == "not_logged_in", name
    await stranger.still_answers()
