"""The spider as its users run it: a hall, a site, workers and crawls, each a process of its own."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.support.processes import HallProcess, Process
from tests.support.waiting import WAIT_SECONDS

ROOT = Path(__file__).parents[2]
SPIDER = ROOT / "examples" / "spider"

Json = dict[str, Any]


class SiteProcess(Process):
    """The example's site, with all that was asked of it."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(str(SPIDER / "site.py"), "--port=0", *arguments, program=(sys.executable,))

    @property
    def address(self) -> str:
        self.wait_until(lambda: bool(self.stdout))
        return self.stdout[0].removeprefix("site ")

    @property
    def fetched(self) -> list[str]:
        """The paths, in the order of the answers."""
        return [line.removeprefix("GET ") for line in self.stdout[1:]]


class WorkerProcess(Process):
    def __init__(self, hall: HallProcess, *arguments: str) -> None:
        program = (sys.executable,)
        super().__init__(
            str(SPIDER / "worker.py"), f"--url={hall.ws_url}", *arguments, program=program
        )

    @property
    def in_hand(self) -> str:
        """The address of the page that it fetches now, or nothing."""
        said, *more = self.stdout[-1].split()
        return more[1] if said == "fetches" else ""

    @property
    def reports(self) -> int:
        return sum(line.startswith("report ") for line in tuple(self.stdout))


class CrawlProcess(Process):
    def __init__(self, hall: HallProcess, start: str, *arguments: str) -> None:
        program = (sys.executable,)
        super().__init__(
            str(SPIDER / "crawl.py"), start, f"--url={hall.ws_url}", *arguments, program=program
        )

    @property
    def round(self) -> int:
        """Of the table's rounds, the one that is this crawl."""
        self.wait_until(lambda: bool(self.stdout))
        return int(self.stdout[0].split()[3].rstrip(":"))

    def found(self) -> list[str]:
        """What it says of each page, and the sum, once it is done."""
        assert self.wait(WAIT_SECONDS) == 0, self.report()
        return self.stdout[1:]


def spider_hall(data: Path, *settings: str, doors: tuple[str, ...] = ()) -> HallProcess:
    game = f"--game={SPIDER / 'spider.py'}"
    settings = ("practice.begin_ms=0", *settings)
    return HallProcess(data, settings=settings, doors=doors, more=(game,))


def connected(workers: Iterable[WorkerProcess]) -> None:
    """Returns when all of them are in the hall."""
    for worker in workers:
        worker.wait_until(lambda: bool(worker.stdout))  # noqa: B023 (called at once)


def reported(worker: WorkerProcess, pages: int) -> None:
    """Returns when it has reported so many pages."""
    worker.wait_until(lambda: worker.reports >= pages)


def has_in_hand(workers: Iterable[WorkerProcess], paths: Iterable[str]) -> WorkerProcess:
    """The first worker that is seen to fetch one of these pages."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        for worker in workers:
            if worker.in_hand.endswith(tuple(paths)):
                return worker
        time.sleep(0.005)
    raise AssertionError([worker.report() for worker in workers])


def journal(hall: HallProcess, round: int, table: int = 1) -> list[Json]:
    """All events of a round that is over, each with the `seq` of its row."""
    with urlopen(f"{journal_url(hall, table)}?round={round}", timeout=WAIT_SECONDS) as answer:
        rows = [json.loads(line) for line in answer]
    of_round = [row for row in rows if row.get("round") == round]
    return [event | {"seq": row["seq"]} for row in of_round for event in row["events"]]


def journal_url(hall: HallProcess, table: int = 1) -> str:
    return f"{hall.web_url}/api/tables/{table}/journal"


def of_type(events: Iterable[Json], *types: str) -> list[Json]:
    return [event for event in events if event["type"] in types]
