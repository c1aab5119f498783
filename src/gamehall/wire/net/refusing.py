"""What goes wrong with a request, as its answer: it cannot be read, or not be done."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache, partial
from typing import Any, TypeVar, Union

import msgspec

from gamehall import faults
from gamehall.errors import BadRequest, HallError, IllegalCommand
from gamehall.games.game import Command, Game

T = TypeVar("T")

Refuse = Callable[[HallError], None]
"""Answers a request with an error."""

as_refusal = partial(faults.as_refusal, failed="door_fault")
"""The error to answer with: itself if it was raised on purpose, else Internal, and logged."""


async def refusing(work: Coroutine[Any, Any, Any], refuse: Refuse, **about: Any) -> None:
    """Does the work; what it raises is the answer."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 (as_refusal logs it)
        refuse(as_refusal(error, **about))


# Reading


def decoded(decode: Callable[[bytes], T], data: bytes | msgspec.Raw, wrong: str) -> T:
    """What `decode` makes of the data. Raises BadRequest, which says `wrong` and the reason."""
    try:
        return decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadRequest(f"{wrong}: {error}") from None


def decoded_as(kind: type[T], data: bytes | msgspec.Raw, wrong: str) -> T:
    """The JSON as a value of this kind. Raises BadRequest, which says `wrong` and the reason."""
    return decoded(lambda given: msgspec.json.decode(given, type=kind), data, wrong)


def read_command(game: Game[Any], raw: bytes | msgspec.Raw) -> Command:
    """The command that an object with its `type` and its fields is. Raises IllegalCommand."""
    try:
        command: Command = _decoder(game).decode(raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise IllegalCommand(f"This game takes no such command: {error}") from None
    return command


@cache
def _decoder(game: Game[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[game.commands])  # noqa: UP007 (made of many)
