"""`gamehall watch`: a table in a terminal, for spectators."""

from __future__ import annotations

from gamehall.cli.play import complain, hall_url
from gamehall.client.native_client import NativeClient
from gamehall.terminal.run import Wish, run


def watch(
    table: int,
    /,
    *,
    host: str | None = None,
    port: int | None = None,
    tls: bool = False,
    url: str | None = None,
    name: str | None = None,
    key: str | None = None,
    plain: bool = False,
) -> int:
    """Watch a table in a terminal, and talk to those who are there.

    Example: gamehall watch 7 --host games.example.org --port 443 --tls

    Parameters
    ----------
    table
        The table's number.
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
    key
        That of a private table.
    plain
        Line by line: for screen readers, pipes and very simple terminals.
    """
    try:
        client = NativeClient(hall_url(host, port, tls, url), name=name)
    except ValueError as error:
        return complain(str(error))
    return run(client, Wish(table, key, watch=True, plain=plain))
