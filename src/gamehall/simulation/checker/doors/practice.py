"""What clients of the `practice` door heard of Four Stone, held against the journal.

A room begins with its first view, whether one comes to it or comes back. From there on every move
is told, from the first one on, in order, and the end after the last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from gamehall.games.four_stone import FourStone, Moved
from gamehall.simulation.checker.doors import practice_codes as codes
from gamehall.simulation.checker.journals import Books, Journal, as_json
from gamehall.simulation.checker.lobby import called_off
from gamehall.simulation.checker.transcripts import Json, Line, Transcript
from gamehall.table_log import house

UNCLEAR = ("unavailable", "internal")
"""Refusals after which it may be done all the same."""
PAIRED = "pair:"
"""How the origin of a table begins that was opened for two who sought each other."""

Deed = tuple[int, int, str]
"""A room, a seat, and where from and to."""


class Round(msgspec.Struct):
    """A round of Four Stone, as the journal has it."""

    names: dict[int, str]
    """Of those who play, by seat."""
    content: dict[int, Json]
    """How it began, for each seat."""
    moves: list[Json]
    ended: house.RoundEnded | house.RoundVoided | None = None


def check_practice(transcripts: Sequence[Transcript], books: Books) -> None:
    """Raises AssertionError."""
    journals = [each for each in books.journals.values() if each.game.name == FourStone.name]
    rooms = {journal.table: rounds_of(journal) for journal in journals}
    for transcript in transcripts:
        deeds: Counter[Deed] = Counter()
        names: set[str] = set()
        for lines in transcript.by_connection():
            told = Told(transcript.name, rooms, set(deeds))
            told.check(lines)
            deeds += told.deeds
            names |= told.names
        _check_asked(transcript, names, deeds, rooms)
        _check_pairs(transcript, names, journals)


def rounds_of(journal: Journal) -> list[Round]:
    rounds: list[Round] = []
    for row in journal.rows:
        state = journal.states[row.seq]
        assert state is not None
        for event in row.events:
            if isinstance(event, house.Started):
                names = {seat: person.name for seat, person in state.chairs.items()}
                options = as_json(state.opened.options)
                content = {
                    seat: {
                        "options": options,
                        "view": as_json(journal.game.view(state.game, seat)),
                    }
                    for seat in names
                }
                rounds.append(Round(names, content, []))
            elif isinstance(event, Moved):
                rounds[-1].moves.append(_told(journal.table, event))
            elif isinstance(event, house.RoundEnded | house.RoundVoided) and rounds:
                rounds[-1].ended = event
    return rounds


def _told(room: int, event: Moved) -> Json:
    return {
        "room": room,
        "action": codes.MOVED,
        "move_turn": event.seat,
        "position_init": list(event.from_),
        "position_move": list(event.to),
    }


class Followed(msgspec.Struct):
    """A room that a connection is told of."""

    seat: int
    possible: list[Round]
    """Which round it is, by what was told so far."""
    moves: int = 0


class Told:
    """What came over one connection."""

    def __init__(self, name: str, rooms: dict[int, list[Round]], before: set[Deed]) -> None:
        """`before`: moves that were sent on earlier connections."""
        self._name = name
        self._before = before
        self._rooms = rooms
        self._me: Json = {}
        """The message that said who it is."""
        self._follows: dict[int, Followed] = {}
        self._waiting: list[Deed | None] = []
        """Moves that may still be refused; None for one of which it is not known which. A refusal
        does not say of which move it is."""
        self.names: set[str] = set()
        self.deeds: Counter[Deed] = Counter()
        """Moves that it sent, and that were not refused."""

    def check(self, lines: Sequence[Line]) -> None:
        """Raises AssertionError."""
        for line in lines:
            if line.what == "sent":
                self._sent(line.message)
            elif line.what == "heard":
                message = line.message
                assert self._is_true(message), f"{self._name} heard what is not so: {line.text}"

    def _sent(self, message: Json) -> None:
        if message["code"] == codes.ACT and message["info"]["action"] == codes.MOVE:
            deed = _deed(message["info"])
            self.deeds[deed] += 1
            self._waiting.append(deed)
        elif self._waiting:
            self._waiting.append(None)

    def _is_true(self, message: Json) -> bool:
        code, info = message["code"], message["info"]
        if code == codes.LOGGED_IN:
            self._me = message
            self.names.add(info["name"])
            return True
        if self._me and message["id"] != self._me["id"]:
            return False
        match code:
            case codes.STARTED:
                return self._started(info)
            case codes.HAPPENED:
                return self._happened(info)
            case codes.ENDED:
                return self._ended(info)
            case codes.MESSAGE:
                self._refused(info["code"])
        return True

    def _started(self, info: Json) -> bool:
        seat = info["move_turn"]
        possible = [
            each
            for each in self._rooms.get(info["room"], ())
            if each.names.get(seat) == self._me["info"]["name"]
            and each.content[seat] == info["content"]
        ]
        self._follows[info["room"]] = Followed(seat, possible)
        return bool(possible)

    def _happened(self, info: Json) -> bool:
        room = self._follows.get(info["room"])
        if room is None:
            return False
        room.moves += 1
        if _deed(info) in self._waiting:
            self._waiting.remove(_deed(info))
            if _deed(info) in self._before:
                # It may be told as it was done before, and still be answered.
                self._waiting.append(None)
        room.possible = [
            each for each in room.possible if each.moves[room.moves - 1 : room.moves] == [info]
        ]
        return bool(room.possible)

    def _ended(self, info: Json) -> bool:
        room = self._follows.pop(info["room"], None)
        return room is not None and any(
            len(each.moves) == room.moves and _result(each) == info["result"]
            for each in room.possible
        )

    def _refused(self, code: str) -> None:
        if code in codes.UNASKED or not self._waiting:
            return
        if len(self._waiting) > 1:
            self._waiting = [None] * (len(self._waiting) - 1)
            return
        deed = self._waiting.pop()
        if deed is not None and code not in UNCLEAR:
            self.deeds[deed] -= 1


def _result(round: Round) -> Json | None:
    """How it is told to any of its two players, since there is one winner at most."""
    if isinstance(round.ended, house.RoundEnded):
        outcome = round.ended.outcome
        winner = outcome.winners[0] if outcome.winners else None
        return {"winner": winner, "reason": outcome.reason}
    return None if round.ended is None else {"winner": None, "reason": "void"}


def _deed(move: Json) -> Deed:
    return move["room"], move["move_turn"], f"{move['position_init']}{move['position_move']}"


def _check_asked(
    transcript: Transcript,
    names: set[str],
    deeds: Counter[Deed],
    rooms: dict[int, list[Round]],
) -> None:
    """No move is there that it did not make, nor one that it made twice or was refused."""
    there: Counter[Deed] = Counter(
        _deed(move)
        for rounds in rooms.values()
        for round in rounds
        for move in round.moves
        if round.names[move["move_turn"]] in names
    )
    more = there - deeds
    assert not more, f"{transcript.name} did not make these moves: {more}"


def _check_pairs(transcript: Transcript, names: set[str], journals: Sequence[Journal]) -> None:
    """It was not brought to more rooms than it has asked for."""
    sent = [line.message["code"] for line in transcript.lines if line.what == "sent"]
    paired = 0
    for journal in journals:
        opened = journal.rows[0].command if journal.rows else None
        assert isinstance(opened, house.Open), f"table {journal.table} was never opened"
        if journal.origin.startswith(PAIRED) and not called_off(journal):
            paired += any(person.name in names for person in opened.reserved)
    told = f"{transcript.name} was paired {paired} times, and asked {sent.count(codes.SEEK)} times"
    assert paired <= sent.count(codes.SEEK), told
