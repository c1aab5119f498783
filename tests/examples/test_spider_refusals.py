"""What the spider's master refuses, and the one form of an address."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from examples.spider import spider
from examples.spider.spider import (
    BadAddress,
    Crawl,
    Failed,
    ForeignLink,
    NotYourPage,
    Report,
    Work,
    normal,
    site_of,
)

from gamehall.errors import RoundOver, RoundRunning
from gamehall.testing import Playout
from tests.examples.spider_play import (
    GAME,
    SITE,
    STAR,
    a_crawl,
    answer,
    hand_out,
    url_of,
)
from tests.games.house_play import refusal


def test_a_page_is_answered_only_by_its_worker() -> None:
    table = a_crawl(people=3)
    hand_out(table)
    for seat, page in ((1, 0), (0, 1), (0, -1), (2, 0)):
        assert refusal(table, seat, Report(page)) is NotYourPage
        assert refusal(table, seat, Failed(page, "")) is NotYourPage
    answer(table, 0, STAR)
    assert refusal(table, 0, Report(0, "again")) is NotYourPage


@pytest.mark.parametrize(
    "link",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/a",
        "https://127.0.0.1:8080/a",
        "http://localhost:8080/a",
        "http://127.0.0.1.example.org:8080/",
    ],
)
def test_a_link_to_another_site_is_refused(link: str) -> None:
    table = a_crawl()
    hand_out(table)
    assert refusal(table, 0, Report(0, "T", (url_of("/a"), link))) is ForeignLink
    assert answer(table, 0, STAR), "it may still answer"


@pytest.mark.parametrize(
    "link",
    [
        "", "/a", "a", "mailto:a@b", "//127.0.0.1:8080/a", "http://", "http:///a", "ftp://h/",
        "http://user@127.0.0.1:8080/", "http://127.0.0.1:8080@evil/", "http://127.0.0.1:8080\\@h/",
        "http://127.0.0.1:8080/a b", "http://127.0.0.1:8080/é", "http://127.0.0.1:8080/\n",
        "http://127.0.0.1:/", "http://127.0.0.1:٨/", "http://\u212a.example/", "javascript:x",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(link: str) -> None:
    table = a_crawl()
    hand_out(table)
    assert refusal(table, 0, Report(0, "T", (link,))) is BadAddress
    assert refusal(Playout(GAME, people=1), 0, Crawl(link)) is BadAddress


@pytest.mark.parametrize(
    ("address", "is_normal"),
    [
        ("http://a.example", "http://a.example/"),
        ("HTTP://A.Example:80/X#y", "http://a.example/X"),
        ("https://a.example:443?q=1", "https://a.example/?q=1"),
        ("http://a.example:8080/a?b=c#d?e", "http://a.example:8080/a?b=c"),
        ("http://a.example:0080/", "http://a.example/"),
        ("http://[::1]:8080/%20//b", "http://[::1]:8080/%20//b"),
    ],
)
def test_an_address_has_one_form(address: str, is_normal: str) -> None:
    assert normal(address) == is_normal
    assert normal(is_normal) == is_normal


def test_a_site_is_scheme_host_and_port() -> None:
    assert site_of(normal("http://A.example:8080/b/c?d=/e")) == "http://a.example:8080"
    assert site_of(normal("https://a.example")) == "https://a.example"


@pytest.mark.parametrize(
    "command",
    [
        {"type": "report", "page": 0, "title": "x" * 201},
        {"type": "report", "page": 0, "links": [url_of("/")] * 201},
        {"type": "report", "page": 0, "links": [url_of("/" + "x" * 250)]},
        {"type": "failed", "page": 0, "reason": "x" * 101},
        {"type": "crawl", "start": SITE, "pages_most": 2001},
        {"type": "crawl", "start": SITE, "pages_most": 0},
        {"type": "crawl", "start": SITE, "delay_ms": -1},
        {"type": "crawl", "start": SITE, "lease_ms": 0},
    ],
)
def test_what_is_too_large_is_not_even_read(command: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(command, Crawl | Report | Failed)


def test_the_largest_report_fits_into_a_message() -> None:
    links = tuple(f"{SITE}/{n:03}".ljust(spider.URL_MAX, "x") for n in range(spider.LINKS_MAX))
    report = Report(spider.PAGES_MAX, "😀" * spider.TITLE_MAX, links)
    assert len(msgspec.json.encode(report)) < 60_000 < 65_536


def test_one_crawl_at_a_time() -> None:
    table = a_crawl()
    assert refusal(table, 0, Crawl(url_of("/"))) is RoundRunning


def test_a_crawl_that_names_its_round_begins_only_there() -> None:
    table = Playout(GAME, people=1)
    assert refusal(table, 0, Crawl(SITE, round=2)) is RoundOver
    table.act(0, Crawl(SITE, round=1))
    table.act(0, Work())
    hand_out(table)
    table.act(0, Report(0))
    assert refusal(table, 0, Crawl(SITE, round=1)) is RoundOver
    table.act(0, Crawl(SITE, round=2))
