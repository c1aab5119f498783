"""A table's journal, read without any code of the hall: what happened, in which round, and who sat
where just then. What clients were told is judged by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple

Json = dict[str, Any]
WALK_IN = ("sicbo",)


class Round:
    def __init__(self, opened: Json) -> None:
        self.number: int = opened["round"]
        self.opened = opened
        self.names: dict[int, str] = {
            chair["seat"]: chair["person"]["name"] for chair in opened.get("chairs", ())
        }
        """By seat, also of those who have left."""
        self.events: list[Json] = []
        self.hash = ""
        """Of the row in which it ended."""

    @property
    def id(self) -> str:
        return f"R{self.number}"

    def one(self, kind: str) -> Json:
        """Its event of that kind."""
        (found,) = (event for event in self.events if event["type"] == kind)
        return found

    def all(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def boards(self) -> list[list[list[int]]]:
        """Of two-player Bingo, row by row."""
        return [_rows(board) for board in self.one("boards_dealt")["boards"]]

    def seat_of(self, name: str) -> int | None:
        return next((seat for seat, each in self.names.items() if each == name), None)

    def payouts(self, name: str) -> list[tuple[int, int]]:
        """The bets of that player, and what each has brought."""
        seat = self.seat_of(name)
        settled = self.all("settled")
        paid = settled[0]["payouts"].get(str(seat), ()) if settled else ()
        return [(bet, chips) for bet, chips in paid]


def _rows(board: list[int]) -> list[list[int]]:
    size = isqrt(len(board))
    return [board[start : start + size] for start in range(0, size * size, size)]


class Happened(NamedTuple):
    seq: int
    round: Round
    event: Json
    seats: dict[str, int]
    """By name, just then; those who have left are still on theirs, until someone else is."""

    def name_on(self, seat: int) -> str:
        return next(name for name, own in self.seats.items() if own == seat)


class Journal:
    def __init__(self, lines: Sequence[bytes]) -> None:
        self.rounds: list[Round] = []
        self.happened: list[Happened] = []
        self.head = 0
        hash = ""
        for line in lines:
            hash = hashlib.sha256(hash.encode() + line).hexdigest()
            row = json.loads(line)
            self.head = row["seq"]
            for event in row["events"]:
                self._take(row["seq"], event, hash)

    def _take(self, seq: int, event: Json, hash: str) -> None:
        kind = event["type"]
        if kind == "opened":
            self.rounds.append(Round(event))
        round = self.rounds[-1]
        round.events.append(event)
        if kind == "seated":
            round.names[event["seat"]] = event["person"]["name"]
        elif kind == "seats_drawn":
            people = [round.names[seat] for seat in sorted(round.names)]
            round.names = dict(zip(event["order"], people, strict=True))
        elif kind in ("round_ended", "round_voided"):
            round.hash = hash
            secret = bytes.fromhex(event["secret"])
            assert hashlib.sha256(secret).hexdigest() == round.opened["commitment"]
        seats = {name: seat for seat, name in round.names.items()}
        self.happened.append(Happened(seq, round, event, seats))

    def after(self, seq: int) -> list[Happened]:
        return [happened for happened in self.happened if happened.seq > seq]


def seen(happened: Happened, name: str) -> Json | None:
    """The event as this person may see it."""
    event, seat = happened.event, happened.seats.get(name)
    walk_in = happened.round.opened["game"] in WALK_IN
    match event["type"]:
        case "opened":
            return {key: event[key] for key in event if key != "carry"}
        case "seated" | "left" | "bet_placed" if walk_in:
            return event if event["seat"] == seat else None
        case "settled":
            own = event["payouts"].get(str(seat))
            return None if own is None else {**event, "payouts": {str(seat): own}}
        case "cards_dealt":
            own = event["cards"].get(str(seat))
            return {**event, "cards": {} if own is None else {str(seat): own}}
        case "boards_dealt" if seat is not None:
            own = event["boards"][seat]
            return {**event, "boards": [own, []] if seat == 0 else [[], own]}
        case "boards_dealt" if event.get("hidden"):
            return {**event, "boards": [[], []]}
    return event
