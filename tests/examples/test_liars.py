"""A worker that lies or floods is refused, and the crawl goes on without it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.doors.native.clients import Client
from tests.doors.native.visitors import Visitors
from tests.examples.crawling import (
    CrawlProcess,
    SiteProcess,
    WorkerProcess,
    journal,
    of_type,
    spider_hall,
)
from tests.examples.spider_play import check_story
from tests.support.processes import HallProcess

PAGES = 15


@pytest.fixture(scope="module")
def site() -> Iterator[SiteProcess]:
    with SiteProcess(f"--pages={PAGES}") as site:
        yield site


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with spider_hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


async def sits(client: Client) -> Any:
    """A view of the hall's own table, at which it sits now."""
    await client.ask("seek", game="spider")
    return await client.notice("table_view")


async def handed(client: Client, seat: int) -> Any:
    """The next page that this seat is given."""

    def find() -> Any:
        events = [event for told in client.heard("table_events") for event in told["events"]]
        own = [each for each in events if each["type"] == "handed_out" and each["seat"] == seat]
        return own[-1] if own else None

    return await client.until(find, "a page")


async def test_lies_are_refused_and_harm_nothing(hall: HallProcess, site: SiteProcess) -> None:
    at = Visitors(hall)
    liar = await at.guest("liar")
    view = await sits(liar)
    table, seat = view["table"], view["seat"]
    crawl = {"type": "crawl", "start": site.address, "delay_ms": 0}

    async def lie(**command: Any) -> str:
        return await liar.refused("act", table=table, command=command)

    assert await lie(type="report", page=0) == "not_your_page"
    await liar.ask("act", table=table, command={"type": "work"})
    await liar.ask("act", table=table, command=crawl)
    task = await handed(liar, seat)
    heard = len(liar.log)
    assert (task["page"], task["url"]) == (0, site.address)

    own = site.address
    assert await lie(type="report", page=1) == "not_your_page"
    assert await lie(type="failed", page=7, reason="") == "not_your_page"
    foreign = ["http://127.0.0.1:1/", "https://" + own.removeprefix("http://"), "http://evil/"]
    for link in foreign:
        assert await lie(type="report", page=0, links=[own, link]) == "foreign_link"
    assert await lie(type="report", page=0, links=["/page/1"]) == "bad_address"
    assert await lie(type="report", page=0, title="x" * 50_000) == "illegal_command"
    assert await lie(type="report", page=0, links=[own] * 1000) == "illegal_command"
    assert await lie(type="report", page=0, links=own) == "illegal_command"
    assert await lie(type="hand_out") == "illegal_command"
    assert await lie(type="crawl", start=own) == "round_running"
    assert {told["action"] for told in liar.log[heard:]} == {"error"}, "nobody hears of any of it"

    flood = {"type": "report", "page": 0, "links": [f"{own}{n}" for n in range(100_000)]}
    liar.send("act", {"table": table, "command": flood})
    assert await liar.error() == "too_large"
    await liar.closed()

    with WorkerProcess(hall) as worker:
        watcher = await at.guest()
        await watcher.ask("watch", table=table)
        again = await at.back(liar)
        await again.ask("leave", table=table)
        await watcher.notice("table_over")
        await at.leave()
        # Killed, it would be given a page of the next crawl.
        assert await asyncio.to_thread(worker.stop, signal.SIGINT) == 0
    events = await asyncio.to_thread(journal, hall, view["round"])
    check_story(events)
    (summed,) = of_type(events, "summed")
    assert (summed["pages"], summed["failed"]) == (PAGES + 2, 1)
    titles = {event["title"] for event in of_type(events, "reported")}
    assert titles == {"", *(f"Page {page} & its links" for page in range(PAGES))}


async def test_a_flood_that_the_door_lets_in_is_refused_by_the_master(
    site: SiteProcess, tmp_path: Path
) -> None:
    with spider_hall(tmp_path, "limits.message_bytes=8000000") as hall:
        at = Visitors(hall)
        liar = await at.guest("liar")
        table = (await sits(liar))["table"]
        for command in ({"type": "work"}, {"type": "crawl", "start": site.address, "delay_ms": 0}):
            await liar.ask("act", table=table, command=command)
        await handed(liar, seat=0)
        links = [f"{site.address}{n}" for n in range(100_000)]
        flood = {"type": "report", "page": 0, "links": links}
        assert await liar.refused("act", table=table, command=flood) == "illegal_command"
        title = {"type": "report", "page": 0, "title": "x" * 1_000_000}
        assert await liar.refused("act", table=table, command=title) == "illegal_command"
        honest = {"type": "report", "page": 0, "links": links[:1]}
        await liar.ask("act", table=table, command=honest)
        await at.leave()


async def test_a_crawl_of_another_host_is_not_fetched_by_a_worker_that_was_not_told_to(
    hall: HallProcess, site: SiteProcess
) -> None:
    """Whoever sits at the table may name any address: the worker decides where it goes."""
    with WorkerProcess(hall, "--hosts=127.0.0.9") as worker:
        fetched = len(site.fetched)
        with CrawlProcess(hall, site.address, "--delay-ms=0") as crawl:
            found = await asyncio.to_thread(crawl.found)
        assert found[-1] == "Pages: 1, failed: 1, links: 0."
        assert "does not fetch from there" in found[0]
        assert len(site.fetched) == fetched
        assert worker.running
