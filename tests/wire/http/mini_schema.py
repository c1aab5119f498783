"""The part of JSON Schema 2020-12 that the hall's documents use, and not a keyword more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, Any] = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
BOUNDS: dict[str, Any] = {
    "minimum": lambda v, bound: not TYPES["number"](v) or v >= bound,
    "maximum": lambda v, bound: not TYPES["number"](v) or v <= bound,
    "exclusiveMaximum": lambda v, bound: not TYPES["number"](v) or v < bound,
    "minLength": lambda v, bound: not isinstance(v, str) or len(v) >= bound,
    "maxLength": lambda v, bound: not isinstance(v, str) or len(v) <= bound,
    "minItems": lambda v, bound: not isinstance(v, list) or len(v) >= bound,
    "exclusiveMinimum": lambda v, bound: not TYPES["number"](v) or v > bound,
    "maxItems": lambda v, bound: not isinstance(v, list) or len(v) <= bound,
    "pattern": lambda v, bound: not isinstance(v, str) or re.search(bound, v) is not None,
}
WORDS = {"title", "description", "default"}


def resolve(document: Any, ref: str) -> Any:
    """What `#/a/b` points at. Raises KeyError."""
    assert ref.startswith("#/"), ref
    for part in ref[2:].split("/"):
        document = document[part.replace("~1", "/").replace("~0", "~")]
    return document


def refs(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from refs(value)
    elif isinstance(part, list):
        for value in part:
            yield from refs(value)


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def problems(value: Any, schema: Any, document: Any, at: str = "$") -> list[str]:
    """What is wrong with the value. Raises if the schema itself is."""
    found: list[str] = []
    for keyword, said in schema.items():
        if keyword == "$ref":
            found += problems(value, resolve(document, said), document, at)
        elif keyword == "type":
            found += [] if TYPES[said](value) else [f"{at}: {value!r} is no {said}"]
        elif keyword in ("enum", "const"):
            allowed = said if keyword == "enum" else [said]
            found += [] if value in allowed else [f"{at}: {value!r} is not in {allowed}"]
        elif keyword in ("anyOf", "oneOf"):
            fitting = sum(not problems(value, one, document, at) for one in said)
            fits = fitting == 1 if keyword == "oneOf" else fitting > 0
            found += [] if fits else [f"{at}: {value!r} fits {fitting} of {keyword}"]
        elif keyword == "properties":
            given = value if isinstance(value, dict) else {}
            for name in given.keys() & said.keys():
                found += problems(given[name], said[name], document, f"{at}.{name}")
        elif keyword == "required":
            given = value if isinstance(value, dict) else dict.fromkeys(said)
            found += [f"{at} lacks {name}" for name in said if name not in given]
        elif keyword == "additionalProperties":
            known = schema.get("properties", {}).keys()
            others = {k: v for k, v in value.items() if k not in known}
            if said is False:
                found += [f"{at} has {name}" for name in others]
            elif said is not True:
                for name, other in others.items():
                    found += problems(other, said, document, f"{at}.{name}")
        elif keyword == "prefixItems":
            for place, (item, one) in enumerate(zip(_items(value), said, strict=False)):
                found += problems(item, one, document, f"{at}[{place}]")
        elif keyword == "items":
            first = len(schema.get("prefixItems", ()))
            rest = _items(value)[first:]
            if said is False:
                found += [f"{at} has more than {first} items"] if rest else []
                continue
            for place, item in enumerate(rest, start=first):
                found += problems(item, said, document, f"{at}[{place}]")
        elif keyword in BOUNDS:
            found += [] if BOUNDS[keyword](value, said) else [f"{at}: {keyword} {said}"]
        else:
            assert keyword in WORDS, f"{at}: {keyword} is not known"
    return found
