"""How tournaments stand, here and at other halls, as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, datetime
from urllib.parse import urlsplit

from gamehall.cli.hall_api import HallApi
from gamehall.cli.source import SourceError
from gamehall.hall.tournaments.formats.field import NO_SHOW, Match, Rest
from gamehall.hall.tournaments.tournament import View
from gamehall.terminal.text import printable, width_of
from gamehall.wire.http.api_messages import AwayList, AwayShown
from gamehall.wire.native.tournament_messages import TournamentShown

AWAY = "/api/tournaments/away"
NOBODY = "?"
"""An entrant whose name the hall does not tell."""


def tournament_lines(shown: TournamentShown) -> Iterator[str]:
    """All of it: standings, and the games by stage and round."""
    view = shown.view
    yield f"Tournament {shown.tournament}: {printable(view.title) or 'without a title'}"
    yield ", ".join(_facts(view))
    if view.winners:
        winners = ", ".join(_name(shown, seat) for seat in view.winners)
        yield f"Won by {winners}"
    yield ""
    yield from _standings(shown) if view.standings else _entrants(shown)
    yield from _games(shown)


def list_lines(tournaments: Sequence[TournamentShown]) -> list[str]:
    """One line for each."""
    rows = [("ID", "STATUS", "FORMAT", "GAME", "ENTRANTS", "TITLE")]
    for shown in tournaments:
        view = shown.view
        count = str(len(view.entrants))
        rows.append((str(shown.tournament), view.status, view.format, view.game, count, view.title))
    return aligned(rows, "><<<><")


def aligned(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Rows as lines with straight columns, each to the left (<) or to the right (>)."""
    texts = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*texts, strict=True)]
    lines = []
    for row in texts:
        cells = []
        for text, wide, side in zip(row, widths, sides, strict=True):
            blank = " " * (wide - width_of(text))
            cells.append(blank + text if side == ">" else text + blank)
        lines.append("  ".join(cells).rstrip())
    return lines


def time_shown(at_ms: int) -> str:
    """A moment, on this machine's clock."""
    try:
        at = datetime.fromtimestamp(at_ms / 1000).astimezone()
    except (OverflowError, ValueError, OSError):
        return f"after the year {MAXYEAR}"  # Whoever opens a tournament may say so.
    return f"{at:%Y-%m-%d %H:%M:%S %Z}"


def _facts(view: View) -> Iterator[str]:
    yield f"{view.format} of {printable(view.game)}"
    yield view.status
    yield f"{len(view.entrants)} entrants"
    if not view.rated:
        yield "not rated"
    if view.status == "open":
        starts_at = "when its organiser says so"
        yield f"begins {time_shown(view.starts_at_ms) if view.starts_at_ms else starts_at}"
    elif view.status == "running" and view.ends_at_ms:
        yield f"until {time_shown(view.ends_at_ms)}"


def _name(shown: TournamentShown, seat: int) -> str:
    return printable(shown.names.get(seat, NOBODY))


def _entrants(shown: TournamentShown) -> list[str]:
    clubs = any(entrant.club for entrant in shown.view.entrants)
    rows = [("NAME", "CLUB") if clubs else ("NAME",)]
    for entrant in shown.view.entrants:
        name = _name(shown, entrant.seat)
        rows.append((name, entrant.club) if clubs else (name,))
    return aligned(rows, "<<" if clubs else "<")


def _standings(shown: TournamentShown) -> list[str]:
    view = shown.view
    clubs = {entrant.seat: entrant.club for entrant in view.entrants}
    gone = {entrant.seat for entrant in view.entrants if entrant.withdrawn}
    has_clubs, has_byes = any(clubs.values()), any(each.byes for each in view.standings)
    breaks = list(view.standings[0].tie_breaks)
    head = ["RANK", "NAME", *(["CLUB"] if has_clubs else []), "POINTS", "WON", "DRAWN", "LOST"]
    head += [*(["BYES"] if has_byes else []), *(name.upper().replace("_", "-") for name in breaks)]
    rows = [head]
    for each in view.standings:
        name = _name(shown, each.seat) + (" (withdrawn)" if each.seat in gone else "")
        numbers = [each.points, each.won, each.drawn, each.lost]
        numbers += [each.byes] if has_byes else []
        numbers += [each.tie_breaks.get(name, 0) for name in breaks]
        club = [clubs.get(each.seat, "")] if has_clubs else []
        rows.append([str(each.rank), name, *club, *map(str, numbers)])
    return aligned(rows, "><" + "<" * has_clubs + ">" * (len(head) - 2 - has_clubs))


def _games(shown: TournamentShown) -> Iterator[str]:
    view = shown.view
    played: dict[tuple[str, int], list[Match | Rest]] = {}
    shown_now: list[Match | Rest] = [*view.games, *view.byes]
    for each in shown_now:
        played.setdefault((each.stage, each.round), []).append(each)
    if view.games_count > len(view.games):
        yield ""
        yield f"The last {len(view.games)} of {view.games_count} games:"
    rows = {place: [_game_row(shown, each) for each in group] for place, group in played.items()}
    lines = iter(aligned([row for group in rows.values() for row in group], "><<<<"))
    for place, group in rows.items():
        yield ""
        yield _heading(*place)
        for _ in group:
            yield next(lines)


def _heading(stage: str, round: int) -> str:
    words = [printable(stage).capitalize()] if stage else []
    if round:
        words.append(f"round {round}" if stage else f"Round {round}")
    return ", ".join(words) or "Games"


def _game_row(shown: TournamentShown, each: Match | Rest) -> tuple[str, str, str, str, str]:
    if isinstance(each, Rest):
        return ("", _name(shown, each.seat), "", "", "bye")
    first, second = _name(shown, each.first), _name(shown, each.second)
    return (str(each.number), first, "–", second, _result(shown, each))


def _result(shown: TournamentShown, game: Match) -> str:
    if game.state == "playing":
        table = shown.tables.get(game.number, 0)
        return f"playing at table {table}" if table else "about to begin"
    scores = "" if game.scores is None else f" {game.scores[0]}:{game.scores[1]}"
    if game.winner is not None:
        return f"{_name(shown, game.winner)} wins{scores} ({printable(game.reason)})"
    return "neither came" if game.reason == NO_SHOW else f"draw{scores} ({printable(game.reason)})"


def away_list_lines(api: HallApi) -> list[str]:
    """One line for each that the hall follows. Raises SourceError."""
    found = [each for page in api.every(AWAY, AwayList) for each in page.tournaments]
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
    found = _away_shown(api, away)
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
    found = _away_shown(HallApi(f"{scheme}://{parts.netloc}{parts.path.removesuffix('/ws')}"), away)
    return f"ws{found.url.removeprefix('http')}/ws", found.tournament


def _away_shown(api: HallApi, away: int) -> AwayShown:
    return api.get(f"{AWAY}/{away}", AwayShown)
