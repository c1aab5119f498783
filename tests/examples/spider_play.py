"""Crawls without a hall: a site that is a table of links, and workers who tell the truth of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from examples.spider.spider import Crawl, Failed, HandedOut, Report, Spider, State, Task, Work

from gamehall.games.game import Command, Event
from gamehall.table_log import house
from gamehall.testing import Playout

SITE = "http://127.0.0.1:8080"
GAME = Spider()

Links = Mapping[str, Iterable[str] | None]
"""By the path of each page, its links as paths; None: it cannot be fetched."""
STAR: Links = {"/": ("/c", "/a", "/b"), "/a": (), "/b": (), "/c": ()}


class Page(NamedTuple):
    """What a crawl says of one page."""

    url: str
    depth: int
    title: str | None
    """None: it was given up."""
    links: int


def url_of(path: str) -> str:
    return f"{SITE}{path}"


def title_of(url: str) -> str:
    return f"Title of {url}"


def a_crawl(people: int = 1, workers: int | None = None, **crawl: Any) -> Playout:
    """A table at which a crawl has begun; the first `workers` have offered themselves."""
    table = Playout(GAME, people=people)
    table.act(0, Crawl(url_of("/"), **{"delay_ms": 0, **crawl}))
    for seat in range(people if workers is None else workers):
        table.act(seat, Work())
    return table


def game_of(table: Playout) -> State:
    state: State = table.state.game
    return state


def task_of(table: Playout, seat: int) -> Task:
    return game_of(table).tasks[seat]


def answer_of(task: Task, links: Links) -> Command:
    """What an honest worker says of its page."""
    listed = links.get(task.url.removeprefix(SITE))
    if listed is None:
        return Failed(task.page, "status 404")
    return Report(task.page, title_of(task.url), tuple(url_of(path) for path in listed))


def answer(table: Playout, seat: int, links: Links) -> tuple[Event, ...]:
    return tuple(table.act(seat, answer_of(task_of(table, seat), links)).events)


def hand_out(table: Playout) -> list[tuple[int, str]]:
    """The seats and paths of the pages that go out now."""
    events = table.fire().events
    assert all(isinstance(event, HandedOut) for event in events), events
    handed = (event for event in events if isinstance(event, HandedOut))
    return [(event.seat, event.url.removeprefix(SITE)) for event in handed]


def leave(table: Playout, seat: int) -> tuple[Event, ...]:
    return tuple(table.act(seat, house.Leave()).events)


def crawled(links: Links, **crawl: Any) -> Playout:
    """A crawl by one worker, in order, from beginning to end."""
    table = a_crawl(**crawl)
    while not table.ended:
        hand_out(table)
        answer(table, 0, links)
    return table


def events_of(table: Playout) -> list[Any]:
    """All events of the game in the first round, as they are read from the journal."""
    rows = [msgspec.json.decode(line) for line in table.lines]
    return [event for row in rows if row["round"] == 1 for event in row["events"]]


def result_of(events: Iterable[Mapping[str, Any]]) -> list[Page]:
    """What the events of a journal say of each page, in the order of their numbers."""
    pages: dict[int, Page] = {}
    for event in events:
        match event["type"]:
            case "handed_out":
                pages[event["page"]] = Page(event["url"], event["depth"], None, 0)
            case "reported":
                page = pages[event["page"]]
                pages[event["page"]] = page._replace(title=event["title"], links=event["links"])
    assert sorted(pages) == list(range(len(pages)))
    return [pages[number] for number in sorted(pages)]


def check_story(events: Iterable[Mapping[str, Any]], delay_ms: int = 0) -> None:
    """Each page goes out only while nobody has it, is reported once, and is done then."""
    holder: dict[int, int] = {}
    done: Counter[int] = Counter()
    last_ms: int | None = None
    for event in events:
        match event["type"]:
            case "handed_out":
                assert event["page"] not in holder
                assert not done[event["page"]]
                assert last_ms is None or event["at_ms"] - last_ms >= delay_ms
                holder[event["page"]] = event["seat"]
                last_ms = event["at_ms"]
            case "reported":
                assert holder.pop(event["page"]) == event["seat"]
                done[event["page"]] += 1
            case "fetch_failed" | "worker_lost" if "page" in event:
                assert holder.pop(event["page"]) == event["seat"]
            case "given_up":
                done[event["page"]] += 1
    assert not holder
    assert set(done.values()) == {1}


def expected(links: Links, pages_most: int = 500) -> list[Page]:
    """The result, by the description alone: level by level, each sorted and cut to what is left."""
    level, seen, found = ["/"], {"/"}, []
    depth = 0
    while level:
        found += [_page(path, depth, links) for path in level]
        linked = {link for path in level for link in (links.get(path) or ())}
        level = sorted(linked - seen, key=url_of)[: pages_most - len(seen)]
        seen.update(level)
        depth += 1
    return found


def _page(path: str, depth: int, links: Links) -> Page:
    url, listed = url_of(path), links.get(path)
    if listed is None:
        return Page(url, depth, None, 0)
    return Page(url, depth, title_of(url), len(set(listed)))
