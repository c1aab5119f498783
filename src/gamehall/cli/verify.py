"""`gamehall verify`: a finished log, judged again, with the verdict in words."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from gamehall.catalogue import journaled
from gamehall.cli.options import RulesFiles
from gamehall.cli.output import fail, write_findings
from gamehall.cli.source import SourceError, read_lines, shown
from gamehall.games.game import Game
from gamehall.table_log.verify import verify_log


def verify(source: str, *, hash: str | None = None, game: RulesFiles = ()) -> int:
    """Judge a finished log again: its numbers, its hashes, its secrets and every single command.

    A table that plays on is verified round by round, with `?round=12` behind the address.

    Example: gamehall verify http://127.0.0.1:8000/api/tables/7/journal

    Parameters
    ----------
    source
        A journal file, or the address of a table's journal or of one of its rounds.
    hash
        The hash that you were told when the game ended.
    """
    return judge(source, journaled(game), hash, sys.stdout, sys.stderr)


def judge(
    source: str, games: Mapping[str, Game[Any]], hash: str | None, out: TextIO, err: TextIO
) -> int:
    """0 if the log is true, 1 if it is not or cannot be had, 2 if the call was wrong."""
    last_hash = None if hash is None else hash.strip().lower()
    if last_hash is not None and not re.fullmatch("[0-9a-f]{64}", last_hash):
        return fail("A hash has 64 digits from 0 to f.", 2, err)
    try:
        lines = read_lines(source)
    except SourceError as error:
        return fail(str(error), error.exit_code, err)
    verdict = verify_log(lines, games, last_hash)
    out.write(f"{shown(source)}\n")
    problems = (f"row {each.seq}: {each}" if each.seq else str(each) for each in verdict.problems)
    write_findings(out, verdict.checks, problems, verdict.notes)
    if verdict.ok:
        out.write("Verified: this is what the rules and the committed chance give.\n")
        return 0
    out.write("Not verified.\n")
    return 1
