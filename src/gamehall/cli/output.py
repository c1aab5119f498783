"""What commands print."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from gamehall.terminal.text import printable


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def fail(sentence: str, code: int, err: TextIO | None = None) -> int:
    """Says why the command ends with this exit code: 1 it failed, 2 the call was wrong."""
    lines = "\n".join(printable(line) for line in sentence.splitlines())
    (err or sys.stderr).write(f"gamehall: {lines}\n")
    return code


def write_findings(
    out: TextIO, sound: Iterable[str], problems: Iterable[str], notes: Iterable[str]
) -> None:
    """Lists what was looked at: what is sound, what is not, and what there is to know."""
    for word, lines in (("ok", sound), ("problem", problems), ("note", notes)):
        out.writelines(f"  {word:7}  {printable(line)}\n" for line in lines)
