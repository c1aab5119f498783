"""What commands print."""

from __future__ import annotations

import sys

from gamehall.cli.source import printable


def say(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


def fail(sentence: str, code: int) -> int:
    """Says why the command ends with this exit code: 1 it failed, 2 the call was wrong."""
    lines = "\n".join(printable(line) for line in sentence.splitlines())
    sys.stderr.write(f"gamehall: {lines}\n")
    return code
