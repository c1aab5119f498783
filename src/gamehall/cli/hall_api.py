"""A hall's HTTP API, as the command line asks it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode
from urllib.request import Request

import msgspec
from cyclopts import Parameter

from gamehall.cli.options import Secret
from gamehall.cli.source import BYTES_MAX, SECONDS_MAX, SourceError, fetch, shown
from gamehall.client.connection import is_address
from gamehall.terminal.text import printable
from gamehall.wire.http.api_messages import AwayList
from gamehall.wire.native.tournament_messages import TournamentList

PAGE = 50

T = TypeVar("T")
L = TypeVar("L", TournamentList, AwayList)


class HallApi:
    """The API of the hall at a web address, for anyone or, with its token, for the operator."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """Raises SourceError if this is no address, or no token."""
        if not is_address(url, "http", "https"):
            raise SourceError(
                f"{shown(url)!r} is not the web address of a hall, as http://127.0.0.1:8000 is.", 2
            )
        if token is not None and not (token and token.isascii() and token.isprintable()):
            raise SourceError("An operator's token is one line of letters, digits, - and _.", 2)
        self._url = url.rstrip("/")
        self._token = token

    def get(self, path: str, kind: type[T], **query: object) -> T:
        """Raises SourceError, as `post` does."""
        more = "?" + urlencode(query) if query else ""
        return self._ask(Request(f"{self._url}{path}{more}"), kind)

    def every(self, path: str, kind: type[L], **query: object) -> Iterator[L]:
        """Every page of a list. Raises SourceError."""
        after: int | None = 0
        while after is not None:
            page = self.get(path, kind, limit=PAGE, after=after, **query)
            yield page
            if page.next is not None and page.next <= after:
                raise SourceError("The hall's list of tournaments repeats itself.")
            after = page.next

    def post(self, path: str, kind: type[T], body: Mapping[str, Any]) -> T:
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = msgspec.json.encode(body)
        return self._ask(Request(f"{self._url}{path}", data, headers, method="POST"), kind)

    def _ask(self, request: Request, kind: type[T]) -> T:
        answer, _ = fetch(request, BYTES_MAX, time.monotonic() + SECONDS_MAX)
        try:
            return msgspec.json.decode(answer, type=kind)
        except (msgspec.MsgspecError, RecursionError):
            where = shown(request.full_url)
            raise SourceError(f"{where} does not answer as a hall does.") from None


@Parameter(name="*", group="The hall")
@dataclass(frozen=True)
class WebDoor:
    """A hall, by its web address."""

    url: str = "http://127.0.0.1:8000"
    """The web address of the hall."""

    def api(self) -> HallApi:
        """Raises SourceError."""
        return HallApi(self.url)


@Parameter(name="*", group="The hall")
@dataclass(frozen=True)
class OperatorsDoor(WebDoor):
    """A hall whose operator one is."""

    data: Path = Path("gamehall-data")
    """The hall's data folder, which has the operator's token."""

    token: Secret | None = None
    """The operator's token, if the folder is elsewhere."""

    def api(self) -> HallApi:
        return HallApi(self.url, operator_token(self.data) if self.token is None else self.token)


WEB_HERE, OPERATOR_HERE = WebDoor(), OperatorsDoor()


def operator_token(data: Path) -> str:
    """The token that the hall has left in its data folder. Raises SourceError."""
    path = data / "operator-token"
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no token"
        raise SourceError(
            f"Cannot read {printable(str(path))}: {reason}. Name the hall's folder with --data, or"
            " give --token.",
            2,
        ) from None
