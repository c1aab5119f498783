"""The spider: a work, not a game. The table is the master of a crawl, and its seats are workers.

* `crawl` begins one, at the address of a first page. Only pages of the same site belong to it.
* Who has sent `work` is a worker, and is given one page at a time. It answers with `report`, the
  page's title and links, or with `failed`. What does not fit is refused and changes nothing.
* A worker that leaves, or has no answer when its lease is over, is lost: its page waits for
  another. If it is only slow, it may offer itself again. A page that fails three times, or loses
  its worker ten times, is given up.
* Pages go out level by level, those of a level by their addresses, and never faster than the delay.
  So the same site gives the same pages, however many workers there are and whoever is first.

All that becomes of a page is an event, so the journal of a round is the result of its crawl.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator
from functools import reduce
from heapq import nsmallest
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from gamehall.errors import IllegalCommand, Refused, RoundOver, RoundRunning
from gamehall.games.game import (
    Command,
    Context,
    Event,
    Game,
    Outcome,
    Picture,
    Seats,
    Start,
    Timer,
)

PAGES_MAX = 2000
LINKS_MAX = 200
URL_MAX = 250
TITLE_MAX = 200
REASON_MAX = 100
"""All together, so that any report fits into one message of any door."""
SEATS_MAX = PAGES_MAX + 64
"""Who has reported a page keeps a chair in the record, also after leaving. There are more chairs
than pages, so that there is always one for another worker."""
TRIES = 3
LOSSES = 10
"""After so many a page is given up, since it may be the page that ends its workers."""

ADDRESS = re.compile(
    r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?([/?][!-~]*)?",
    re.ASCII | re.IGNORECASE,
)
PORT_MAX = 65535
DEFAULT_PORTS = {"http": 80, "https": 443}

Url = Annotated[str, msgspec.Meta(max_length=URL_MAX)]


# Refusals


class BadAddress(Refused):
    code = "bad_address"
    message = "An address looks like http://127.0.0.1:8080/page, percent-encoded where needed."


class ForeignLink(Refused):
    code = "foreign_link"
    message = "A report names only pages of the site that is crawled."


class NotYourPage(Refused):
    code = "not_your_page"
    message = "You do not have this page, or not any more. Offer to work, and wait for the next."


# Commands


class Crawl(Command, frozen=True):
    start: Url
    pages_most: Annotated[int, msgspec.Meta(ge=1, le=PAGES_MAX)] = 500
    delay_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 100
    """From one page that is handed out to the next."""
    lease_ms: Annotated[int, msgspec.Meta(ge=100, le=600_000)] = 15_000
    """How long a worker may take for a page."""
    round: int | None = None
    """If it is named, this is refused in any other: sent again, it begins no second crawl."""


class Work(Command, frozen=True):
    """Wants pages."""


class Report(Command, frozen=True):
    page: int
    title: Annotated[str, msgspec.Meta(max_length=TITLE_MAX)] = ""
    links: Annotated[tuple[Url, ...], msgspec.Meta(max_length=LINKS_MAX)] = ()
    """Whole addresses of the site, in any order."""


class Failed(Command, frozen=True):
    page: int
    reason: Annotated[str, msgspec.Meta(max_length=REASON_MAX)]


class HandOut(Command, frozen=True):
    """There is a page for a worker, and the delay is over."""


class TakeBack(Command, frozen=True):
    """A lease is over."""


# Events


class CrawlBegun(Event, frozen=True):
    seat: int
    start: str
    pages_most: int
    delay_ms: int
    lease_ms: int
    at_ms: int


class WorkOffered(Event, frozen=True):
    seat: int


class HandedOut(Event, frozen=True):
    seat: int
    page: int
    url: str
    depth: int
    """How many links it is away from the start."""
    at_ms: int
    until_ms: int


class WorkerLost(Event, frozen=True):
    """Its page, if it had one, waits for another."""

    seat: int
    page: int | None = None


class Reported(Event, frozen=True):
    seat: int
    page: int
    title: str
    links: int
    """How many there are, each counted once."""
    found: tuple[str, ...]
    """Those that nobody had reported before."""


class FetchFailed(Event, frozen=True):
    seat: int
    page: int
    reason: str


class GivenUp(Event, frozen=True):
    page: int
    reason: str


class Summed(Event, frozen=True):
    """The crawl is done."""

    pages: int
    failed: int
    """How many of them were given up."""
    links: int


# State and views


class Task(msgspec.Struct, frozen=True):
    page: int
    url: str
    until_ms: int


class View(msgspec.Struct, frozen=True):
    """Counts, and one's own task: small, however large the crawl is."""

    start: str | None
    """Null: no crawl is on."""
    depth: int
    pages: int
    """All that are known to belong to the crawl so far."""
    done: int
    failed: int
    workers: int
    working: bool
    """Whether one is a worker oneself."""
    task: Task | None


