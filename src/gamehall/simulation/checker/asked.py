"""What people have asked for, and what they were answered."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from gamehall.simulation.checker.transcripts import Json, Transcript


class Asked:
    """One request of a player: how often it was sent, and what was answered."""

    def __init__(self, message: Json) -> None:
        self.message = message
        self.action: str = message["action"]
        self.payload: Json = message["payload"]
        self.sent = 0
        self.connections: set[int] = set()
        """On which it was sent."""
        self.answers: list[Json] = []

    @property
    def accepted(self) -> Json | None:
        """The answer's payload, if it was ever accepted."""
        for answer in self.answers:
            if answer["action"] != "error":
                payload: Json = answer["payload"]
                return payload
        return None

    @property
    def refusals(self) -> int:
        """How often it was surely not done."""
        codes = [each["payload"]["code"] for each in self.answers if each["action"] == "error"]
        return sum(code != "unavailable" for code in codes)

    @property
    def refused(self) -> bool:
        """Whether it was surely not done: it was sent once, and refused."""
        (code,) = [answer["payload"].get("code") for answer in self.answers][:1] or [None]
        return self.sent == 1 and self.accepted is None and code not in (None, "unavailable")

    @property
    def digest(self) -> bytes:
        raw = json.dumps(self.payload).encode()
        return hashlib.sha256(self.action.encode() + b"\0" + raw).digest()[:16]


def all_asked(transcript: Transcript) -> dict[str, Asked]:
    """By the request's id. Raises AssertionError if something was answered that was not asked."""
    found: dict[str, Asked] = {}
    open: Counter[tuple[int, str]] = Counter()
    for line in transcript.lines:
        if line.what not in ("sent", "heard"):
            continue
        message = line.message
        id = message.get("requestId")
        if id is None:
            continue
        if line.what == "sent":
            request = found.setdefault(id, Asked(message))
            assert request.message == message, f"{id} was used twice"
            request.sent += 1
            request.connections.add(line.connection)
            open[line.connection, id] += 1
        else:
            unasked = f"{transcript.name}: answered twice, or nobody asked: {message}"
            assert open[line.connection, id] > 0, unasked
            open[line.connection, id] -= 1
            found[id].answers.append(message)
    return found


def asked_by_player(transcripts: Iterable[Transcript]) -> dict[int, dict[str, Asked]]:
    """By player and request id: one person may have been here twice at a time."""
    asked: dict[int, dict[str, Asked]] = {}
    for transcript in transcripts:
        asked.setdefault(transcript.player, {}).update(all_asked(transcript))
    return asked
