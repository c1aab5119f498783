"""What people are called, have said and have asked for, as far as they were listened to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gamehall.simulation.checker.asked import Asked
from gamehall.simulation.checker.journals import Books, as_json
from gamehall.simulation.checker.transcripts import Json, Transcript

WATCHING = ("watch", "seek", "sit")
"""Actions by which a connection may come to watch: the last two where people walk in."""


class Wanted(NamedTuple):
    """A challenge as it was asked for."""

    sender: int
    target: int
    game: str
    options: Json
    challenges: frozenset[int] | None
    """The ids that it got; None if the sender was not answered each time."""


class Facts:
    def __init__(
        self,
        transcripts: Sequence[Transcript],
        asked: Mapping[int, Mapping[str, Asked]],
        books: Books,
        elsewhere: int,
    ) -> None:
        """`elsewhere`: how many connections there were beside these."""
        self.listened_to = frozenset(asked)
        self.names = _names(transcripts, books)
        self.said = _said(asked)
        self.wanted = list(_wanted(asked))
        self.played_with = _played_with(books)
        self._elsewhere = elsewhere
        self._watchers = _watchers(transcripts)

    def watching_most(self, table: int, *, walk_in: bool) -> int:
        """How many connections can ever have watched a table."""
        wishes: list[tuple[str, int | None]] = [("watch", table)]
        if walk_in:
            wishes += [("seek", None), ("sit", table)]
        found = set[tuple[int, int]]().union(*(self._watchers.get(wish, ()) for wish in wishes))
        return len(found) + self._elsewhere


def _names(transcripts: Sequence[Transcript], books: Books) -> dict[int, set[str]]:
    """All that each player was ever called, as it was told itself or as journals have it."""
    names: dict[int, set[str]] = {}
    for transcript in transcripts:
        for message in transcript.heard():
            if message["action"] in ("hello", "login", "register"):
                player = message["payload"]["player"]
                names.setdefault(player["id"], set()).add(player["name"])
    for journal in books.journals.values():
        for state in journal.states:
            for person in () if state is None else state.chairs.values():
                names.setdefault(person.player, set()).add(person.name)
    return names


def _said(asked: Mapping[int, Mapping[str, Asked]]) -> Counter[tuple[int, int, str]]:
    """Table, player and text, with how often that may have been said."""
    said: Counter[tuple[int, int, str]] = Counter()
    for player, requests in asked.items():
        for request in requests.values():
            if request.action == "say":
                line = (request.payload["table"], player, request.payload["text"])
                said[line] += request.sent - request.refusals
    return said


def _wanted(asked: Mapping[int, Mapping[str, Asked]]) -> Iterator[Wanted]:
    for player, requests in asked.items():
        for request in requests.values():
            if request.action == "challenge":
                payload = request.payload
                target, options = payload["player"], payload.get("options", {})
                yield Wanted(player, target, payload["game"], options, _ids(request))


def _ids(request: Asked) -> frozenset[int] | None:
    told = [each["payload"] for each in request.answers if each["action"] != "error"]
    if len(told) + request.refusals < request.sent:
        return None
    return frozenset(each["challenge"] for each in told)


def _played_with(books: Books) -> dict[int, Json]:
    """The options of the tables that challenges have opened."""
    return {
        int(journal.origin.split(":")[1]): as_json(state.opened.options)
        for journal in books.journals.values()
        if journal.origin.startswith("challenge:")
        for state in journal.states[1:2]
        if state is not None
    }


def _watchers(
    transcripts: Sequence[Transcript],
) -> dict[tuple[str, int | None], set[tuple[int, int]]]:
    """Connections by what they asked for, and of which table."""
    found: dict[tuple[str, int | None], set[tuple[int, int]]] = {}
    for number, transcript in enumerate(transcripts):
        for line in transcript.lines:
            if line.what != "sent":
                continue
            message = line.message
            if message["action"] in WATCHING:
                wish = (message["action"], message["payload"].get("table"))
                found.setdefault(wish, set()).add((number, line.connection))
    return found
