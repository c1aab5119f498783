"""The rows of a table's log: their one written form, and the chain of hashes over it.

A row's line is its JSON. hash(0) is empty, hash(n) = SHA-256(hash(n−1) ‖ line n), in hex, so that
whoever kept the last hash can tell whether any earlier row was changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import msgspec

from gamehall.games.game import Command, Event, Game, RulesFault
from gamehall.table_log import house

CODECS_MAX = 64
"""Games whose codecs are kept: more than a hall has."""


class Row(msgspec.Struct, frozen=True):
    """One accepted command and what it caused. `seat` is None for the hall and for timers."""

    table: int
    seq: int
    round: int
    at_ms: int
    seat: int | None
    command: Any
    events: tuple[Any, ...]


class UnreadableRow(RulesFault):
    """A row that could be written, and never be read again."""


def chained(previous: str, line: bytes) -> str:
    """The hash of a row's line, after the hash of the row before it."""
    return hashlib.sha256(previous.encode() + line).hexdigest()


def since_opened(row: Row) -> tuple[Any, ...]:
    """The row's events from `Opened` on: before it stands the end of the round before."""
    events = row.events
    first = next(place for place, event in enumerate(events) if isinstance(event, house.Opened))
    return events[first:]


class RowCodec:
    """Writes and reads the rows of one game's tables."""

    def __init__(self, game: Game[Any]) -> None:
        commands = _union((*house.COMMANDS, *game.commands, *game.timers), game)
        events = _union((*house.EVENTS, *game.events), game)
        fields = [("command", commands), ("events", tuple.__class_getitem__((events, ...)))]
        typed = msgspec.defstruct("TypedRow", fields, bases=(Row,), frozen=True)
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(typed)
        fields = [("command", msgspec.Raw), fields[1]]
        typed = msgspec.defstruct("EventsRow", fields, bases=(Row,), frozen=True)
        self._reader: msgspec.json.Decoder[Any] = msgspec.json.Decoder(typed)
        self._encoder = msgspec.json.Encoder()
        self._name = game.name
        self._event_types = frozenset((*house.EVENTS, *game.events))
        self.decode_command: Callable[[bytes | msgspec.Raw], Command]
        self.decode_command = msgspec.json.Decoder(commands | house.Presence).decode
        """A command alone, as it stands in a row."""
        self.decode_events: Callable[[bytes | msgspec.Raw], tuple[Event, ...]]
        self.decode_events = msgspec.json.Decoder(fields[1][1]).decode

    def encode(self, row: Row) -> bytes:
        """The row's line.

        Raises:
            UnreadableRow: it has what the game does not declare, so nobody could read it again.
        """
        for event in row.events:
            if type(event) not in self._event_types:
                raise UnreadableRow(
                    f"{type(event).__name__} is not among the `events` of {self._name}."
                )
        line = self._encoder.encode(row)
        try:
            # Values count as well as types: a number where text is declared is not checked before.
            self._decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise UnreadableRow(f"The row {line!r} cannot be read back: {error}") from error
        return line

    def decode(self, line: bytes) -> Row:
        """Raises msgspec.MsgspecError for anything that is no row of this game."""
        return self._decoder.decode(line)  # type: ignore[no-any-return]

    def read(self, line: bytes) -> Row:
        """The row with its command unread: a table's state follows from the events alone, and a
        newer release may know commands that are unknown here.

        Raises:
            msgspec.MsgspecError: it is no row, or has events of another kind.
        """
        return self._reader.decode(line)  # type: ignore[no-any-return]


@lru_cache(maxsize=CODECS_MAX)
def codec_of(game: Game[Any]) -> RowCodec:
    """The codec of this game's rows: to make one takes a millisecond."""
    return RowCodec(game)


def _union(types: Iterable[type[Command] | type[Event]], game: Game[Any]) -> Any:
    tags = [member.__struct_config__.tag for member in types]
    twice = {tag for tag in tags if tags.count(tag) > 1}
    if twice:
        raise ValueError(
            f"{game.name}: these types are taken, rename them: {sorted(map(str, twice))}"
        )
    return reduce(or_, types)
