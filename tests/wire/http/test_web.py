"""Health, metrics and what every response has in common."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from gamehall import __version__
from gamehall.wire.http import web as http_web
from gamehall.wire.http.refusals import all_errors, status_of
from tests.hall.halls import until
from tests.wire.http.test_api_docs import OPERATOR
from tests.wire.http.web_hall import Seen, WebHall


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


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
    assert response.headers["Cache-Control"] == ("no-cache" if path == "/" else "no-store")
    assert response.headers["Server"] == "gamehall"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


async def test_head_is_get_without_the_body(hall: WebHall) -> None:
    table = await hall.play(await hall.house.guest("Ann"), await hall.house.guest("Bob"))
    for path in (*(str(path) for path in _paths(hall)), f"/api/tables/{table}/journal"):
        if "{" in path:
            continue
        needed = "?game=connect-four" if path == "/api/ratings" else ""
        response = await hall.ask(path + needed, "HEAD", headers=OPERATOR)
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
    caplog.set_level(logging.DEBUG)
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
    monkeypatch.setattr(http_web, "HEALTH_SECONDS", 0.2)
    answers = await asyncio.gather(*(hall.refusal("/healthz", 503) for _ in range(5)))
    assert {code for code, _ in answers} == {"unavailable"}
    assert asked == 1


async def test_who_hangs_up_while_it_is_answered_is_no_fault(
    hall: WebHall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    table = await hall.play(ann, bob, (0,))
    reading = hall.house.hall.reading
    read, asked, gone = reading.journal, asyncio.Event(), asyncio.Event()

    async def read_late(*args: Any) -> Any:
        asked.set()
        await gone.wait()
        return await read(*args)

    monkeypatch.setattr(reading, "journal", read_late)
    _, writer = await asyncio.open_connection("127.0.0.1", hall.port)
    writer.write(f"GET /api/tables/{table}/journal HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
    await asked.wait()
    writer.transport.abort()
    await until(lambda: hall.connections == 0)
    with capture_logs() as logs:
        gone.set()
        await hall.get("/healthz")
    # Neither the hall says so, nor aiohttp.
    assert [log["event"] for log in logs if log["log_level"] == "error"] == []
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_metrics(hall: WebHall) -> None:
    ann, bob = await hall.house.guest("Ann"), await hall.house.guest("Bob")
    await hall.play(ann, bob, (0,))
    await hall.open(ann)
    hall.house.hall.people.disconnected(bob)
    await hall.get("/api/nothing", 404)
    text = await (await hall.ask("/metrics")).text()
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["gamehall_info", __version__] == 1
    assert samples["gamehall_started_seconds",] == 1_700_000_000
    assert samples["gamehall_players_online", "guest"] == 1
    assert samples["gamehall_players_online", "member"] == 0
    assert samples["gamehall_players_in_memory",] == 2
    assert samples["gamehall_tasks",] > 0
    assert samples["gamehall_tables_in_memory", "playing"] == 1
    assert samples["gamehall_tables_in_memory", "waiting"] == 1
    assert samples["gamehall_http_responses_total", "404"] == 1
    assert samples["process_open_fds",] > 0
