"""What was said at each door, judged in its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamehall.simulation.checker.caller import check_caller
from gamehall.simulation.checker.duel import check_duel
from gamehall.simulation.checker.four import check_four
from gamehall.simulation.checker.journals import Books
from gamehall.simulation.checker.practice import check_practice
from gamehall.simulation.checker.sicbo import check_mario, check_rfc
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.simulation.checker.watch import check_watch

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
