"""A worker of a few lines at the `practice` door, in one crawl with one at the native door."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.examples.crawling import (
    CrawlProcess,
    SiteProcess,
    WorkerProcess,
    connected,
    journal,
    of_type,
    spider_hall,
)
from tests.examples.spider_play import check_story
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS

LOGIN, WANTS_ROOM, TO_ROOM = 200002, 200004, 200006
LOGGED_IN, WAITING, ROOM_STARTS, ROOM_ENDS, FROM_ROOM = 100001, 100002, 100004, 100005, 100006
PAGES = 40


@pytest.fixture
def site() -> Iterator[SiteProcess]:
    with SiteProcess(f"--pages={PAGES}") as site:
        yield site


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with spider_hall(tmp_path, doors=("practice",)) as hall:
        yield hall


class PracticeWorker:
    """Does what the last view asks for, until the room ends or enough is done."""

    def __init__(self, hall: HallProcess) -> None:
        self._url = f"ws://127.0.0.1:{hall.ports['practice']}/"
        self._room: int | None = None
        self._done: set[tuple[int, int]] = set()
        """Pages, with the time until which they were given: a page may come twice."""
        self.id: str | None = None
        self.seat: int | None = None
        self.working = asyncio.Event()
        self.results: list[Any] = []

    async def work(self, pages: int) -> None:
        """Returns when it has answered for so many pages, or the room has ended."""
        async with connect(self._url) as socket:
            await self._say(socket, LOGIN, name="handy")
            while len(self._done) < pages and not self.results:
                await self._take(socket, json.loads(await socket.recv()))

    async def _take(self, socket: ClientConnection, message: Any) -> None:
        assert message.keys() == {"code", "id", "info", "timestamp"}, message
        code, info = message["code"], message["info"]
        if code == LOGGED_IN:
            self.id = message["id"]
            if self._room is None:
                await self._say(socket, WANTS_ROOM, game_id="spider")
        elif code == ROOM_STARTS:
            self._room, self.seat = info["room"], info["move_turn"]
            await self._look(socket, info["content"]["view"])
        elif code == FROM_ROOM and info["action"] == "view":
            await self._look(socket, info["view"])
        elif code == ROOM_ENDS:
            self.results.append(info["result"])
        else:
            assert code in (WAITING, FROM_ROOM), message

    async def _look(self, socket: ClientConnection, view: Any) -> None:
        if not view["working"]:
            await self._say(socket, TO_ROOM, room=self._room, action="work")
            return
        self.working.set()
        task = view["task"]
        if task is not None and (task["page"], task["until_ms"]) not in self._done:
            self._done.add((task["page"], task["until_ms"]))
            answer = await asyncio.to_thread(fetched, task["url"])
            await self._say(socket, TO_ROOM, room=self._room, page=task["page"], **answer)

    async def _say(self, socket: ClientConnection, code: int, **info: Any) -> None:
        message = {"code": code, "id": self.id, "info": info, "timestamp": 0}
        await socket.send(json.dumps(message))


def fetched(url: str) -> Any:
    """What is reported of a page of the site; all its pages look alike."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=WAIT_SECONDS)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    html = answer.read().decode()
    connection.close()
    if answer.status == 404:
        return {"action": "failed", "reason": "status 404"}
    found = re.search("<title>Page (.+?) &amp;", html)
    title = f"Page {found[1]} & its links" if found else ""
    links = {urljoin(url, href) for href in re.findall('href="(.*?)"', html)}
    site = urljoin(url, "/")
    return {
        "action": "report",
        "title": title,
        "links": [link for link in links if link.startswith(site)],
    }


async def test_both_doors_work_at_one_crawl(hall: HallProcess, site: SiteProcess) -> None:
    crawl = ("--delay-ms=0", f"--pages={PAGES}")
    with WorkerProcess(hall) as native:
        await asyncio.to_thread(connected, (native,))
        with CrawlProcess(hall, site.address, *crawl) as alone:
            expected = await asyncio.to_thread(alone.found)

        handy = PracticeWorker(hall)
        async with asyncio.timeout(WAIT_SECONDS):
            first = asyncio.create_task(handy.work(pages=5))
            await handy.working.wait()
            with CrawlProcess(hall, site.address, *crawl) as both:
                await first
                # Its connection is gone, and the room is still on: it goes on by its id.
                await handy.work(pages=10 * PAGES)
                assert await asyncio.to_thread(both.found) == expected
    assert handy.results == [{"winner": None, "reason": "done"}]
    events = await asyncio.to_thread(journal, hall, both.round)
    check_story(events)
    seats = {event["seat"] for event in of_type(events, "reported")}
    assert len(seats) == 2
    assert handy.seat in seats
