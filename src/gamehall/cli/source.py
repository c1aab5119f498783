"""Where a log comes from: a file, or the address of a journal at a hall."""

from __future__ import annotations

import time
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

import msgspec

from gamehall.terminal.text import printable
from gamehall.wire.http.refusals import ErrorAnswer

BYTES_MAX = 64 * 1024 * 1024
"""Of a whole log. A table of ten thousand rows has about three million."""
SECONDS_MAX = 60.0
"""For getting all pages of a log, or an answer."""
STALL_SECONDS = 10.0
"""Without a byte from the hall, before it counts as gone."""
PAGE_ROWS = 1000


class SourceError(Exception):
    """Why there is no log, no answer or nothing to show. `exit_code`: 2 for a wrong call, or 1."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def read_lines(source: str) -> list[bytes]:
    """The lines of the log at a path, or at an http or https address of a table's journal.

    Raises:
        SourceError: there is none, or it is larger or slower than the limits allow.
    """
    if source.startswith(("http://", "https://")):
        return _from_address(source)
    try:
        with Path(source).open("rb") as file:
            content = file.read(BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is not a file's name"
        raise SourceError(f"Cannot read {shown(source)}: {reason}.", exit_code=2) from None
    if len(content) > BYTES_MAX:
        raise SourceError(f"The log is larger than {BYTES_MAX} bytes.")
    return bytes(content).split(b"\n")


def shown(source: str) -> str:
    """The source as it may be printed: an address without what may be a key or a password."""
    if not source.startswith(("http://", "https://")):
        return printable(source)
    bare = source.partition("?")[0].partition("#")[0]
    scheme, _, rest = bare.partition("://")
    host, slash, path = rest.partition("/")
    return printable(f"{scheme}://{host.rpartition('@')[2]}{slash}{path}")


def _from_address(address: str) -> list[bytes]:
    try:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        after = int(query.get("after", 0))
    except ValueError:
        raise SourceError(f"{shown(address)} is not a web address.", exit_code=2) from None
    deadline = time.monotonic() + SECONDS_MAX
    content = bytearray()
    while True:
        query |= {"limit": str(PAGE_ROWS), "after": str(after)}
        page_address = parts._replace(query=urlencode(query), fragment="").geturl()
        page, headers = fetch(Request(page_address), BYTES_MAX - len(content), deadline)
        content += page
        more = headers["X-Next"]
        next = int(more) if more is not None and more.isdecimal() else None
        if next is None:
            return bytes(content).split(b"\n")
        if next <= after:
            raise SourceError(f"{shown(address)} repeats itself.")
        after = next


def fetch(request: Request, bytes_max: int, deadline: float) -> tuple[bytes, Message]:
    """What a hall answers, and the headers.

    Raises:
        SourceError: it cannot be reached, it refuses, or it says more or longer than it may.
    """
    where = shown(request.full_url)
    content = bytearray()
    try:
        with urlopen(request, timeout=STALL_SECONDS) as response:
            headers: Message = response.headers
            while chunk := response.read1(65536):
                content += chunk
                if len(content) > bytes_max:
                    raise SourceError(f"What {where} has is larger than {BYTES_MAX} bytes.")
                if time.monotonic() > deadline:
                    raise SourceError(f"{where} takes longer than {SECONDS_MAX:.0f} seconds.")
    except HTTPError as error:
        exit_code = 2 if error.code == HTTPStatus.BAD_REQUEST else 1
        with error:
            why = f"{where} answers {error.code}: {_reason(error)}"
            raise SourceError(why, exit_code) from None
    except URLError as error:
        raise SourceError(f"Cannot reach {where}: {printable(str(error.reason))}.") from None
    except (OSError, HTTPException, ValueError) as error:
        raise SourceError(f"Cannot read {where}: {printable(str(error))}.") from None
    return bytes(content), headers


def _reason(error: HTTPError) -> str:
    try:
        body = error.read(65536)
        return printable(msgspec.json.decode(body, type=ErrorAnswer).error.message)
    except (OSError, HTTPException, ValueError, RecursionError):
        return printable(f"{error.reason}.")
