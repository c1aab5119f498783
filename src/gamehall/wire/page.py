"""The plain page: what is open in the hall right now. No script, and no request to anyone else."""

from __future__ import annotations

import base64
import hashlib
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape
from time import monotonic
from typing import Any

import msgspec

from gamehall import __version__
from gamehall.games.game import Game
from gamehall.hall.hall import Hall
from gamehall.hall.players import Online
from gamehall.hall.portal_facts import GameServer, Match
from gamehall.store.store import TableInfo, TableStatus
from gamehall.wire.addresses import LINES_DOOR, WEB_DOOR, WEB_SOCKET_PATH, Doors, reachable
from gamehall.wire.page_style import STYLE

REFRESH_SECONDS = 5
FRESH_SECONDS = 1.0
"""However many look at the page, the hall is asked this often."""
TABLES_MAX = 20
PLAYERS_MAX = 60
NAMES_MAX = 6
"""Of one table."""
SERVERS_MAX = 20
MATCHES_MAX = 20
"""Made at other servers."""

_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
CONTENT_SECURITY_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_ICON = "data:image/svg+xml," + (
    "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect width='16' height='16' rx='4' fill='%238a2f1d'/%3E"
    "%3Ccircle cx='5' cy='5' r='2.5' fill='%23f6f4ef'/%3E"
    "%3Ccircle cx='11' cy='11' r='2.5' fill='%23f6f4ef'/%3E%3C/svg%3E"
)


class _Now(msgspec.Struct, frozen=True):
    """What goes on, as it was a moment ago."""

    seen_at: float
    open: list[TableInfo]
    running: list[TableInfo]
    people: list[Online]
    """Those who are shown, of all who are `here`."""
    here: int
    servers: list[tuple[GameServer, bool]]
    """Game servers that have registered here, and whether each can be reached."""
    matches: list[Match]


class Page:
    def __init__(self, hall: Hall, doors: Doors, started_ms: int) -> None:
        self._hall = hall
        self._doors = doors
        self._started_ms = started_ms
        self._now: _Now | None = None

    async def render(self, asked_host: str) -> str:
        """The page for someone who reached it as `asked_host`. Raises Unavailable."""
        now = self._now
        if now is None or now.seen_at + FRESH_SECONDS < monotonic():
            now = self._now = await self._look()
        games = list(dict.fromkeys(self._hall.games.values()))
        titles = {game.name: game.title for game in games}
        opened = datetime.fromtimestamp(self._started_ms / 1000, UTC)
        body = "".join(
            (
                "<header><h1>Gamehall</h1>",
                '<p class="soft">An open game hall: play from a browser, a terminal or a bare'
                " socket.</p>",
                '<ul class="numbers">',
                f"<li><b>{now.here}</b> here now</li>",
                f"<li><b>{_count(now.open)}</b> waiting for players</li>",
                f"<li><b>{_count(now.running)}</b> being played</li></ul></header>",
                '<main><div class="cards">',
                _section("Open tables", _tables(now.open, titles, "waiting")),
                _section("Being played", _tables(now.running, titles, "playing")),
                _section("Games", _rows(map(_game, games))),
                _section("Players here", _people(now)),
                _elsewhere(now),
                _connect(reachable(self._doors(), asked_host), games),
                "</div></main>",
                f'<footer class="soft">Gamehall {escape(__version__)}, open since',
                f' <time datetime="{opened:%Y-%m-%dT%H:%MZ}">{opened:%d %B %Y, %H:%M} UTC</time>.',
                f" This page renews itself every {REFRESH_SECONDS} seconds.",
                " All chips are play money.</footer>",
            )
        )
        return _document("Gamehall", body, refreshes=True)

    async def _look(self) -> _Now:
        online = self._hall.players.online.values()
        people = [one for one in online if one.links and one.player.kind != "bot"]
        return _Now(
            open=await self._tables("waiting"),
            running=await self._tables("playing"),
            people=people[:PLAYERS_MAX],
            here=len(people),
            servers=await self._hall.portal.servers(),
            matches=await self._hall.portal.latest_matches(MATCHES_MAX),
            seen_at=monotonic(),
        )

    async def _tables(self, status: TableStatus) -> list[TableInfo]:
        # One more than is shown, to see whether there are more.
        return await self._hall.store.tables(
            game=None, status=status, private=False, after=0, limit=TABLES_MAX + 1
        )


def error_page(title: str, message: str) -> str:
    """A page that says what went wrong, and leads back."""
    body = (
        f"<header><h1>{escape(title)}</h1></header>"
        f'<main><p>{escape(message)}</p><p><a href="/">To the hall</a></p></main>'
    )
    return _document(title, body, refreshes=False)


def _document(title: str, body: str, *, refreshes: bool) -> str:
    refresh = f'<meta http-equiv="refresh" content="{REFRESH_SECONDS}">' if refreshes else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'{refresh}<title>{escape(title)}</title><link rel="icon" href="{_ICON}">'
        f"<style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _rows(rows: Iterable[str]) -> str:
    return f'<ul class="rows">{"".join(f"<li>{row}</li>" for row in rows)}</ul>'


def _count(tables: list[TableInfo]) -> str:
    return f"{TABLES_MAX}+" if len(tables) > TABLES_MAX else str(len(tables))


