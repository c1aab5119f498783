"""The page as Vite has built it from web/: read once, and sent from memory. And what a person sees
in place of a page that is not there."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from aiohttp import ETag, web

from gamehall.errors import Unavailable
from gamehall.wire.http.refusals import NoSuchPath

BUILT_PAGE = Path(__file__).parents[2] / "page"
"""Beside the code, so that a wheel carries it."""

# 'self' allows the WebSocket too, in every browser of the last years.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 40rem; padding: 3rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { letter-spacing: -0.02em; }
""".strip()
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

ERROR_PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""It stands alone: the real page's files may be what is missing."""

# An asset's name has a hash of its content; the page names the assets, so it is asked for again.
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

# Not the machine's own list, which may lack some or call them otherwise.
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
_NO_QUALITY = re.compile(r"q=0(\.0*)?")


class PageFile(NamedTuple):
    """One file, with the headers of its answer. Whoever can take it gets it `gzipped`."""

    body: bytes
    gzipped: bytes
    etag: str
    media_type: str
    cache_control: str

    def answer(self, request: web.Request) -> web.Response:
        """The file; 304 if the browser has it already."""
        headers = {"Cache-Control": self.cache_control, "Vary": "Accept-Encoding"}
        known = request.if_none_match or ()
        if any(tag.value in (self.etag, "*") for tag in known):
            response = web.Response(status=304, headers=headers)
        else:
            headers["Content-Type"] = self.media_type
            body = self.body
            if _takes_gzip(request.headers.get("Accept-Encoding", "")):
                headers["Content-Encoding"] = "gzip"
                body = self.gzipped
            response = web.Response(body=body, headers=headers)
        # Weak: the same page, but not the same bytes with gzip and without.
        response.etag = ETag(self.etag, is_weak=True)
        return response


class Page:
    """The files of a folder that a build has written; nothing else can be asked for."""

    def __init__(self, folder: Path) -> None:
        index = folder / "index.html"
        self._index = _read(index, _ASK_AGAIN) if index.exists() else None
        self._assets = {path.name: _read(path, _FOR_EVER) for path in folder.glob("assets/*")}

    def index(self, request: web.Request) -> web.Response:
        """The page itself. Raises Unavailable if it was never built."""
        if self._index is None:
            raise Unavailable(
                "The page has not been built. Run `make setup`, and start the hall again; the API"
                " and all other doors are open meanwhile."
            )
        return self._index.answer(request)

    async def asset(self, request: web.Request) -> web.Response:
        """A file that the page names. Raises NoSuchPath."""
        found = self._assets.get(request.match_info["name"])
        if found is None:
            raise NoSuchPath
        return found.answer(request)


def _read(path: Path, cache_control: str) -> PageFile:
    body = path.read_bytes()
    return PageFile(
        body,
        gzip.compress(body, mtime=0),
        hashlib.sha256(body).hexdigest()[:32],
        _MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
        cache_control,
    )


def _takes_gzip(accepted: str) -> bool:
    for coding in accepted.lower().replace(" ", "").split(","):
        name, _, quality = coding.partition(";")
        if name == "gzip":
            return not _NO_QUALITY.fullmatch(quality)
    return False


def error_page(title: str, message: str) -> str:
    """A page that says what went wrong, and leads back."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1><p>{escape(message)}</p>"
        '<p><a href="/">To the hall</a></p></main></body></html>\n'
    )
