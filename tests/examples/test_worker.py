"""What a worker makes of a page: its title, and links in the one form that the master takes."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from examples.spider import spider

from tests.examples.crawling import SPIDER

PAGE = "http://127.0.0.1:8080/a/page"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SPIDER))
    return importlib.import_module("worker")


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Plain</title>", "Plain"),
        ("<TITLE>\n Two &amp;\n\t three </TITLE>", "Two & three"),
        ("<title></title><title>second</title>", "second"),
        ("<title>first</title><svg><title>second</title></svg>", "first"),
        ("<p>none", ""),
        (f"<title>{'x' * 1000}</title>", "x" * spider.TITLE_MAX),
    ],
)
def test_a_title(worker: Any, html: str, title: str) -> None:
    reader = worker.PageReader()
    reader.feed(html)
    assert reader.title == title


@pytest.mark.parametrize(
    ("href", "path"),
    [
        ("/b", "/b"),
        ("b#c", "/a/b"),
        ("../b?c=d", "/b?c=d"),
        (" b c ", "/a/b%20c"),
        ("ä", "/a/%C3%A4"),
        ("b%20c", "/a/b%20c"),
        ("", "/a/page"),
        ("http://127.0.0.1:8080", "/"),
        ("//127.0.0.1:8080/b", "/b"),
    ],
)
def test_a_link_of_the_site(worker: Any, href: str, path: str) -> None:
    assert worker.links_on_site(PAGE, [href]) == [f"http://127.0.0.1:8080{path}"]


@pytest.mark.parametrize(
    "href",
    [
        "http://127.0.0.1/", "https://127.0.0.1:8080/", "//other/", "http://127.0.0.1:8080@other/",
        "mailto:a@b", "javascript:x", "data:,", "http://[", "http://127.0.0.1:port/", "x" * 300,
    ],
)  # fmt: skip
def test_what_is_no_page_of_the_site(worker: Any, href: str) -> None:
    assert worker.links_on_site(PAGE, [href]) == []


def test_links_are_sorted_and_each_is_there_once(worker: Any) -> None:
    links = worker.links_on_site(PAGE, ["c", "b", "b#x", "./b", "/a/c"])
    assert links == ["http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/c"]
