"""An honest run's evidence, to be changed at will, and the list of lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from itertools import chain
from typing import Any

from msgspec.structs import replace

from gamehall.simulation.checker.evidence import Evidence
from gamehall.simulation.checker.money import Transfer
from gamehall.simulation.checker.records import Record, Written
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log.journal import chained
from tests.simulation.honest import honest

Lie = Callable[["Forgery"], None]
Truth = Callable[[], tuple[Evidence, dict[str, int]]]
LIES: dict[str, tuple[Lie, str, Truth]] = {}
"""By name: what is done to the evidence, what the checker says to that, as a pattern, and which
honest run it is told about."""


def lie(found: str, about: Truth = honest) -> Callable[[Lie], Lie]:
    def listed(tell: Lie) -> Lie:
        LIES[tell.__name__] = (tell, found, about)
        return tell

    return listed


class Forgery:
    def __init__(self, about: Truth = honest) -> None:
        true, self.tables = about()
        self.evidence: Evidence = replace(
            true,
            people=[_copied(each) for each in true.people],
            visitors={
                door: [_copied(each) for each in visitors]
                for door, visitors in true.visitors.items()
            },
            records=list(true.records),
            order=list(true.order),
            moments=list(true.moments),
            kept=list(true.kept),
            arena=deepcopy(true.arena),
        )

    # What was told

    def of(self, name: str) -> Transcript:
        everyone = chain(self.evidence.people, *self.evidence.visitors.values())
        (found,) = (each for each in everyone if each.name == name)
        return found

    def places(self, name: str, what: str, action: str, table: str = "") -> list[int]:
        """Where someone's transcript has such messages, of that table if one is named."""
        return [
            place
            for place, line in enumerate(self.of(name).lines)
            if line.what == what
            and line.message["action"] == action
            and (not table or line.message["payload"].get("table") == self.tables[table])
        ]

    def told(self, name: str, place: int) -> Json:
        """The payload of a message."""
        payload: Json = self.of(name).lines[place].message["payload"]
        return payload

    def retell(self, name: str, place: int, /, **fields: Any) -> None:
        """Changes a message's payload."""
        message = self.of(name).lines[place].message
        message["payload"].update(fields)
        self.reword(name, place, message)

    def reword(self, name: str, place: int, message: Json) -> None:
        lines = self.of(name).lines
        lines[place] = lines[place]._replace(text=json.dumps(message))

    def say(self, name: str, place: int, what: Any, message: Json) -> None:
        """Something more was sent or heard there."""
        lines = self.of(name).lines
        lines.insert(place, Line(lines[place].connection, 0, what, json.dumps(message)))

    def unsay(self, name: str, *places: int) -> None:
        transcript = self.of(name)
        transcript.lines = [line for n, line in enumerate(transcript.lines) if n not in places]

    def hush(self, table: str, seq: int) -> None:
        """Nobody has heard of that row, nor of any later one."""
        for transcript in self.evidence.people:
            for action in ("table_events", "table_view", "table_over"):
                found = self.places(transcript.name, "heard", action, table)
                late = [n for n in found if self.told(transcript.name, n)["seq"] >= seq]
                left = self.places(transcript.name, "heard", "player_left", table)
                late += [n for n in left if n - 1 in late]
                self.unsay(transcript.name, *late)

    # What was written

    def record(self, table: str) -> Record:
        (found,) = (each for each in self.evidence.records if each.table == self.tables[table])
        return found

    def rewrite(self, table: str, **fields: Any) -> None:
        self.evidence.records = [
            replace(each, **fields) if each.table == self.tables[table] else each
            for each in self.evidence.records
        ]

    def write(self, table: str, written: list[Written]) -> None:
        """Another journal of that table, soundly chained, and an order that fits."""
        hash = ""
        for row in written:
            hash = chained(hash, row.line)
        self.rewrite(table, written=tuple(written), head=len(written), hash=hash)
        id = self.tables[table]
        there = [(id, row.seq) for row in written]
        order = [each for each in self.evidence.order if each[0] != id or each in there]
        self.evidence.order = order + [each for each in there if each not in order]
        self.evidence.moments = [each for each in self.evidence.moments if each.table != id]

    def row(self, table: str, place: int) -> Json:
        row: Json = json.loads(self.record(table).written[place].line)
        return row

    def write_row(self, table: str, place: int, row: Json) -> None:
        """Another row in place of that one; what follows is chained to it."""
        written = list(self.record(table).written)
        written[place] = replace(written[place], line=compact(row))
        self.write(table, written)

    def row_with(self, table: str, event: str) -> int:
        """The place of the first row that has such an event."""
        rows = enumerate(self.record(table).written)
        return next(place for place, row in rows if f'"{event}"'.encode() in row.line)

    # What was paid

    def pay(self, transfers: list[Transfer]) -> None:
        """Other transfers, and balances that fit them."""
        balances = dict.fromkeys(self.evidence.ledger.balances, 0)
        for each in transfers:
            for account, chips in ((each.source, -each.chips), (each.target, each.chips)):
                kind, _, player = account.partition(":")
                if kind == "player":
                    balances[int(player)] += chips
        ledger = self.evidence.ledger
        self.evidence.ledger = replace(ledger, transfers=tuple(transfers), balances=balances)


def notice_with(forged: Forgery, name: str, table: str, event: str) -> int:
    """The first notice that has such an event."""
    notices = forged.places(name, "heard", "table_events", table)
    return next(n for n in notices if f'"{event}"' in forged.of(name).lines[n].text)


def compact(row: Json) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode()


def _copied(transcript: Transcript) -> Transcript:
    copy = Transcript(transcript.name)
    copy.player = transcript.player
    copy.lines = list(transcript.lines)
    return copy
