"""Other halls, asked over HTTP. What they answer is a stranger's, and is taken with bounds."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec

from gamehall.errors import BadRequest, HallUnreachable, NoSuchTournament
from gamehall.hall.tournaments.tournaments import Shown
from gamehall.wire.http.refusals import ErrorAnswer
from gamehall.wire.native.tournament_messages import TournamentShown

T = TypeVar("T")

ANSWER_SECONDS = 5.0
"""How long a hall has for all of its answer."""
ANSWER_BYTES_MAX = 1_000_000
"""A tournament of a thousand players and as many games has about half of that."""
TEXT_MAX = 256
ITEMS_MAX = 4096
NUMBER_LEAST, NUMBER_MOST = -(2**31), 2**47
"""As times, these are within any calendar."""

_ADDRESS = re.compile(r"(https?://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?)/?")


def web_address(url: str) -> str:
    """The address of a hall, written in the one way in which it is kept. Raises BadRequest."""
    found = _ADDRESS.fullmatch(url.lower())
    if found is None or not 0 < int(found[2] or 1) < 2**16:
        raise BadRequest("`url`: Expected the web address of a hall, as http://example.org:8000.")
    return found[1]


class WebHalls:
    """As `hall.away.OtherHalls`."""

    def __init__(self, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._answer_seconds = answer_seconds

    async def tournament(self, url: str, id: int) -> Shown:
        try:
            async with asyncio.timeout(self._answer_seconds):
                status, body = await _get(url, f"/api/tournaments/{id}")
        except TimeoutError:
            raise HallUnreachable(f"{url} does not answer in time.") from None
        if status == HTTPStatus.OK:
            return _read(url, id, body)
        refusal = _decoded(body, ErrorAnswer)
        if refusal is not None and refusal.error.code == NoSuchTournament.code:
            raise NoSuchTournament(f"{url} has no tournament {id}.")
        raise HallUnreachable(f"{url} answers {status}, not how a tournament stands.")


async def _get(url: str, path: str) -> tuple[int, bytes]:
    """Status and body. What is packed is not unpacked: it could be of any size. Raises
    HallUnreachable or TimeoutError."""
    # Here, so that a hall that starts does not wait for it (server.py).
    import aiohttp

    headers = {"Accept-Encoding": "identity"}
    body = bytearray()
    try:
        async with (
            aiohttp.ClientSession(headers=headers, auto_decompress=False) as session,
            session.get(url + path, allow_redirects=False) as response,
        ):
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > ANSWER_BYTES_MAX:
                    more = f"{url}{path} answers more than {ANSWER_BYTES_MAX} bytes."
                    raise HallUnreachable(more)
            return response.status, bytes(body)
    except TimeoutError:
        raise  # Which is an OSError too.
    except (OSError, ValueError, aiohttp.ClientError) as error:
        raise HallUnreachable(f"{url} cannot be reached: {type(error).__name__}.") from None


def _read(url: str, id: int, body: bytes) -> Shown:
    shown = _decoded(body, TournamentShown)
    if shown is None or shown.tournament != id or not _is_bounded(msgspec.to_builtins(shown)):
        raise HallUnreachable(f"{url} does not answer as a hall does.")
    return Shown(id, shown.names, shown.tables, shown.view)


def _decoded(body: bytes, kind: type[T]) -> T | None:
    """None if it is something else."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError, msgspec.MsgspecError):
        return None


def _is_bounded(value: Any) -> bool:
    match value:
        case str():
            return len(value) <= TEXT_MAX
        case int():
            return NUMBER_LEAST <= value <= NUMBER_MOST
        case dict():
            return _is_bounded([*value.keys(), *value.values()])
        case list() | tuple():
            return len(value) <= ITEMS_MAX and all(map(_is_bounded, value))
    return True
