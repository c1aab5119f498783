"""The page comes whole from the hall, and from nowhere else; and the listeners would notice."""

from __future__ import annotations

import re
import time
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from gamehall.wire.http.page import BUILT_PAGE
from tests.support.processes import HallProcess
from tests.support.waiting import WAIT_SECONDS
from tests.web.browser import LOOK_MS, People

FIRST_LOAD_BYTES_MAX = 200_000
SIZES = """() => Object.fromEntries(["navigation", "resource"]
  .flatMap((kind) => performance.getEntriesByType(kind))
  .map((entry) => [entry.name, entry.encodedBodySize]))
"""
"""Of all that was fetched, as it came."""
COMPLAINTS = {
    "console.error('broken')": "console: broken",
    "setTimeout(() => { throw new Error('thrown') })": "exception: .*thrown",
    "document.body.append(Object.assign(document.createElement('script'), {textContent: '1'}))": (
        "console: forbidden by script-src-elem: inline"
    ),
    "fetch('http://elsewhere.example/').catch(() => null)": (
        "console: forbidden by connect-src: http://elsewhere.example/"
    ),
    "open('http://elsewhere.example/')": "asks another host: http://elsewhere.example/",
}
"""What a page might do, and how it is put."""


def test_the_page_loads_and_is_small(new_person: Callable[..., Page]) -> None:
    page = new_person()
    expect(page).to_have_title("Gamehall")
    expect(page.get_by_role("main")).to_be_visible()
    sizes: dict[str, int] = page.evaluate(SIZES)
    assert any(url.endswith(".js") for url in sizes)
    assert 0 < sum(sizes.values()) < FIRST_LOAD_BYTES_MAX, sizes


def test_every_built_file_is_served(hall: HallProcess) -> None:
    files = [path for path in BUILT_PAGE.rglob("*") if path.is_file()]
    assert len(files) > 1
    for path in files:
        name = str(path.relative_to(BUILT_PAGE)).removesuffix("index.html")
        with urllib.request.urlopen(f"{hall.web_url}/{name}", timeout=WAIT_SECONDS) as answer:
            assert answer.headers["Content-Type"] != "application/octet-stream", name
            assert answer.read() == path.read_bytes()


def test_a_complaint_fails_a_test(people: People) -> None:
    page = people.new_person("anna")
    for act, complaint in COMPLAINTS.items():
        page.evaluate(f"() => {{ {act} }}")
        deadline = time.monotonic() + LOOK_MS / 1000
        while not any(re.fullmatch(f"anna: {complaint}", each) for each in people.complaints):
            assert time.monotonic() < deadline, people.complaints
            # Playwright tells what has happened only while it is waited for.
            page.wait_for_timeout(20)
    with pytest.raises(AssertionError, match="anna: console: broken"):
        people.leave()
    people.forgive("^anna: ")
    people.leave()
