"""`gamehall tournament`: tournaments at a hall, seen by anyone and run by its operator."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from cyclopts import App, Parameter

from gamehall.cli.hall_api import OPERATOR_HERE, WEB_HERE, HallApi, OperatorsDoor, WebDoor
from gamehall.cli.source import SourceError
from gamehall.cli.tournament.page import (
    AWAY,
    away_lines,
    away_list_lines,
    list_lines,
    tournament_lines,
)
from gamehall.hall.tournaments.events import PLAYERS_MOST, FormatName
from gamehall.wire.http.api_messages import AwayId
from gamehall.wire.native.tournament_messages import TournamentId, TournamentList, TournamentShown

tournament = App(
    name="tournament",
    help="""Tournaments at a hall: open, begin and see them. To play in one: gamehall bot --help

    Example: gamehall tournament open connect-four --format swiss --bots random:6
    """,
)


@Parameter(name="*", group="When")
@dataclass(frozen=True)
class Schedule:
    """When a tournament begins, and how long it lasts."""

    starts_at: datetime | None = None
    """When it begins by itself, as 2026-12-24T18:00; if not given, `begin` begins it."""

    rounds: int = 0
    """Of a swiss: how many; 0 is as many as find a winner."""

    minutes: float = 30
    """Of an arena: how long it lasts."""

    @property
    def starts_at_ms(self) -> int:
        """0 if `begin` begins it. Raises SourceError if it is in the past."""
        if self.starts_at is None:
            return 0
        # Without a zone, it is the time on this machine's clock.
        at_ms = round(self.starts_at.astimezone().timestamp() * 1000)
        if at_ms <= datetime.now().timestamp() * 1000:
            raise SourceError(f"--starts-at {self.starts_at} is in the past.", 2)
        return at_ms


ANY_TIME = Schedule()


@tournament.command(name="list")
def list_(*, all: bool = False, away: bool = False, door: WebDoor = WEB_HERE) -> int:
    """List the tournaments that are open, running or just over.

    Example: gamehall tournament list --url http://127.0.0.1:8000

    Parameters
    ----------
    all
        Those as well that have been over for a while.
    away
        In their place all of other halls that this hall follows.
    """
    api = door.api()
    if away:
        return _say(away_list_lines(api))
    ids = [*_ids(api), *(_ids(api, status="closed") if all else ())]
    found = [_shown(api, id) for id in sorted(ids)]
    return _say(list_lines(found) if found else ["There is no tournament."])


@tournament.command
def show(id: int, /, *, away: bool = False, door: WebDoor = WEB_HERE) -> int:
    """Show how a tournament stands: the ranking, and every game with its result or its table.

    Example: gamehall tournament show 7 --url http://127.0.0.1:8000

    Parameters
    ----------
    id
        The number of the tournament.
    away
        It is one of another hall, and the number is that under which this hall follows it.
    """
    api = door.api()
    return _say(away_lines(api, id) if away else tournament_lines(_shown(api, id)))


@tournament.command
def open(
    game: str,
    /,
    *,
    format: FormatName = "round-robin",
    title: str = "",
    bots: tuple[str, ...] = (),
    players_most: int = PLAYERS_MOST,
    rated: bool = True,
    option: tuple[str, ...] = (),
    schedule: Schedule = ANY_TIME,
    door: OperatorsDoor = OPERATOR_HERE,
) -> int:
    """Open a tournament, as the operator. It prints the number under which players enter.

    Example: gamehall tournament open connect-four --format swiss --bots random:6 --bots sensible:2

    Parameters
    ----------
    game
        The game, one for two players.
    format
        Who plays whom.
    title
        What it is called.
    bots
        Bots of the house that play, by their level, as `random` or `random:6`. May be repeated.
    players_most
        How many may enter.
    rated
        Whether its games count for ratings.
    option
        An option of the game, as move_seconds=30. May be repeated.
    """
    asked = {
        "game": game,
        "format": format,
        "title": title,
        "bots": _levels(bots),
        "rounds": schedule.rounds,
        "minutes": schedule.minutes,
        "players_most": players_most,
        "starts_at_ms": schedule.starts_at_ms,
        "rated": rated,
        "game_options": dict(map(_option, option)),
    }
    id = door.api().post("/api/tournaments", TournamentId, asked).tournament
    return _say([f"Tournament {id} is open."])


@tournament.command
def begin(id: int, /, *, door: OperatorsDoor = OPERATOR_HERE) -> int:
    """Begin a tournament, as the operator: nobody can enter it any more, and the games start.

    Example: gamehall tournament begin 7 --data gamehall-data

    Parameters
    ----------
    id
        The number of the tournament.
    """
    door.api().post(f"/api/tournaments/{id}/begin", TournamentId, {})
    return _say([f"Tournament {id} has begun."])


@tournament.command
def follow(held_at: str, id: int, /, *, door: OperatorsDoor = OPERATOR_HERE) -> int:
    """Follow a tournament at another hall, as the operator. It prints its number here.

    Its standings are then shown at this hall as well, and are kept. To play in it from here:
    gamehall bot --away

    Example: gamehall tournament follow http://north.example.org:8000 7

    Parameters
    ----------
    held_at
        The web address of the other hall.
    id
        The number of the tournament there.
    """
    followed = door.api().post(AWAY, AwayId, {"url": held_at, "tournament": id})
    return _say([f"It is followed here under the number {followed.away}."])


@tournament.command
def forget(away: int, /, *, door: OperatorsDoor = OPERATOR_HERE) -> int:
    """Follow a tournament at another hall no longer, as the operator.

    Example: gamehall tournament forget 1 --data gamehall-data

    Parameters
    ----------
    away
        The number under which this hall follows it.
    """
    door.api().post(f"{AWAY}/{away}/forget", AwayId, {})
    return _say([f"The tournament {away} of another hall is forgotten."])


def _ids(api: HallApi, **query: str) -> list[int]:
    pages = api.every("/api/tournaments", TournamentList, **query)
    return [each.id for page in pages for each in page.tournaments]


def _shown(api: HallApi, id: int) -> TournamentShown:
    return api.get(f"/api/tournaments/{id}", TournamentShown)


def _levels(bots: Iterable[str]) -> list[str]:
    levels: list[str] = []
    for each in bots:
        level, _, count = each.partition(":")
        if count and not (count.isdecimal() and 0 < int(count) <= PLAYERS_MOST):
            raise SourceError(f"--bots {each}: of one level there are 1 to {PLAYERS_MOST} bots.", 2)
        levels += [level] * int(count or 1)
    return levels


def _option(given: str) -> tuple[str, Any]:
    key, equals, value = given.partition("=")
    if not key or not equals:
        raise SourceError(f"--option {given} is not of the form KEY=VALUE.", 2)
    try:
        return key, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return key, value


def _say(lines: Iterable[str]) -> int:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0
