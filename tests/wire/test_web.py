"""The page, health, metrics and what every response has in common."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import AsyncIterator, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gamehall import __version__
from gamehall.errors import Unavailable
from gamehall.wire import page, site
from gamehall.wire.addresses import reachable
from gamehall.wire.refusals import all_errors, status_of
from tests.wire.web_hall import WebHall

EVIL = "<img src=x onerror=go()>&\"'"


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "FRESH_SECONDS", -1.0)


class Seen(HTMLParser):
    """What a browser makes of the page: texts, tags and addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.refresh = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.addresses += [str(named[name]) for name in ("href", "src") if name in named]
        assert not [name for name in named if name.startswith("on") or name == "style"]
        if named.get("http-equiv") == "refresh":
            self.refresh = str(named["content"])

    def handle_data(self, data: str) -> None:
        self.text += data


async def _page(hall: WebHall, **how: Any) -> Seen:
    response = await hall.ask("/", **how)
    assert response.status == 200
    assert response.content_type == "text/html"
    return Seen(await response.text())


# The page


async def test_the_page_shows_what_goes_on(hall: WebHall) -> None:
    ann, bob, eve = [await hall.house.guest(name) for name in ("Ann", "Bob", "Eve")]
    running = await hall.play(ann, bob, (0, 1))
    waiting = await hall.open(eve)
    seen = await _page(hall)
    assert "Connect Four" in seen.text
    assert "who first has a line of stones wins" in seen.text
    assert re.search(rf"Open tables.*Table {waiting}.*Eve.*Being played", seen.text, re.S)
    assert re.search(rf"Being played.*Table {running}.*Games", seen.text, re.S)
    assert "3 here now" in seen.text
    assert f"ws://127.0.0.1:{hall.port}/ws" in seen.text
    assert "nc 127.0.0.1 8001" in seen.text
    assert "/api/asyncapi.json" in seen.addresses
    assert seen.refresh == "5"


async def test_an_empty_hall_has_a_page(hall: WebHall) -> None:
    seen = await _page(hall)
    assert "None right now." in seen.text
    assert "Nobody right now." in seen.text


async def test_names_cannot_become_markup(hall: WebHall) -> None:
    ann, bob = await hall.house.guest(EVIL), await hall.house.guest("</style><script>")
    await hall.play(ann, bob, ())
    seen = await _page(hall)
    assert seen.text.count(EVIL) == 2
    assert seen.text.count("</style><script>") == 2
    assert not {"img", "script"} & set(seen.tags)


async def test_private_tables_are_not_shown(hall: WebHall) -> None:
    table = await hall.open(await hall.house.guest("Ann"), private=True)
    assert f"Table {table}" not in (await _page(hall)).text


async def test_many_tables_and_players_are_cut(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "TABLES_MAX", 2)
    monkeypatch.setattr(page, "PLAYERS_MAX", 2)
    for number in range(4):
        await hall.open(await hall.house.guest(f"Player {number}"))
    seen = await _page(hall)
    assert "2+ waiting for players" in seen.text
    assert "/api/tables?status=waiting" in seen.addresses
    assert "and 2 more" in seen.text
    assert "Player 2" not in seen.text


