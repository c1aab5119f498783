"""An honest log, and what a forger makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gamehall.games.connect_four import ConnectFour
from gamehall.games.game import Game
from gamehall.table_log.journal import chained
from gamehall.table_log.verify import Verdict, verify_log
from tests.games.verify_toy import DiceGame, two_rounds

GAMES: dict[str, Game[Any]] = {"dice": DiceGame(), "connect-four": ConnectFour()}
HONEST = two_rounds()
ROWS = [json.loads(line) for line in HONEST.lines]
OPEN, SIT_ANA, SIT_BO, ROLL_0, ROLL_1, REMATCH_1, REMATCH_0, ROLL_R2, LATE, LEAVE_0, LEAVE_1 = (
    range(11)
)


def written(row: Any) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()


def forged(change: Callable[[list[Any]], object]) -> list[bytes]:
    """The honest rows with a change by someone who also writes the whole hash chain anew."""
    rows = json.loads(json.dumps(ROWS))
    change(rows)
    lines: list[bytes] = []
    hash = ""
    for row in rows:
        for event in row["events"]:
            if event["type"] == "opened":
                event["previous"] = hash
        lines.append(written(row))
        hash = chained(hash, lines[-1])
    return [*lines, written({"head": len(lines), "hash": hash})]


def judged(lines: list[bytes], last_hash: str | None = None) -> Verdict:
    return verify_log(lines, GAMES, last_hash)


def found(verdict: Verdict, words: str, seq: int | None = None) -> bool:
    assert not verdict.ok
    return any(words in str(problem) and seq in (None, problem.seq) for problem in verdict.problems)


def filtered(row: Any) -> bytes:
    """The row as the hall gives it while its round is played."""
    return written({**{k: v for k, v in row.items() if k != "command"}, "filtered": True})
