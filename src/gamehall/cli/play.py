"""`gamehall play` and `gamehall watch`: the hall in a terminal, for people."""

from __future__ import annotations

import sys

from gamehall.cli.bot.at_hall import finish
from gamehall.cli.options import HERE, NativeDoor, Secret
from gamehall.cli.output import fail
from gamehall.client.native_client import NativeClient
from gamehall.terminal.run import Wish, run


def play(
    *,
    table: int | None = None,
    uid: int | None = None,
    key: Secret | None = None,
    plain: bool = False,
    door: NativeDoor = HERE,
) -> int:
    """Play in a terminal: the hall, its tables, challenges and all games.

    Arrow keys and Enter choose, so does the mouse, and the last line says what other keys do. When
    the connection breaks it comes back and goes on where it was.

    Example: gamehall play --host games.example.org --port 443 --tls --name Ann

    Example: gamehall play --plain

    Example: gamehall play --table 7 --key 3f2a

    Parameters
    ----------
    table
        Sits down at this table.
    uid
        Your number in a match of an arena, which needs a `--key`.
    key
        That of a private `--table`, or of the match.
    plain
        Line by line: for screen readers, pipes and very simple terminals.
    """
    if uid is not None and (table is not None or key is None):
        return fail("An arena match has a --uid and a --key, and no --table.", 2)
    if key is not None and table is None and uid is None:
        return fail("--key is that of a --table, or of a match with --uid.", 2)
    return _enter(door, Wish(table, key, uid, plain=plain))


def watch(
    table: int, /, *, key: Secret | None = None, plain: bool = False, door: NativeDoor = HERE
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
    return _enter(door, Wish(table, key, watch=True, plain=plain))


def _enter(door: NativeDoor, wish: Wish) -> int:
    try:
        client = NativeClient(door.address, name=door.name)
    except ValueError as error:
        return fail(str(error), 2)
    # The screen is drawn on standard error.
    if not wish.plain and not (sys.stdin.isatty() and sys.stderr.isatty()):
        return fail("This is no terminal. Use --plain to play line by line.", 2)
    return finish(run(client, wish), client.url)
