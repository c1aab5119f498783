"""`gamehall play`: the hall in a terminal, for people."""

from __future__ import annotations

import sys

from gamehall.cli.source import printable
from gamehall.client.native_client import NativeClient
from gamehall.terminal.run import Wish, run

WEB_PORT = 8000


def play(
    *,
    host: str | None = None,
    port: int | None = None,
    tls: bool = False,
    url: str | None = None,
    name: str | None = None,
    table: int | None = None,
    uid: int | None = None,
    key: str | None = None,
    plain: bool = False,
) -> int:
    """Play in a terminal: the hall, its tables, challenges and all games.

    Arrow keys and Enter choose, so does the mouse, and the last line says what other keys do. When
    the connection breaks it comes back and goes on where it was.

    Example: gamehall play --host games.example.org --port 443 --tls --name Ann

    Example: gamehall play --plain

    Example: gamehall play --table 7 --key 3f2a

    Parameters
    ----------
    host
        Where the hall is; this machine if not given.
    port
        The hall's web port; 8000 if not given, or 443 with `--tls`.
    tls
        Whether the connection is encrypted. The hall's certificate is checked.
    url
        The same in one: ws://HOST:PORT/ws, wss://HOST/ws or tcp://HOST:PORT.
    name
        How you are called in the hall; a number is added if someone has the name.
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
        return complain("An arena match has a --uid and a --key, and no --table.")
    if key is not None and table is None and uid is None:
        return complain("--key is that of a --table, or of a match with --uid.")
    try:
        client = NativeClient(hall_url(host, port, tls, url), name=name)
    except ValueError as error:
        return complain(str(error))
    return run(client, Wish(table, key, uid, plain=plain))


def hall_url(host: str | None, port: int | None, tls: bool, url: str | None) -> str:
    """The native door that is meant. Raises ValueError."""
    if url is not None:
        if host is not None or port is not None or tls:
            raise ValueError("Name the hall by --url, or by --host, --port and --tls.")
        return url
    host = host or "127.0.0.1"
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    port = port if port is not None else 443 if tls else WEB_PORT
    return f"{'wss' if tls else 'ws'}://{host}:{port}/ws"


def complain(sentence: str) -> int:
    """The exit code of a wrong call."""
    sys.stderr.write(f"gamehall: {printable(sentence)}\n")
    return 2
