"""`gamehall watch`: a table in a terminal, for spectators."""

from __future__ import annotations

from gamehall.cli.native_door import HERE, NativeDoor
from gamehall.cli.play import enter
from gamehall.terminal.run import Wish


def watch(
    table: int, /, *, key: str | None = None, plain: bool = False, door: NativeDoor = HERE
) -> int:
    """Watch a table in a terminal, and talk to those who are there.

    Example: gamehall watch 7 --host games.example.org --port 443 --tls

    Parameters
    ----------
    table
        The table's number.
    key
        That of a private table.
    plain
        Line by line: for screen readers, pipes and very simple terminals.
    """
    return enter(door, Wish(table, key, watch=True, plain=plain))
