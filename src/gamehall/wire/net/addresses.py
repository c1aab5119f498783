"""Where clients outside can reach the doors."""

from __future__ import annotations

import re
from collections.abc import Callable

Doors = Callable[[], list[tuple[str, str]]]
"""Name and `HOST:PORT` of each open door."""

WEB_DOOR = "native"
"""The door on the web port; `LINES_DOOR` speaks the same over TCP."""
LINES_DOOR = "native-tcp"
WEB_SOCKET_PATH = "/ws"

_HOST = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?P<port>:[0-9]{1,5})?")
_EVERYWHERE = ("", "0.0.0.0", "::", "[::]")


def reachable(doors: list[tuple[str, str]], asked_host: str) -> dict[str, str]:
    """`HOST:PORT` by door, for a client that asked the web port as `asked_host` (its Host header).

    A door that listens everywhere is where the web port was found.
    """
    asked = _HOST.fullmatch(asked_host)
    found = {}
    for name, address in doors:
        host, _, port = address.rpartition(":")
        if name == WEB_DOOR and asked is not None:
            found[name] = asked_host
            continue
        if host in _EVERYWHERE and asked is not None:
            host = asked["host"]
        elif ":" in host and not host.startswith("["):
            host = f"[{host}]"
        found[name] = f"{host}:{port}"
    return found
