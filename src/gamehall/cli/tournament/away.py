"""Tournaments that other halls hold, as the command line asks its own hall for them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from gamehall.cli.hall_api import HallApi
from gamehall.cli.source import SourceError
from gamehall.cli.tournament.page import aligned, time_shown, tournament_lines
from gamehall.terminal.text import printable
from gamehall.wire.http.api_messages import AwayList, AwayShown

PATH = "/api/tournaments/away"


def away_list_lines(api: HallApi) -> list[str]:
    """One line for each that the hall follows. Raises SourceError."""
    found = [each for page in api.every(PATH, AwayList) for each in page.tournaments]
    if not found:
        return ["No tournament of another hall is followed."]
    rows = [("AWAY", "STATUS", "FORMAT", "GAME", "ENTRANTS", "HELD AT", "AS", "SEEN", "TITLE")]
    for each in found:
        seen = time_shown(each.seen_at_ms) if each.reachable else "not reached"
        about = (each.status, each.format, each.game, str(each.entrants))
        rows.append((str(each.away), *about, each.url, str(each.tournament), seen, each.title))
    return aligned(rows, "><<<><><<")


def away_lines(api: HallApi, away: int) -> Iterator[str]:
    """All of one: where it is held, standings and games. Raises SourceError."""
    found = _shown(api, away)
    reached = "" if found.reachable else ", and not reached now"
    yield f"Held at {printable(found.url)}, seen {time_shown(found.seen_at_ms)}{reached}"
    yield from tournament_lines(found.shown)


def away_door(door: str, away: int) -> tuple[str, int]:
    """Where a tournament is held that the hall behind this native door follows: the native door
    there, and its number.

    Raises:
        SourceError: the hall does not follow it, or cannot be asked.
    """
    parts = urlsplit(door)
    if parts.scheme not in ("ws", "wss"):
        raise SourceError(
            "--away needs the web address of the hall: --url ws://HOST:PORT/ws or wss://HOST/ws.", 2
        )
    scheme = "https" if parts.scheme == "wss" else "http"
    found = _shown(HallApi(f"{scheme}://{parts.netloc}{parts.path.removesuffix('/ws')}"), away)
    return f"ws{found.url.removeprefix('http')}/ws", found.tournament


def _shown(api: HallApi, away: int) -> AwayShown:
    return api.get(f"{PATH}/{away}", AwayShown)
