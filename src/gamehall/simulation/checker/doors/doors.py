"""What was said at each door, judged in its own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gamehall.simulation.checker.doors.caller import check_caller
from gamehall.simulation.checker.doors.duel import check_duel
from gamehall.simulation.checker.doors.four import check_four
from gamehall.simulation.checker.doors.practice import check_practice
from gamehall.simulation.checker.doors.sicbo import check_mario, check_rfc
from gamehall.simulation.checker.doors.watch import check_watch
from gamehall.simulation.checker.journals import Books
from gamehall.simulation.checker.transcripts import Transcript

CHECKS: dict[str, Callable[[Sequence[Transcript], Books], None]] = {
    "rfc": check_rfc,
    "mario": check_mario,
    "caller": check_caller,
    "four": check_four,
    "duel": check_duel,
    "watch": check_watch,
    "practice": check_practice,
}
"""Each gets what all clients of its door have sent and heard, and raises AssertionError."""
FAULT = "Something went wrong here."
"""What every door says when the hall is at fault."""


def check_doors(clients: Mapping[str, Sequence[Transcript]], books: Books) -> None:
    """By each door's name, what its clients have sent and heard. `books`: all that doors other than
    the native one may tell of. Raises AssertionError."""
    for door, transcripts in clients.items():
        for transcript in transcripts:
            for line in transcript.lines:
                fault = line.what == "heard" and FAULT in line.text
                assert not fault, f"{transcript.name} heard of a fault: {line.text}"
        if door in CHECKS:
            CHECKS[door](transcripts, books)