async def test_the_page_asks_nobody_else_and_allows_only_its_own_style(hall: WebHall) -> None:
    response = await hall.ask("/")
    html = await response.text()
    for address in Seen(html).addresses:
        assert re.match(r"/(?!/)|data:", address), address
    style = re.search("<style>(.*)</style>", html, re.S)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = response.headers["Content-Security-Policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "url(" not in style[1]
    assert "@import" not in style[1]


async def test_a_forged_host_is_not_repeated(hall: WebHall) -> None:
    seen = await _page(hall, headers={"Host": '"><script>go()</script>'})
    assert "go()" not in seen.text
    assert "script" not in seen.tags
    assert "ws://127.0.0.1:8000/ws" in seen.text


async def test_the_hall_is_not_asked_for_each_look(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "FRESH_SECONDS", 3600.0)
    assert "0 here now" in (await _page(hall)).text
    await hall.house.guest("Ann")
    assert "0 here now" in (await _page(hall)).text


async def test_a_page_that_fails_is_a_page(hall: WebHall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(**_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(hall.house.store, "tables", away)
    response = await hall.ask("/")
    assert response.status == 503
    assert response.headers["Retry-After"] == "1"
    assert "The hall cannot save right now." in Seen(await response.text()).text


@pytest.mark.parametrize(
    ("door", "asked", "shown"),
    [
        ("0.0.0.0:8001", "hall.example:8000", "hall.example:8001"),
        ("0.0.0.0:8001", "[2001:db8::1]:8000", "[2001:db8::1]:8001"),
        (":::8001", "hall.example", "hall.example:8001"),
        ("::1:8001", "hall.example", "[::1]:8001"),
        ("10.0.0.1:8001", "hall.example", "10.0.0.1:8001"),
        ("0.0.0.0:8001", "no host at all", "0.0.0.0:8001"),
    ],
)
def test_doors_are_where_the_page_was_found(door: str, asked: str, shown: str) -> None:
    assert reachable([("native-tcp", door)], asked) == {"native-tcp": shown}


# Every response


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/metrics", "/api/games", "/api/nothing", "/nothing"]
)
async def test_every_response_has_the_headers(hall: WebHall, path: str) -> None:
    response = await hall.ask(path)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Server"] == "gamehall"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


async def test_head_is_get_without_the_body(hall: WebHall) -> None:
    table = await hall.play(await hall.house.guest("Ann"), await hall.house.guest("Bob"))
    for path in (*(str(path) for path in _paths(hall)), f"/api/tables/{table}/journal"):
        if "{" in path:
            continue
        response = await hall.ask(path, "HEAD")
        assert response.status == 200, path
        assert await response.read() == b"", path
    assert (await hall.ask("/api/nothing", "HEAD")).status == 404


def _paths(hall: WebHall) -> Iterator[str]:
    for resource in hall.app.router.resources():
        yield resource.canonical


async def test_unknown_paths_and_methods(hall: WebHall) -> None:
    assert (await hall.refusal("/api/nothing", 404))[0] == "no_such_path"
    assert (await hall.refusal("/api", 404))[0] == "no_such_path"
    for path in ("/api/games", "/healthz"):
        response = await hall.ask(path, "POST", data=b"x" * 100_000)
        assert response.status == 405
        assert response.headers["Allow"] == "GET,HEAD"
        assert (await response.json())["error"]["code"] == "method_not_allowed"
    response = await hall.ask("/nothing?<b>")
    assert response.status == 404
    assert response.content_type == "text/html"
    assert "/" in Seen(await response.text()).addresses


async def test_a_fault_of_ours_is_told_without_details(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(**_: object) -> None:
        raise RuntimeError("a detail")

    monkeypatch.setattr(hall.house.store, "tables", broken)
    code, message = await hall.refusal("/api/tables", 500)
    assert code == "internal"
    assert "detail" not in message


async def test_bad_http_is_refused_and_not_repeated_in_the_log(
    hall: WebHall, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.port)
    writer.write(b"GET /api/tables/1?key=hush\0 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 400 " in (await reader.read()).splitlines()[0]
    writer.close()
    await writer.wait_closed()
    assert "Error handling request" in caplog.text
    assert "hush" not in caplog.text
    await hall.ask("/api/tables/1?key=hush")
    assert "hush" not in caplog.text


def test_every_error_has_a_status() -> None:
    statuses = {error.code: int(status_of(error)) for error in all_errors()}
    assert all(400 <= status < 600 for status in statuses.values())
    assert statuses["column_full"] == 409
    assert statuses["no_such_table"] == 404
    assert statuses["unavailable"] == 503


# Health and metrics


async def test_health(hall: WebHall) -> None:
    assert await hall.get("/healthz") == {"ok": True}


async def test_a_hall_whose_store_is_away_is_not_healthy(hall: WebHall) -> None:
    await hall.house.store.stop()
    code, message = await hall.refusal("/healthz", 503)
    assert code == "unavailable"
    assert "store or bus" in message


async def test_health_has_a_time_limit_and_asks_once(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def hang() -> None:
        nonlocal asked
        asked += 1
        await asyncio.Event().wait()

    monkeypatch.setattr(hall.house.store, "ping", hang)
    monkeypatch.setattr(site, "HEALTH_SECONDS", 0.2)
    answers = await asyncio.gather(*(hall.refusal("/healthz", 503) for _ in range(5)))
    assert {code for code, _ in answers} == {"unavailable"}
    assert asked == 1


async def test_metrics(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    await hall.play(ann, bob, (0,))
    await hall.open(ann)
    await hall.get("/api/nothing", 404)
    text = await (await hall.ask("/metrics")).text()
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["gamehall_info", __version__] == 1
    assert samples["gamehall_started_seconds",] == 1_700_000_000
    assert samples["gamehall_players_online", "guest"] == 2
    assert samples["gamehall_players_online", "member"] == 0
    assert samples["gamehall_tables_in_memory", "playing"] == 1
    assert samples["gamehall_tables_in_memory", "waiting"] == 1
    assert samples["gamehall_http_responses_total", "404"] == 1
    assert samples["process_open_fds",] > 0
