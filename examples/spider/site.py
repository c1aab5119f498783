"""A small site on loopback for the spider: a tree of pages with all that makes crawling awkward.

Every page links to its children (twice, with and without a fragment), to its parent, to itself and
across the tree; some take their time; one link leads to nothing, one to another host, and one to a
page that sends on to another host.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cyclopts

CHILDREN = 3
ODD_EVERY = 20
"""Pages that are not quite what they should be."""
SLOW_EVERY = 50


def path_of(page: int) -> str:
    return f"/page/{page}" if page else "/"


def links_of(page: int, pages: int, elsewhere: str) -> Iterator[str]:
    """The links of a page, as they stand in it."""
    for child in range(CHILDREN * page + 1, min(CHILDREN * (page + 1) + 1, pages)):
        yield path_of(child)
        yield f"{path_of(child)}#again"
    yield path_of(max(page - 1, 0) // CHILDREN)
    yield f"./{page}" if page else "./"
    yield path_of((7 * page + 5) % pages)
    yield "#top"
    yield "/missing"
    yield "/moved"
    yield elsewhere
    yield "mailto:someone@example.org"


class Pages(BaseHTTPRequestHandler):
    """What answers one connection. The rest is set on a subclass, by `serve`."""

    pages: int
    slow_ms: int
    elsewhere: str

    def do_GET(self) -> None:
        number = self.path.removeprefix("/page/") if self.path != "/" else "0"
        if number.isdecimal() and int(number) < self.pages:
            self._answer_page(int(number))
        elif self.path == "/moved":
            self._answer(HTTPStatus.FOUND, "", Location=self.elsewhere)
        else:
            self._answer(HTTPStatus.NOT_FOUND, "<title>Nothing here</title>")

    def _answer_page(self, page: int) -> None:
        if page % SLOW_EVERY == SLOW_EVERY - 1:
            time.sleep(self.slow_ms / 1000)
        links = links_of(page, self.pages, self.elsewhere)
        lines = "\n".join(f'<a href="{link}">{link}</a>' for link in links)
        odd = "\n<![odd[ no browser minds this ]]>" if page % ODD_EVERY == ODD_EVERY - 1 else ""
        title = f"<title>Page {page} &amp; its\n links</title>"
        self._answer(HTTPStatus.OK, f"{title}\n{lines}{odd}")

    def _answer(self, status: HTTPStatus, html: str, **headers: str) -> None:
        body = html.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        say(f"{self.command} {self.path}")


def serve(
    *,
    pages: int = 50,
    port: int = 8099,
    slow_ms: int = 200,
    elsewhere: str = "http://elsewhere.example/",
) -> None:
    """Serve the site at http://127.0.0.1:PORT/, and say each request.

    Parameters
    ----------
    pages
        How many there are.
    port
        0 is any free one.
    slow_ms
        How long every fiftieth page takes.
    elsewhere
        The link to another host.
    """
    what = {"pages": pages, "slow_ms": slow_ms, "elsewhere": elsewhere}
    with ThreadingHTTPServer(("127.0.0.1", port), type("ThePages", (Pages,), what)) as server:
        say(f"site http://127.0.0.1:{server.server_port}/")
        server.serve_forever()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    cyclopts.run(serve)