def _tables(tables: list[TableInfo], titles: dict[str, str], status: str) -> str:
    if not tables:
        return '<p class="soft">None right now.</p>'
    rows = [_table(table, titles) for table in tables[:TABLES_MAX]]
    if len(tables) > TABLES_MAX:
        rows.append(f'<a href="/api/tables?status={status}">and more</a>')
    return _rows(rows)


def _table(table: TableInfo, titles: dict[str, str]) -> str:
    names = [f"<bdi>{escape(name)}</bdi>" for name in table.names[:NAMES_MAX]]
    unnamed = table.count - len(names)
    if unnamed > 0:
        names.append(
            f"{unnamed:,} more" if names else "1 player" if unnamed == 1 else f"{unnamed:,} players"
        )
    sitting = " · ".join(names) or "nobody yet"
    round = f", round {table.round}" if table.round > 1 else ""
    return (
        f'<h3><a href="/api/tables/{table.id}">Table {table.id}</a></h3>'
        f'<span class="soft">{escape(titles.get(table.game, table.game))}{round}:</span> {sitting}'
    )


def _game(game: Game[Any]) -> str:
    seats = game.seats(game.options())
    players = f"{seats.least}" if seats.least == seats.most else f"{seats.least} to {seats.most:,}"
    if seats.least == 0:
        players = f"up to {seats.most:,}"
    return (
        f"<h3>{escape(game.title)} <code>{escape(game.name)}</code></h3>"
        f'<p>{escape(_sentence(game))}</p><p class="soft">{players} players</p>'
    )


def _sentence(game: Game[Any]) -> str:
    """The game in a sentence: a game is one file, and its first line says what it is."""
    text = type(game).__doc__ or sys.modules[type(game).__module__].__doc__ or ""
    return " ".join(text.strip().partition("\n\n")[0].split())


def _people(now: _Now) -> str:
    if not now.people:
        return '<p class="soft">Nobody right now.</p>'
    names = "".join(
        f'<li class="{"free" if one.free else "busy"}"><bdi>{escape(one.player.name)}</bdi></li>'
        for one in now.people
    )
    more = now.here - len(now.people)
    also = f'<p class="soft">and {more} more</p>' if more > 0 else ""
    return f'<ul class="names">{names}</ul>{also}'


def _elsewhere(now: _Now) -> str:
    """Nothing where no game server has ever registered."""
    if not now.servers:
        return ""
    names = {server.id: server.name for server, _ in now.servers}
    servers = _rows(
        f"<h3><bdi>{escape(server.name)}</bdi></h3><code>{escape(server.address)}:{server.port}"
        f'</code> <span class="soft">{"" if reachable else "unreachable"}</span>'
        for server, reachable in now.servers[:SERVERS_MAX]
    )
    matches = _rows(_match(match, names.get(match.server, "")) for match in now.matches)
    return _section(
        "Game servers", f'{servers}<p><a href="/api/arena/servers">/api/arena/servers</a></p>'
    ) + _section(
        "Matches at game servers",
        f'{matches}<p><a href="/api/arena/matches">/api/arena/matches</a> · '
        '<a href="/api/arena/scores">/api/arena/scores</a></p>',
    )


def _match(match: Match, server: str) -> str:
    score = "" if match.score1 is None else f", {match.score1} : {match.score2}"
    return (
        f"<h3>Match {match.id}</h3>{match.uid1} and {match.uid2}{score}"
        f' <span class="soft"><bdi>{escape(server)}</bdi>, {match.status}</span>'
    )


def _connect(doors: dict[str, str], games: list[Game[Any]]) -> str:
    game = games[0].name if games else ""
    web, lines = doors.get(WEB_DOOR, ""), doors.get(LINES_DOOR, "")
    parts = [
        "<p>Every client speaks the same messages, one JSON object each."
        ' <a href="/api/asyncapi.json">asyncapi.json</a> describes them all,'
        ' <a href="/api/openapi.json">openapi.json</a> the HTTP API.</p>',
        f"<p>WebSocket: <code>ws://{escape(web)}{WEB_SOCKET_PATH}</code></p>",
    ]
    if lines:
        host, _, port = lines.rpartition(":")
        typed = (
            f"nc {host.strip('[]')} {port}",
            '{"action":"hello","payload":{"name":"Ann"}}',
            f'{{"action":"open_table","payload":{{"game":"{game}","bots":1}}}}',
            '{"action":"sit","payload":{"table":TABLE}}',
            '{"action":"act","payload":{"table":TABLE,"command":ONE_OF_THE_LEGAL}}',
        )
        parts.append(
            "<p>TCP, one message a line; the answers tell the table's number, and what is legal"
            f" there:</p><pre><code>{escape(chr(10).join(typed))}</code></pre>"
        )
    links = ("games", "tables", "standings", "history")
    paths = " · ".join(f'<a href="/api/{path}">/api/{path}</a>' for path in links)
    parts.append(
        f'<p>To read: {paths} · <a href="/healthz">/healthz</a>'
        ' · <a href="/metrics">/metrics</a></p>'
    )
    others = ", ".join(f"{name} {address}" for name, address in doors.items())
    parts.append(f'<p class="soft">Open doors: {escape(others)}</p>' if others else "")
    return _section("Connect", "".join(parts))
