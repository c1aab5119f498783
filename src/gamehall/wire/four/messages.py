"""What the `four` door hears and says: one JSON object a line, `{"type", "data"}`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from gamehall.errors import NoSuchPlayer
from gamehall.games.game import Outcome
from gamehall.wire.net.refusing import decoded, decoded_as

T = TypeVar("T")

_PLAYER_ID = re.compile(r"player_([1-9][0-9]{0,17})", re.ASCII)

# What clients say


class Message(msgspec.Struct, frozen=True):
    type: str
    data: msgspec.Raw = msgspec.Raw(b"null")


class Register(msgspec.Struct, frozen=True):
    name: str


class Opponent(msgspec.Struct, frozen=True):
    opponent_id: str


class Challenger(msgspec.Struct, frozen=True):
    challenger_id: str


class Move(msgspec.Struct, frozen=True):
    column: int


_message = msgspec.json.Decoder(Message)


def read_message(line: bytes) -> Message:
    """Raises BadRequest."""
    return decoded(_message.decode, line, f"This is not a message of the form {_FORM}")


def read_data(data: msgspec.Raw, kind: type[T]) -> T:
    """Raises BadRequest."""
    return decoded_as(kind, data, "The message's `data` is wrong")


def read_player_id(id: str) -> int:
    """The player's number. Raises NoSuchPlayer."""
    found = _PLAYER_ID.fullmatch(id)
    if found is None:
        raise NoSuchPlayer
    return int(found[1])


_FORM = '{"type": …, "data": …}'

# What the hall says


def encode(type: str, **data: Any) -> bytes:
    return msgspec.json.encode({"type": type, "data": data})


def player_id(player: int) -> str:
    return f"player_{player}"


def how_it_ended(outcome: Outcome | None, names: Sequence[str]) -> str:
    """A sentence; the names are those of both seats, and no outcome is a round that was void."""
    if outcome is None:
        return "The game was called off."
    if not outcome.winners:
        return "A draw: " + _DRAWS.get(outcome.reason, f"{outcome.reason}.")
    winner = outcome.winners[0]
    if outcome.reason == "line":
        return f"{names[winner]} has four in a row."
    return f"{names[1 - winner]} {_LOSSES.get(outcome.reason, f'has lost: {outcome.reason}.')}"


_DRAWS = {"board_full": "the board is full.", "agreed": "both agreed to it."}
_LOSSES = {
    "resigned": "has resigned.",
    "left": "has left the game.",
    "time": "has run out of time.",
}
