"""What a player has sent and heard, in order, for whoever checks it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

Json = dict[str, Any]
What = Literal["opened", "sent", "heard", "ended"]


class Line(NamedTuple):
    """Something that happened on one of a player's connections, which are counted from 0."""

    connection: int
    node: int
    what: What
    text: str = ""
    """The message as it went over the wire."""

    @property
    def message(self) -> Json:
        found: Json = msgspec.json.decode(self.text)
        return found

    def shows(self, table: int) -> bool:
        """Whether it is a view of that table."""
        if self.what != "heard" or '"table_view"' not in self.text:
            return False
        message = self.message
        return message["action"] == "table_view" and bool(message["payload"]["table"] == table)


class Transcript:
    """Everything that one player has sent and heard."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.player = 0
        """Its number, once it is known."""
        self.lines: list[Line] = []

    def heard(self, start: int = 0) -> Iterator[Json]:
        """All messages from the hall, from that line on."""
        for line in self.lines[start:]:
            if line.what == "heard":
                yield line.message

    def texts(self, what: What) -> list[str]:
        """All that it has sent, or heard."""
        return [line.text for line in self.lines if line.what == what]

    def by_connection(self) -> list[list[Line]]:
        connections: dict[int, list[Line]] = {}
        for line in self.lines:
            connections.setdefault(line.connection, []).append(line)
        return list(connections.values())
