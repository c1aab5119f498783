"""Whether each challenge is played or not: it is accepted, or refused, withdrawn or expired.

* a table for a challenge is there once, between the two, and both wanted it: one has challenged,
  and the other has accepted, or has challenged the first to the same
* what was acknowledged is the end, whoever is told what: who was told that it has refused plays no
  such game, and who plays it hears of no other end

That nothing comes of a challenge may be told in several ways: where the lead is lost after it has
taken a refusal, the next one lets it expire.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gamehall.simulation.checker.asked import Asked
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.lobby import called_off, invited
from gamehall.simulation.checker.transcripts import Transcript

CHALLENGE = "challenge:"
"""How the origins of tables begin that challenges have opened."""
ACCEPTED = "accepted"
ENDS = {"accept": ACCEPTED, "refuse": "refused", "withdraw": "withdrawn"}
"""What has become of a challenge when such a request is acknowledged."""

AskedBy = Mapping[int, Mapping[str, Asked]]
"""By player and request id."""


class Game(NamedTuple):
    """A table that a challenge has opened."""

    challenge: int
    sender: int
    target: int
    journal: Journal


def check_challenges(transcripts: Sequence[Transcript], asked: AskedBy, books: Books) -> None:
    """Raises AssertionError."""
    games = list(_games(books))
    _check_wanted(games, asked)
    ends: dict[int, set[str]] = {}
    for challenge, end in [*_acknowledged(asked, books), *_told(transcripts), *_played(games)]:
        ends.setdefault(challenge, set()).add(end)
    for challenge, found in ends.items():
        one = len(found) == 1 or ACCEPTED not in found
        assert one, f"challenge {challenge} has several ends: {sorted(found)}"


def _games(books: Books) -> Iterator[Game]:
    known: dict[int, int] = {}
    for journal in books.journals.values():
        if not journal.origin.startswith(CHALLENGE):
            continue
        challenge, sender, target = map(int, journal.origin.removeprefix(CHALLENGE).split(":"))
        first = known.setdefault(challenge, journal.table)
        assert first == journal.table, f"challenge {challenge}: tables {first}, {journal.table}"
        players = invited(journal)
        others = f"challenge {challenge} of {sender} to {target} brought {players} together"
        assert players == [sender, target], others
        yield Game(challenge, sender, target, journal)


def _check_wanted(games: Sequence[Game], asked: AskedBy) -> None:
    """Of who was not listened to, nothing is known."""
    played: Counter[tuple[int, int, str]] = Counter()
    for game in games:
        name = game.journal.game.name
        if called_off(game.journal):
            continue
        there = f"table {game.journal.table} is there for challenge {game.challenge}"
        if game.sender in asked:
            way = (game.sender, game.target, name)
            played[way] += 1
            assert played[way] <= _challenges(asked, *way), f"{there}, which nobody has sent"
        if game.target in asked:
            accepted = any(
                request.action == "accept" and request.payload["challenge"] == game.challenge
                for request in _perhaps_done(asked, game.target)
            )
            crossed = _challenges(asked, game.target, game.sender, name)
            assert accepted or crossed, f"{there}, which nobody has accepted"


def _challenges(asked: AskedBy, sender: int, target: int, game: str) -> int:
    """How many there may have been."""
    wanted = {"player": target, "game": game}
    return sum(
        # Who comes back may be at a node that does not know that this was done.
        len(request.connections)
        for request in _perhaps_done(asked, sender)
        if request.action == "challenge" and wanted.items() <= request.payload.items()
    )


def _perhaps_done(asked: AskedBy, player: int) -> Iterator[Asked]:
    return (request for request in asked[player].values() if not request.refused)


# Ends


def _acknowledged(asked: AskedBy, books: Books) -> Iterator[tuple[int, str]]:
    for requests in asked.values():
        for request in requests.values():
            if request.action not in ENDS or request.accepted is None:
                continue
            challenge = request.payload["challenge"]
            yield challenge, ENDS[request.action]
            if request.action == "accept":
                journal = books.journals.get(request.accepted["table"])
                assert journal is not None, f"{request.message} is lost: there is no such table"
                elsewhere = f"{request.message} was answered with table {journal.table}, of another"
                assert journal.origin.startswith(f"{CHALLENGE}{challenge}:"), elsewhere


def _told(transcripts: Sequence[Transcript]) -> Iterator[tuple[int, str]]:
    for transcript in transcripts:
        for message in transcript.heard():
            told = message.get("payload") or {}
            match message["action"]:
                case "challenge_expired":
                    yield told["challenge"], "expired"
                case "challenge_refused" | "challenge_withdrawn":
                    if told["reason"] in ENDS.values():
                        yield told["challenge"], told["reason"]


def _played(games: Sequence[Game]) -> Iterator[tuple[int, str]]:
    for game in games:
        if not called_off(game.journal):
            yield game.challenge, ACCEPTED