class State(msgspec.Struct):
    round: int
    crawl: CrawlBegun | None = None
    urls: list[str] = []
    """Of each page, by its number."""
    known: set[str] = set()
    """The same."""
    found: set[str] = set()
    """The next level, as far as it is known."""
    depth: int = 0
    waiting: list[int] = []
    """Pages that nobody has; sorted."""
    tasks: dict[int, Task] = {}
    """By the seat of the worker."""
    idle: list[int] = []
    """Workers without a page, whoever waits longest first."""
    next_ms: int = 0
    """When the next page may go out."""
    failures: dict[int, int] = {}
    losses: dict[int, int] = {}
    reported: dict[int, int] = {}
    """How many pages each seat has reported."""
    failed: int = 0
    links: int = 0
    summed: bool = False

    @property
    def done(self) -> bool:
        return self.crawl is not None and not self.waiting and not self.tasks

    def add_pages(self, urls: Iterable[str]) -> None:
        first = len(self.urls)
        self.urls += urls
        self.known.update(self.urls[first:])
        self.waiting += range(first, len(self.urls))

    def add_found(self, urls: Iterable[str]) -> None:
        assert self.crawl is not None
        self.found.update(urls)
        room = self.crawl.pages_most - len(self.urls)
        if len(self.found) > room:
            # The same ones in the end as if all were kept until the level is done.
            self.found = set(nsmallest(room, self.found))

    def next_level(self) -> None:
        """Goes on to the next level, if this one is done."""
        if self.done and self.found:
            self.depth += 1
            self.add_pages(sorted(self.found))
            self.found = set()


