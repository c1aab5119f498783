"""How the built page is served: types, caches, compression; and what a hall without one says."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession

from gamehall.wire.http.asyncapi import reachable
from tests.wire.http.web_hall import PAGE, Seen, WebHall

FILES = {"/" if name == "index.html" else f"/{name}": text for name, text in PAGE.items()}
SCRIPT, STYLE, ICON = (path for path in FILES if path != "/")
POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
    "img-src 'self' data:", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'none'",
}  # fmt: skip


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[WebHall]:
    hall = WebHall(tmp_path)
    await hall.start()
    yield hall
    await hall.stop()


@pytest.mark.parametrize("path", FILES)
async def test_every_file_comes_whole(hall: WebHall, path: str) -> None:
    response = await hall.ask(path, headers={"Accept-Encoding": "identity"})
    assert response.status == 200
    assert "Content-Encoding" not in response.headers
    assert await response.text() == FILES[path]


@pytest.mark.parametrize(
    ("path", "media_type", "cache_control"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        (SCRIPT, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        (STYLE, "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        (ICON, "image/svg+xml", "public, max-age=31536000, immutable"),
    ],
)
async def test_types_and_caches(
    hall: WebHall, path: str, media_type: str, cache_control: str
) -> None:
    response = await hall.ask(path)
    assert response.headers["Content-Type"] == media_type
    assert response.headers["Cache-Control"] == cache_control
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True),
        ("br;q=1.0, GZIP; q=0.5", True),
        ("deflate,gzip,br,zstd", True),
        ("gzip;q=0", False),
        ("br, gzip; q=0.00", False),
        ("br", False),
        ("", False),
    ],
)
async def test_files_are_compressed_for_who_takes_that(
    hall: WebHall, path: str, accepted: str, compressed: bool
) -> None:
    headers = {"Accept-Encoding": accepted}
    async with (
        ClientSession(auto_decompress=False) as client,
        client.get(hall.url(path), headers=headers) as response,
    ):
        body = await response.read()
    assert response.headers["Vary"] == "Accept-Encoding"
    assert (response.headers.get("Content-Encoding") == "gzip") is compressed
    assert int(response.headers["Content-Length"]) == len(body)
    assert (gzip.decompress(body) if compressed else body).decode() == FILES[path]
    asked = await hall.ask(path, "HEAD", headers=headers)
    assert await asked.read() == b""
    assert {**asked.headers, "Date": ""} == {**response.headers, "Date": ""}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_who_has_it_is_told_so(hall: WebHall, path: str, method: str) -> None:
    first = await hall.ask(path)
    tag = first.headers["ETag"]
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = await hall.ask(path, method, headers={"If-None-Match": known})
        assert again.status == 304, known
        assert await again.read() == b""
        for name in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[name] == first.headers[name]
    for other in ('W/"other"', tag[:-2] + '"'):
        assert (await hall.ask(path, method, headers={"If-None-Match": other})).status == 200


async def test_another_page_has_another_tag(hall: WebHall, tmp_path: Path) -> None:
    before = (await hall.ask("/")).headers["ETag"]
    index = tmp_path / "page" / "index.html"
    index.write_text("another")
    # A build beside a running hall disturbs nobody: the page stays one that fits together.
    assert (await hall.ask("/")).headers["ETag"] == before
    (tmp_path / "later").mkdir()
    later = WebHall(tmp_path / "later", page=tmp_path / "page")
    await later.start()
    response = await later.ask("/", headers={"If-None-Match": before})
    assert response.status == 200
    assert await response.text() == "another"
    await later.stop()


@pytest.mark.parametrize(
    "path",
    [
        "/assets", "/assets/", "/assets/gone-0123.js", "/assets/index.html", "/index.html",
        "/assets/..%2Findex.html", "/assets/%2e%2e/index.html", "/assets/../secret",
    ],
)  # fmt: skip
async def test_nothing_else_can_be_asked_for(hall: WebHall, tmp_path: Path, path: str) -> None:
    (tmp_path / "page" / "secret").write_text("hush")
    response = await hall.ask(path)
    assert response.status == 404
    # Or a browser would keep for a year that a file is not there.
    assert response.headers["Cache-Control"] == "no-store"
    assert response.content_type == "text/html"


async def test_nothing_can_be_sent_there(hall: WebHall) -> None:
    for path in ("/", SCRIPT):
        response = await hall.ask(path, "POST", data=b"x")
        assert response.status == 405
        assert response.headers["Allow"] == "GET,HEAD"


@pytest.mark.parametrize("path", FILES)
async def test_the_page_may_use_nothing_but_the_hall(hall: WebHall, path: str) -> None:
    response = await hall.ask(path)
    assert set(response.headers["Content-Security-Policy"].split("; ")) == POLICY


async def test_a_hall_without_the_page_says_how_to_get_it(tmp_path: Path) -> None:
    hall = WebHall(tmp_path, page=tmp_path / "never built")
    await hall.start()
    response = await hall.ask("/")
    assert response.status == 503
    assert response.headers["Cache-Control"] == "no-store"
    assert "has not been built. Run `make setup`" in Seen(await response.text()).text
    assert (await hall.ask(SCRIPT)).status == 404
    assert await hall.get("/healthz") == {"ok": True}
    assert (await hall.get("/api/games"))["games"]
    await hall.stop()


async def test_the_page_of_an_error_stands_alone(hall: WebHall) -> None:
    response = await hall.ask("/nothing")
    assert response.status == 404
    html = await response.text()
    assert Seen(html).addresses == ["/"]
    style = re.search("<style>(.*)</style>", html, re.S)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = response.headers["Content-Security-Policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


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
def test_doors_are_where_the_hall_was_found(door: str, asked: str, shown: str) -> None:
    assert reachable([("native-tcp", door)], asked) == {"native-tcp": shown}
