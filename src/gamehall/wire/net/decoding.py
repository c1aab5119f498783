"""What clients send, read in one way; what cannot be read is refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from gamehall.errors import BadRequest

T = TypeVar("T")


def decoded(decode: Callable[[bytes], T], data: bytes | msgspec.Raw, wrong: str) -> T:
    """What `decode` makes of the data. Raises BadRequest, which says `wrong` and the reason."""
    try:
        return decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadRequest(f"{wrong}: {error}") from None


def decoded_as(kind: type[T], data: bytes | msgspec.Raw, wrong: str) -> T:
    """The JSON as a value of this kind. Raises BadRequest, which says `wrong` and the reason."""
    return decoded(lambda given: msgspec.json.decode(given, type=kind), data, wrong)
