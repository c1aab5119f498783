"""Crawls of a site of 200 pages by processes that are killed on the way: the result is the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from tests.examples.crawling import (
    SPIDER,
    CrawlProcess,
    Json,
    SiteProcess,
    WorkerProcess,
    connected,
    has_in_hand,
    journal,
    journal_url,
    of_type,
    reported,
    spider_hall,
)
from tests.examples.spider_play import check_story, result_of
from tests.support.processes import HallProcess, Process

PAGES = 200
SLOW_MS = 400
SLOW = {"/page/49", "/page/99", "/page/149", "/page/199"}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[SiteProcess]:
    """Another site, to which every page has a link."""
    with SiteProcess("--pages=2") as site:
        yield site
        assert site.fetched == []


@pytest.fixture(scope="module")
def site(elsewhere: SiteProcess) -> Iterator[SiteProcess]:
    more = (f"--slow-ms={SLOW_MS}", f"--elsewhere={elsewhere.address}")
    with SiteProcess(f"--pages={PAGES}", *more) as site:
        yield site


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallProcess]:
    with spider_hall(tmp_path_factory.mktemp("hall"), "table.grace_seconds=0.3") as hall:
        yield hall


@pytest.fixture(scope="module")
def alone(hall: HallProcess, site: SiteProcess) -> list[str]:
    """What one worker finds that nothing happens to."""
    with WorkerProcess(hall) as worker, CrawlProcess(hall, site.address, "--delay-ms=0") as crawl:
        found = crawl.found()
        assert worker.stop(signal.SIGINT) == 0
    events = journal(hall, crawl.round)
    check_story(events)
    assert not of_type(events, "worker_lost")
    # Every page once, but for the one that is not there.
    paths = ["/", "/moved", *(f"/page/{page}" for page in range(1, PAGES))]
    assert sorted(site.fetched) == sorted([*paths, *["/missing"] * 3])
    return found


def test_one_worker_finds_the_whole_site(site: SiteProcess, alone: list[str]) -> None:
    *pages, total = alone
    assert total == f"Pages: {PAGES + 2}, failed: 1, links: 1197."
    assert pages[0] == f"0 {site.address} Page 0 & its links (7 links)"
    assert pages[1] == f"1 {site.address}missing failed: status 404"
    assert pages[2] == f"1 {site.address}moved  (0 links)"
    paths = {line.split()[1].removeprefix(site.address) for line in pages}
    assert paths == {"", "missing", "moved", *(f"page/{page}" for page in range(1, PAGES))}
    depths = [int(line.split()[0]) for line in pages]
    assert depths == sorted(depths)


@pytest.mark.slow
def test_four_workers_two_of_which_are_killed_find_the_same(
    hall: HallProcess, site: SiteProcess, alone: list[str]
) -> None:
    with ExitStack() as stack:
        workers = [stack.enter_context(WorkerProcess(hall)) for _ in range(4)]
        connected(workers)
        crawl = stack.enter_context(CrawlProcess(hall, site.address, "--delay-ms=0"))
        slow, lost = set(SLOW), []
        for _ in range(2):
            worker = has_in_hand(workers, slow)
            slow -= {path for path in SLOW if worker.in_hand.endswith(path)}
            worker.kill()
            workers.remove(worker)
            lost.append(worker.in_hand)
        assert crawl.found() == alone
        assert all(worker.reports for worker in workers)
        for worker in workers:
            assert worker.stop(signal.SIGINT) == 0
    events = journal(hall, crawl.round)
    check_story(events)
    check_verified(hall, crawl.round)
    assert any(lost), "neither was killed with a page in hand"
    for url in filter(None, lost):
        check_handed_to_another(events, url)
    (ended,) = of_type(events, "round_ended")
    assert sum(ended["outcome"]["scores"].values()) == PAGES + 1


def check_handed_to_another(events: list[Json], url: str) -> None:
    """This page was in the hand of a worker that was lost, and then went to another."""
    first, *_, last = (each for each in of_type(events, "handed_out") if each["url"] == url)
    page = first["page"]
    lost = [each for each in of_type(events, "worker_lost") if each.get("page") == page]
    assert first["seat"] in {each["seat"] for each in lost}
    assert last["seat"] != first["seat"]
    (report,) = (each for each in of_type(events, "reported") if each["page"] == page)
    assert report["seat"] == last["seat"]


def check_verified(hall: HallProcess, round: int) -> None:
    source = f"{journal_url(hall)}?round={round}"
    with Process("verify", source, f"--game={SPIDER / 'spider.py'}") as verify:
        assert verify.wait() == 0, verify.report()
    assert verify.stdout[-1].startswith("Verified"), verify.report()


@pytest.mark.slow
def test_a_hall_that_is_killed_goes_on_where_it_was(
    site: SiteProcess, alone: list[str], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        hall = stack.enter_context(spider_hall(tmp_path))
        workers = [stack.enter_context(WorkerProcess(hall)) for _ in range(3)]
        connected(workers)
        crawl = stack.enter_context(CrawlProcess(hall, site.address, "--delay-ms=5"))
        for reports in (15, 40):
            reported(workers[0], reports)
            assert crawl.running
            hall.restart()
        assert crawl.found() == alone
        events = journal(hall, crawl.round)
        check_verified(hall, crawl.round)
    check_story(events, delay_ms=5)
    assert crawl.round == 1
    assert not of_type(events, "left"), "all came back in time"
    pages = [event["page"] for event in of_type(events, "reported")]
    assert len(pages) == len(set(pages)) == PAGES + 1


def test_the_limit_and_the_delay_are_respected(
    hall: HallProcess, site: SiteProcess, alone: list[str]
) -> None:
    with CrawlProcess(hall, site.address, "--pages=20", "--delay-ms=60") as crawl:
        assert crawl.round
        # There are no workers yet, so that it is not over before the next comes.
        with CrawlProcess(hall, site.address) as second:
            assert second.wait() == 1
            assert second.stderr[0].startswith("A crawl is on."), second.report()
        with WorkerProcess(hall) as one, WorkerProcess(hall) as two:
            found = crawl.found()
            assert [worker.stop(signal.SIGINT) for worker in (one, two)] == [0, 0]
    events = journal(hall, crawl.round)
    check_story(events, delay_ms=60)
    handed_ms = [event["at_ms"] for event in of_type(events, "handed_out")]
    assert all(later - earlier >= 60 for earlier, later in pairwise(handed_ms))
    assert len(result_of(events)) == 20
    assert found[-1].startswith("Pages: 20, failed: 1, ")
    assert found[:-1] == alone[:20]


def stopped_with_page_in_hand(workers: tuple[WorkerProcess, ...]) -> WorkerProcess:
    while True:
        worker = has_in_hand(workers, SLOW)
        os.kill(worker.pid, signal.SIGSTOP)
        if worker.in_hand:
            return worker
        os.kill(worker.pid, signal.SIGCONT)  # A moment too late: the next slow page, then.


def test_a_worker_that_hangs_is_too_late_and_works_on(
    hall: HallProcess, site: SiteProcess, alone: list[str]
) -> None:
    """Its connection stays, so that only the lease tells that its page has to go to another."""
    with WorkerProcess(hall) as one, WorkerProcess(hall) as two:
        connected((one, two))
        limits = ("--pages=100", "--delay-ms=0", "--lease-ms=1000")
        with CrawlProcess(hall, site.address, *limits) as crawl:
            slow = stopped_with_page_in_hand((one, two))
            other = two if slow is one else one
            page = slow.stdout[-1]
            other.wait_until(lambda: page in other.stdout)
            os.kill(slow.pid, signal.SIGCONT)
            assert crawl.found()[:-1] == alone[:100]
            slow.wait_until(lambda: "Too slow: the page was taken back." in slow.stdout)
        assert "Refused: not_your_page." in slow.stdout
        for worker in (one, two):
            assert worker.stop(signal.SIGINT) == 0
    check_story(journal(hall, crawl.round))