class Spider(Game[State]):
    name = "spider"
    title = "Spider"
    commands = (Crawl, Work, Report, Failed)
    timers = (HandOut, TakeBack)
    events = (
        CrawlBegun,
        WorkOffered,
        HandedOut,
        WorkerLost,
        Reported,
        FetchFailed,
        GivenUp,
        Summed,
    )

    def seats(self, options: Any) -> Seats:
        return Seats(0, SEATS_MAX)

    def start(self, start: Start) -> State:
        return State(start.round)

    # Deciding

    def decide(
        self, state: State, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        match command:
            case HandOut() if seat is None:
                return self._hand_out(state, context.at_ms)
            case TakeBack() if seat is None:
                return self._take_back(state, context.at_ms)
            case Crawl() if seat is not None:
                return self._crawl(state, seat, command, context.at_ms)
            case Work() if seat is not None:
                working = seat in state.tasks or seat in state.idle
                return () if working else (WorkOffered(seat),)
            case Report() if seat is not None:
                return self._report(state, seat, command)
            case Failed() if seat is not None:
                return self._failed(state, seat, command)
        raise IllegalCommand

    def _crawl(self, state: State, seat: int, command: Crawl, at_ms: int) -> tuple[Event, ...]:
        if command.round not in (None, state.round):
            raise RoundOver("This crawl is over, or another has taken its place.")
        if state.crawl is not None:
            raise RoundRunning("A crawl is on. Wait for its end, or open a table of your own.")
        start = normal(command.start)
        most, delay_ms, lease_ms = command.pages_most, command.delay_ms, command.lease_ms
        return (CrawlBegun(seat, start, most, delay_ms, lease_ms, at_ms),)

    def _hand_out(self, state: State, at_ms: int) -> tuple[Event, ...]:
        crawl = state.crawl
        if crawl is None or at_ms < state.next_ms or not (state.idle and state.waiting):
            raise IllegalCommand
        pairs = list(zip(state.idle, state.waiting, strict=False))
        return tuple(
            HandedOut(seat, page, state.urls[page], state.depth, at_ms, at_ms + crawl.lease_ms)
            for seat, page in (pairs[:1] if crawl.delay_ms else pairs)
        )

    def _take_back(self, state: State, at_ms: int) -> tuple[Event, ...]:
        late = [seat for seat, task in state.tasks.items() if task.until_ms <= at_ms]
        if not late:
            raise IllegalCommand
        lost = (event for seat in sorted(late) for event in self._lost(state, seat))
        return self._summed_up(state, *lost)

    def _report(self, state: State, seat: int, command: Report) -> tuple[Event, ...]:
        check_task(state, seat, command.page)
        assert state.crawl is not None
        site = site_of(state.crawl.start)
        links = {normal(link) for link in command.links}
        if any(site_of(link) != site for link in links):
            raise ForeignLink
        found = tuple(sorted(links - state.known - state.found))
        reported = Reported(seat, command.page, command.title, len(links), found)
        return self._summed_up(state, reported)

    def _failed(self, state: State, seat: int, command: Failed) -> tuple[Event, ...]:
        page, reason = command.page, command.reason
        check_task(state, seat, page)
        failed = FetchFailed(seat, page, reason)
        if state.failures.get(page, 0) + 1 < TRIES:
            return (failed,)
        return self._summed_up(state, failed, GivenUp(page, reason))

    def leave(self, state: State, seat: int) -> tuple[Event, ...]:
        return self._summed_up(state, *self._lost(state, seat))

    def _lost(self, state: State, seat: int) -> Iterator[Event]:
        if seat in state.idle:
            yield WorkerLost(seat)
        elif seat in state.tasks:
            page = state.tasks[seat].page
            yield WorkerLost(seat, page)
            if state.losses.get(page, 0) + 1 >= LOSSES:
                yield GivenUp(page, "lost")

    def _summed_up(self, state: State, *events: Event) -> tuple[Event, ...]:
        """The events, and the sum if they end the crawl."""
        after = reduce(self.apply, events, self.fork(state))
        if not after.done:
            return events
        return (*events, Summed(len(after.urls), after.failed, after.links))

    # Recording

    def apply(self, state: State, event: Any) -> State:
        match event:
            case CrawlBegun(start=start, at_ms=at_ms):
                state.crawl = event
                state.next_ms = at_ms
                state.add_pages([start])
            case WorkOffered(seat=seat):
                state.idle.append(seat)
            case HandedOut(seat=seat, page=page, url=url, at_ms=at_ms, until_ms=until_ms):
                assert state.crawl is not None
                state.idle.remove(seat)
                state.waiting.remove(page)
                state.tasks[seat] = Task(page, url, until_ms)
                state.next_ms = at_ms + state.crawl.delay_ms
            case WorkerLost(seat=seat, page=None):
                state.idle.remove(seat)
            case WorkerLost(seat=seat, page=int(page)):
                del state.tasks[seat]
                insort(state.waiting, page)
                state.losses[page] = state.losses.get(page, 0) + 1
            case Reported(seat=seat):
                del state.tasks[seat]
                state.idle.append(seat)
                state.reported[seat] = state.reported.get(seat, 0) + 1
                state.links += event.links
                state.add_found(event.found)
                state.next_level()
            case FetchFailed(seat=seat, page=page):
                del state.tasks[seat]
                state.idle.append(seat)
                insort(state.waiting, page)
                state.failures[page] = state.failures.get(page, 0) + 1
            case GivenUp(page=page):
                state.waiting.remove(page)
                state.failed += 1
                state.next_level()
            case Summed():
                state.summed = True
        return state

    def fork(self, state: State) -> State:
        return replace(
            state,
            urls=list(state.urls),
            known=set(state.known),
            found=set(state.found),
            waiting=list(state.waiting),
            tasks=dict(state.tasks),
            idle=list(state.idle),
            failures=dict(state.failures),
            losses=dict(state.losses),
            reported=dict(state.reported),
        )

    # What follows from a state

    def timer(self, state: State) -> Timer | None:
        if state.summed or state.crawl is None:
            return None
        timers = [Timer(task.until_ms, TakeBack()) for task in state.tasks.values()]
        if state.idle and state.waiting:
            timers.append(Timer(state.next_ms, HandOut()))
        return min(timers, key=lambda timer: timer.due_ms, default=None)

    def join(self, state: State, seat: int, context: Context) -> tuple[Event, ...]:
        return ()

    def legal(self, state: State, seat: int) -> Iterator[Command]:
        """Only what needs no knowledge of the world: a report cannot be guessed."""
        if not state.summed and seat not in state.tasks and seat not in state.idle:
            yield Work()

    def outcome(self, state: State) -> Outcome | None:
        if not state.summed:
            return None
        return Outcome((), "done", scores=dict(state.reported), again_ms=0)

    def took_part(self, state: State) -> Iterable[int]:
        return state.reported

    def view(self, state: State, seat: int | None) -> View:
        return View(
            start=None if state.crawl is None else state.crawl.start,
            depth=state.depth,
            pages=len(state.urls),
            done=len(state.urls) - len(state.waiting) - len(state.tasks),
            failed=state.failed,
            workers=len(state.idle) + len(state.tasks),
            working=seat in state.tasks or seat in state.idle,
            task=None if seat is None else state.tasks.get(seat),
        )

    def picture(self, view: Any) -> Picture:
        seen = msgspec.convert(view, View)
        if seen.start is None:
            return Picture((), f"No crawl is on; {seen.workers} workers wait for one.")
        done = f"{seen.done} of {seen.pages} pages done, {seen.failed} failed"
        return Picture((), f"{seen.start}: {done}; level {seen.depth}, {seen.workers} workers.")


def check_task(state: State, seat: int, page: int) -> None:
    task = state.tasks.get(seat)
    if task is None or task.page != page:
        raise NotYourPage


def normal(url: str) -> str:
    """The address in the one form in which pages are compared. Raises BadAddress."""
    match = ADDRESS.fullmatch(url.partition("#")[0])
    if match is None or int(match[3] or 0) > PORT_MAX:
        raise BadAddress
    scheme, host, port, rest = match.groups(default="")
    scheme = scheme.lower()
    place = f":{int(port)}" if port and int(port) != DEFAULT_PORTS[scheme] else ""
    path = rest if rest.startswith("/") else f"/{rest}"
    return f"{scheme}://{host.lower()}{place}{path}"


def site_of(address: str) -> str:
    """Scheme, host and port of an address in its normal form."""
    return "/".join(address.split("/")[:3])
