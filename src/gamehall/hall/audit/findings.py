"""What an examination of all that is kept has looked at, and what it has found."""

from __future__ import annotations

from typing import Literal

import msgspec

PROBLEMS_MAX = 20
"""Problems that are told; the others are counted."""

Check = Literal["balances", "negative", "zero", "pots", "money", "journals"]


class Problem(msgspec.Struct, frozen=True):
    """What does not fit, and where: a table's row, an account."""

    check: Check
    what: str
    table: int | None = None
    seq: int | None = None
    account: str | None = None


class Findings(msgspec.Struct):
    players: int = 0
    held: dict[str, int] = msgspec.field(
        default_factory=lambda: {"players": 0, "pots": 0, "house": 0, "mint": 0, "other": 0}
    )
    """Chips, by kind of account; those of players as their balances say."""
    minted: int = 0
    """Transfers of the mint."""
    transfers: int = 0
    """Those that were recomputed."""
    tables: int = 0
    rows: int = 0
    closed_rounds: int = 0
    running_rounds: int = 0
    forgotten: int = 0
    """Tables whose journals were deleted; `forgotten_transfers` are theirs."""
    forgotten_transfers: int = 0
    unknown: dict[str, int] = {}
    """Tables of each game that is not installed; `unknown_transfers` are theirs."""
    unknown_transfers: int = 0
    unknown_pots: int = 0
    """Those that are not empty, of running rounds whose stakes are not known."""
    broken: set[Check] = set()
    """The checks that failed."""
    problems: list[Problem] = []
    """The first of them."""
    problem_count: int = 0

    def found(self, problem: Problem) -> None:
        self.broken.add(problem.check)
        self.problem_count += 1
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append(problem)
