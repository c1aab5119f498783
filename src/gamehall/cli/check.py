"""`gamehall check`: judges any game by random play, and says in words what holds and what not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from gamehall.catalogue import GameFileError, catalogue
from gamehall.checking import determined
from gamehall.checking.determined import Journal, decided_again
from gamehall.checking.finding import Broken, Fault, Finding, sentence
from gamehall.checking.judge import Judge
from gamehall.cli.output import fail
from gamehall.errors import HallError
from gamehall.games.game import Game
from gamehall.table_log.rules import TableRules
from gamehall.terminal.text import printable

AGAIN_SECONDS = 120.0
"""For the other process, which decides a few hundred commands."""


def check(
    source: str,
    *,
    tables: int = 12,
    seed: int = 0,
    options: str = "{}",
    again: Annotated[bool, Parameter(show=False, negative="")] = False,
) -> int:
    """Judge a game: determinism, replay, legal commands, secrets, JSON, ends, money, speed.

    It plays random games from seeds, so the same call finds the same. 0 says that all holds, 1
    that something does not: then the first counter-example is shown, and how to get there.

    Example: gamehall check mygame.py --options '{"size": 5}'

    Parameters
    ----------
    source
        A Python file with a game of your own, or the name of a game that this hall has.
    tables
        How many random tables are played, of two rounds each.
    seed
        The seed of the first; the others follow.
    options
        The game's options, as JSON.
    again
        Decides journals from standard input again: what this command asks of another process.
    """
    try:
        games = _games(source)
        given = msgspec.json.decode(options.encode(), type=dict[str, Any])
        for game in games:
            TableRules(game).read_options(given)
    except (GameFileError, HallError, msgspec.MsgspecError) as error:
        return fail(str(error), 1 if isinstance(error, GameFileError) else 2)
    if not 1 <= tables <= 10_000:
        return fail("--tables is 1 to 10000.", 2)
    if again:
        return _decide_again(games, sys.stdin.buffer.read())
    seeds = range(seed, seed + tables)
    return max([_judge(game, source, given, seeds) for game in games])


def _games(source: str) -> list[Game[Any]]:
    """Those in the file, or the one of that name. Raises GameFileError."""
    known = catalogue()
    if source in known:
        return [known[source]]
    if not source.endswith(".py"):
        raise GameFileError(
            f"There is no game {source!r}. Name a Python file, or one of {', '.join(known)}."
        )
    brought = {game.name: game for game in catalogue([Path(source)]).values()}
    return [game for name, game in brought.items() if name not in known]


def _judge(game: Game[Any], source: str, options: Mapping[str, Any], seeds: range) -> int:
    judge = Judge(game, time.perf_counter)
    judge.play(options, seeds)
    if judge.journals:
        try:
            _in_another_process(game, source, judge.journals)
        except Broken as error:
            judge.blame(determined.CHECK, error)
    findings = judge.findings()
    sys.stdout.write(f"{game.title} ({game.name}): {judge.words()}\n")
    for finding in findings:
        sys.stdout.write(f"{_line(finding)}\n")
    broken = [finding.fault for finding in findings if finding.fault is not None]
    if broken:
        sys.stdout.write("".join(f"{line}\n" for line in _way_there(game, broken[0])))
    return 1 if broken else 0


def _line(finding: Finding) -> str:
    if finding.fault is None:
        return f"  holds   {finding.title}: {finding.holds}"
    return f"  BROKEN  {finding.title}: {printable(finding.fault.what)}"


def _way_there(game: Game[Any], fault: Fault) -> list[str]:
    """How to see the first counter-example oneself."""
    if fault.trial is None:
        return []
    trial = fault.trial
    lines = [
        f"The first counter-example: seed {trial.seed}, after {fault.steps} steps. To get there:",
        "  from gamehall.testing import Playout",
        f"  table = Playout({type(game).__name__}(), {dict(trial.options)!r}, seed={trial.seed},"
        f" strays=0.15, people={trial.people}, drawn=False)",
        f"  for _ in range({fault.steps}): table.step()",
    ]
    if fault.last_line:
        lines.append(f"The last row by then: {printable(fault.last_line)}")
    return lines


# In another process: whoever verifies a journal, or takes over a table, is one


def _in_another_process(game: Game[Any], source: str, journals: list[Journal]) -> None:
    """Has the journals decided again where strings have other hashes. Raises Broken."""
    # An executable is its own program; elsewhere Python runs us.
    frozen = hasattr(sys, "frozen")
    program = [sys.executable] if frozen else [sys.executable, "-P", "-m", "gamehall"]
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    try:
        ended = subprocess.run(
            [*program, "check", source, "--again"],
            input=msgspec.json.encode({game.name: journals}),
            capture_output=True,
            # It finds the same modules: a file here may be called as one of Python's.
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            timeout=AGAIN_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Broken(f"Another process is not done after {AGAIN_SECONDS:.0f} seconds.") from None
    if ended.returncode:
        words = ended.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise Broken(f"In another process the game cannot be played: {words}")
    fault = msgspec.json.decode(ended.stdout, type=str | None)
    if fault is not None:
        raise Broken(
            f"In another process, where strings have other hashes: {fault}"
            " Is there a loop over a set, or a use of hash() or id()?"
        )


def _decide_again(games: list[Game[Any]], asked: bytes) -> int:
    journals = msgspec.json.decode(asked, type=dict[str, list[Journal]])
    found = (_difference(game, each) for game in games for each in journals.get(game.name, ()))
    sys.stdout.write(msgspec.json.encode(next(filter(None, found), None)).decode())
    return 0


def _difference(game: Game[Any], journal: Journal) -> str | None:
    try:
        if decided_again(game, journal.seed, journal.lines) == journal.sights:
            return None
    except Exception as error:  # noqa: BLE001 (the rules may raise anything)
        return sentence(game, error)
    return "the views after the same events are others."
