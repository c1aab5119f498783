"""A worker of the spider: offers itself, fetches the pages it is given, and reports them.

It comes back by itself when the hall was away, and asks for the page it has in hand.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from html.parser import HTMLParser
from urllib.parse import quote, urljoin, urlsplit

import aiohttp
import cyclopts
from spider import LINKS_MAX, REASON_MAX, TITLE_MAX, URL_MAX, BadAddress, normal, site_of
from yarl import URL

from gamehall.cli.source import printable
from gamehall.client.asking import Payload, RequestRefused
from gamehall.client.connection import ConnectionLost
from gamehall.client.native_client import NativeClient

BODY_BYTES_MAX = 1_000_000
"""Of a longer page only the beginning is looked at."""
FETCH_SECONDS = 10.0
GOODBYE_SECONDS = 3.0
ENCODED = "!#$%&'()*+,/:;=?@[]~"
"""Signs that are left as they are in an address."""


class PageReader(HTMLParser):
    """The title and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self._title: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_title = tag == "title" and not self._title
        href = dict(attrs).get("href") if tag == "a" else None
        if href is not None:
            self.hrefs.append(href)

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self._title.append(data)

    @property
    def title(self) -> str:
        return " ".join("".join(self._title).split())[:TITLE_MAX]


def links_on_site(page: str, hrefs: list[str]) -> list[str]:
    """Those that lead to pages of the same site: whole addresses, each once."""
    found = set()
    for href in hrefs:
        # What is no address of a page at all, as mailto: is not, is no error of anyone's.
        with suppress(BadAddress, ValueError):
            found.add(normal(quote(urljoin(page, href.strip()), safe=ENCODED)))
    site = site_of(page)
    return sorted(link for link in found if site_of(link) == site and len(link) <= URL_MAX)


async def fetch(session: aiohttp.ClientSession, page: int, url: str) -> Payload:
    """The command that answers for this page."""
    try:
        # As it stands, and no further: a redirect is a link, which the master judges.
        async with session.get(URL(url, encoded=True), allow_redirects=False) as answer:
            title, hrefs = "", []
            if answer.status in (301, 302, 303, 307, 308):
                hrefs = [answer.headers.get("Location", "")]
            elif answer.status != 200:
                return failed(page, f"status {answer.status}")
            elif answer.content_type == "text/html":
                reader = PageReader()
                # The parser gives up on some pages by an assertion: what it has read so far counts.
                with suppress(AssertionError):
                    reader.feed((await read(answer)).decode(errors="replace"))
                title, hrefs = reader.title, reader.hrefs
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return failed(page, type(error).__name__)
    links = links_on_site(url, hrefs)[:LINKS_MAX]
    return {"type": "report", "page": page, "title": title, "links": links}


async def read(answer: aiohttp.ClientResponse) -> bytes:
    body = b""
    async for chunk in answer.content.iter_any():
        body += chunk
        if len(body) >= BODY_BYTES_MAX:
            break
    return body


def failed(page: int, reason: str) -> Payload:
    return {"type": "failed", "page": page, "reason": reason[:REASON_MAX]}


class Worker:
    """Works at the hall's own table for as long as the client stays."""

    def __init__(
        self, client: NativeClient, session: aiohttp.ClientSession, hosts: tuple[str, ...]
    ) -> None:
        self._client = client
        self._session = session
        self._hosts = hosts
        self._seat: int | None = None
        self._table: int | None = None
        self._done: tuple[int, int] | None = None
        """The last task, as it was given. A view that was on its way may still show it."""

    async def run(self) -> None:
        """Raises ConnectionLost if the hall was away for too long."""
        await self._client.request("seek", {"game": "spider"})
        async for action, told in self._client:
            if action == "connection_lost":
                say(f"Connection lost: {told['reason']}. Trying to come back.")
            elif action == "table_view":
                self._table, self._seat = told["table"], told["seat"]
                await self._look(told["view"])
            elif action == "table_events":
                for event in told["events"]:
                    await self._hear(event)

    async def leave(self) -> None:
        """Gives its page back at once, if it has one."""
        if self._table is not None:
            await self._client.request("leave", {"table": self._table})

    async def _look(self, view: Payload) -> None:
        """After coming in, at the beginning of a crawl, or when the connection was away."""
        if not view["working"]:
            await self._act({"type": "work"})
        elif view["task"] is not None:
            await self._do(view["task"])

    async def _hear(self, event: Payload) -> None:
        if event.get("seat") != self._seat:
            return
        if event["type"] == "handed_out":
            await self._do(event)
        elif event["type"] == "worker_lost":
            say("Too slow: the page was taken back.")
            await self._act({"type": "work"})

    async def _do(self, task: Payload) -> None:
        page, url = task["page"], task["url"]
        if (page, task["until_ms"]) == self._done:
            return
        self._done = (page, task["until_ms"])
        say(f"fetches {page} {url}")
        if urlsplit(url).hostname in self._hosts:
            answer = await fetch(self._session, page, url)
        else:
            answer = failed(page, "this worker does not fetch from there")
        say(f"{answer['type']} {page}")
        await self._act(answer)

    async def _act(self, command: Payload) -> None:
        try:
            await self._client.request("act", {"table": self._table, "command": command})
        except RequestRefused as refused:
            # The page went to another meanwhile, say. What is told next says how things stand.
            say(f"Refused: {refused.code}.")


async def stay(client: NativeClient, hosts: tuple[str, ...]) -> None:
    timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
    async with client, aiohttp.ClientSession(timeout=timeout) as session:
        say(f"Connected as {client.welcome['player']['name']}.")
        worker = Worker(client, session, hosts)
        try:
            await worker.run()
        finally:
            with suppress(ConnectionLost, RequestRefused, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await worker.leave()


def work(
    *,
    url: str = "ws://127.0.0.1:8000/ws",
    name: str = "worker",
    hosts: tuple[str, ...] = ("127.0.0.1",),
) -> int:
    """Fetch pages for the spider of a hall, until Ctrl-C.

    Parameters
    ----------
    url
        A native door: ws://HOST:PORT/ws, wss://HOST/ws or tcp://HOST:PORT.
    name
        How it is called in the hall.
    hosts
        From where it fetches; whoever begins a crawl may name any address. May be repeated.
    """
    try:
        asyncio.run(stay(NativeClient(url, name=name), hosts))
    except KeyboardInterrupt:
        return 0
    except (ConnectionLost, RequestRefused, ValueError) as error:
        sys.stderr.write(f"{error}\n")
    return 1


def say(line: str) -> None:
    sys.stdout.write(printable(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(cyclopts.run(work))
