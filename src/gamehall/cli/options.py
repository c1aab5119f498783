"""Options that several commands have: where a hall's native door is, and files of games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

WEB_PORT = 8000
RULES = "A Python file with the rules of a game that is not installed. May be repeated."
Secret = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A key or a token: those that halls make may begin with any sign of base64."""
RulesFiles = Annotated[tuple[Path, ...], Parameter(help=RULES)]


@Parameter(name="*", group="The hall")
@dataclass(frozen=True)
class NativeDoor:
    """A hall, by its address, and the name under which one enters it."""

    host: str | None = None
    """Where the hall is; this machine if not given."""

    port: int | None = None
    """The hall's web port; 8000 if not given, or 443 with `--tls`."""

    tls: bool = False
    """Whether the connection is encrypted. The hall's certificate is checked."""

    url: str | None = None
    """The same in one: ws://HOST:PORT/ws, wss://HOST/ws or tcp://HOST:PORT."""

    name: str | None = None
    """The player's name in the hall; a number is added if someone has the name."""

    @property
    def address(self) -> str:
        """The door's address. Raises ValueError if it is given in two ways."""
        if self.url is not None:
            if self.host is not None or self.port is not None or self.tls:
                raise ValueError("Name the hall by --url, or by --host, --port and --tls.")
            return self.url
        host = bracketed(self.host or "127.0.0.1")
        port = self.port if self.port is not None else 443 if self.tls else WEB_PORT
        return f"{'wss' if self.tls else 'ws'}://{host}:{port}/ws"


HERE = NativeDoor()


def bracketed(host: str) -> str:
    """The host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
